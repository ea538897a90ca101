package audit

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/pigate/pigate/internal/gate"
)

// chain goes along the entries of a journal and looks whether each belongs
// where it stands.
type chain struct {
	traits
	keys    *keyring
	outside []checkpoint // sorted by size
	from    int64        // the first entry that is looked at; 0 for the journal's own

	last     int64 // 0 before the first
	hash     [hashSize]byte
	entries  int64
	first    int64
	sealed   bool // the last entry ends its file
	numbered bool // the last file has the name of a sealed one
	room     []byte
	erased   []int64
	declared [][2]int64

	checkpoints, signed, vouched int64
}

// step takes the next entry and returns what is wrong with it, nil for nothing.
func (c *chain) step(l *link) *Finding {
	if l.version != formatVersion {
		return found(l.seq, Changed, "entry %d is of version %d, which this pigate does not know", l.seq, l.version)
	}
	sum := hashEntry(c.room, l.version, l.seq, l.prev, l.pub, l.commitment)
	if f := c.place(l); f != nil {
		return f
	}
	if len(l.prev) != hashSize || !bytes.Equal(sum[:], l.hash) {
		return found(l.seq, Changed, "entry %d is not what was recorded: its hash is another", l.seq)
	}
	if c.last > 0 && !c.partialGap(l) && !bytes.Equal(l.prev, c.hash[:]) {
		return found(l.seq, Fork, "entry %d does not follow entry %d as it is here", l.seq, c.last)
	}
	if f := c.private(l); f != nil {
		return f
	}
	if c.last == 0 {
		c.first = l.seq
	}
	if f := c.special(l); f != nil {
		return f
	}
	c.entries++
	c.sealed = isKind(l.pub, gate.KindRotation) && strings.Contains(string(l.pub), `"sealed":true`)
	c.last, c.hash = l.seq, sum
	return c.compare()
}

// place looks at the number of an entry.
func (c *chain) place(l *link) *Finding {
	switch {
	case c.partial && l.seq > c.last:
		return nil
	case c.last > 0 && l.seq <= c.last:
		return found(l.seq, Reordered, "entry %d stands behind entry %d", l.seq, c.last)
	case c.last > 0 && l.seq > c.last+1:
		return found(c.last+1, Missing, "entry %d is missing: entry %d follows entry %d", c.last+1, l.seq, c.last)
	case c.last > 0 || c.from > 0:
		return nil
	case l.seq < 1:
		return found(l.seq, Changed, "there is no entry %d", l.seq)
	case l.seq == 1 && !bytes.Equal(l.prev, genesis[:]):
		return found(1, Changed, "entry 1 names an entry before it")
	case l.seq > 1 && !isKind(l.pub, gate.KindRotation):
		return found(1, Missing, "entries 1 to %d are missing", l.seq-1)
	}
	return nil
}

// partialGap reports that entries before this one were left out on purpose.
func (c *chain) partialGap(l *link) bool { return c.partial && l.seq != c.last+1 }

// private looks at the private part.
func (c *chain) private(l *link) *Finding {
	switch {
	case c.public:
		return nil
	case l.erased():
		c.erased = append(c.erased, l.seq)
		return nil
	case len(l.commitment) == 0:
		if l.salt == nil && l.body == nil {
			return nil
		}
	case len(l.salt) == saltSize:
		if sum := commit(c.room, l.salt, l.body); bytes.Equal(sum[:], l.commitment) && l.body != nil {
			return nil
		}
	}
	return found(l.seq, Changed, "the private text of entry %d is not what was recorded", l.seq)
}

// special looks into entries about the journal itself.
func (c *chain) special(l *link) *Finding {
	switch {
	case isKind(l.pub, gate.KindErase):
		var e eraseEntry
		if err := json.Unmarshal(l.pub, &e); err == nil {
			c.declared = append(c.declared, e.Erased...)
		}
	case isKind(l.pub, gate.KindCheckpoint):
		var e checkpointEntry
		if err := json.Unmarshal(l.pub, &e); err != nil {
			return found(l.seq, BadSignature, "the checkpoint in entry %d cannot be read", l.seq)
		}
		c.keys.met(e.Key)
		cp, err := c.keys.open([]byte(e.Note))
		if err != nil {
			return found(l.seq, BadSignature, "the checkpoint in entry %d: %v", l.seq, err)
		}
		if cp.size != l.seq-1 || !bytes.Equal(cp.hash, l.prev) {
			return found(l.seq, Fork, "the checkpoint in entry %d signs another history", l.seq)
		}
		c.checkpoints++
		c.signed = cp.size
	}
	return nil
}

// compare looks whether checkpoints from outside say the same.
func (c *chain) compare() *Finding {
	for len(c.outside) > 0 && c.outside[0].size <= c.last {
		cp := c.outside[0]
		c.outside = c.outside[1:]
		if cp.size < c.last {
			continue // before the first that is looked at
		}
		if !bytes.Equal(cp.hash, c.hash[:]) {
			return found(cp.size, Fork, "a checkpoint outside the journal signs another entry %d", cp.size)
		}
		c.checkpoints++
		c.vouched, c.signed = cp.size, max(c.signed, cp.size)
	}
	return nil
}

// end looks at what can be told only when all entries are known.
func (c *chain) end() *Finding {
	for _, seq := range c.erased {
		if !c.isDeclared(seq) {
			return found(seq, Undeclared, "the private text of entry %d is gone, and no entry says that it was erased", seq)
		}
	}
	// What comes after a sealed file is in the next one.
	if len(c.outside) > 0 && !c.partial && !(c.sealed && c.numbered) {
		last := c.outside[len(c.outside)-1]
		return found(c.last+1, CutTail, "the journal ends with entry %d, and a checkpoint outside it signs entry %d", c.last, last.size)
	}
	return nil
}

func (c *chain) isDeclared(seq int64) bool {
	for _, r := range c.declared {
		if r[0] <= seq && seq <= r[1] {
			return true
		}
	}
	return c.partial // the entry that says so may have been left out
}

// isKind reports that a public part is of a kind: kind is its first field.
func isKind(pub []byte, kind gate.Kind) bool {
	const before = `{"kind":"`
	return len(pub) > len(before)+len(kind) && string(pub[:len(before)]) == before &&
		string(pub[len(before):len(before)+len(kind)]) == string(kind) && pub[len(before)+len(kind)] == '"'
}
