package audit

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
)

// VerifyOptions say what a journal is verified against. The zero value verifies
// it with what lies beside it.
type VerifyOptions struct {
	// Against are checkpoints from outside, signed notes one after the other. ""
	// takes the file of checkpoints beside the journal, if there is one.
	Against string
	// Keys are the public keys of the signatures. "" takes the file beside the
	// journal, and without one the key that the journal itself names.
	Keys string
	// From skips the entries before that number; what it names as the hash before
	// it is then taken on trust.
	From int64
	// Deep lets SQLite look at the structure of its files too, which takes about as
	// long again.
	Deep bool
	// Progress is told how many of about how many entries were looked at. It may
	// be nil.
	Progress func(done, total int64)
}

// progressStep is after how many entries Progress is told.
const progressStep = 1 << 16

// Verify looks whether a journal is whole: the files at the paths, in order,
// journals or exports of them. It works while others append. An error means
// that the journal could not be looked at; what is wrong with it is the
// Finding.
func Verify(ctx context.Context, o VerifyOptions, paths ...string) (Verification, error) {
	v := &verifier{options: o}
	if err := v.run(ctx, paths); err != nil {
		return Verification{}, &Error{Op: "verify", Path: v.path, Err: err}
	}
	return v.result(), nil
}

type verifier struct {
	options VerifyOptions
	path    string
	chain   chain
	finding *Finding
	aside   *Finding // about a file and not an entry: it comes last
	total   int64
}

func (v *verifier) run(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		return errMissing
	}
	v.path = paths[len(paths)-1]
	v.chain.from, v.chain.room = v.options.From, make([]byte, 0, 4096)
	v.chain.numbered = liveName(v.path) != v.path
	// The checkpoints are read before the journal: it may grow meanwhile.
	against, err := v.prepare()
	if err != nil {
		return err
	}
	for i, path := range paths {
		v.path = path
		if err := v.file(ctx, path, i == 0, against); err != nil || v.finding != nil {
			return err
		}
	}
	if v.finding = v.chain.end(); v.finding != nil {
		v.finding.File = v.path
		return nil
	}
	v.finding = v.aside
	return nil
}

func (v *verifier) prepare() (against string, err error) {
	keys := v.options.Keys
	if keys == "" {
		if keys, err = beside(v.path, publicSuffix); err != nil {
			return "", err
		}
	}
	if v.chain.keys, err = newKeyring(keys); err != nil {
		return "", err
	}
	if v.options.Against != "" {
		return v.options.Against, nil
	}
	return beside(v.path, checkpointSuffix)
}

// file verifies one file.
func (v *verifier) file(ctx context.Context, path string, first bool, against string) error {
	src, err := openSource(ctx, path)
	if first && err != nil && emptyFile(path) {
		return v.emptied(err, against)
	}
	if err != nil {
		return v.damaged(err, path)
	}
	defer func() { _ = src.close() }() // it only read
	v.chain.traits = src.traits()
	v.total += src.count(ctx)
	if first {
		if err := v.outside(ctx, src, against); err != nil || v.finding != nil {
			return err
		}
	}
	err = src.each(ctx, v.options.From, func(l *link) bool {
		if v.finding = v.chain.step(l); v.finding != nil {
			v.finding.File = path
			v.reconsider(ctx, path, l)
			return false
		}
		if v.options.Progress != nil && v.chain.entries%progressStep == 0 {
			v.options.Progress(v.chain.entries, v.total)
		}
		return true
	})
	if err != nil {
		return v.damaged(err, path)
	}
	if v.finding != nil || v.aside != nil {
		return nil
	}
	if v.aside, err = src.finish(ctx, v.options.Deep); err != nil {
		return v.damaged(err, path)
	}
	if v.aside != nil {
		v.aside.File = path
	}
	return nil
}

// emptied makes a finding of a journal that is empty or not there, which err
// says, when checkpoints know of entries in it.
func (v *verifier) emptied(err error, against string) error {
	if against == "" || v.chain.keys.first() == "" {
		return err
	}
	list, finding := readOutside(against, v.chain.keys)
	switch {
	case finding != nil:
		v.finding = finding
	case len(list) > 0:
		v.finding = found(1, CutTail, "the journal has no entry, and a checkpoint outside it signs entry %d", list[len(list)-1].size)
	default:
		return err
	}
	v.finding.File = v.path
	return nil
}

// outside opens the checkpoints once a key is known for them.
func (v *verifier) outside(ctx context.Context, src source, against string) error {
	if against == "" {
		return nil
	}
	if v.chain.keys.first() == "" {
		// The first checkpoint in the journal names the key.
		err := src.each(ctx, 0, func(l *link) bool {
			c := chain{keys: v.chain.keys}
			_ = c.special(l) // looked at again in its turn
			return v.chain.keys.first() == ""
		})
		if err != nil {
			return v.damaged(err, v.path)
		}
	}
	v.chain.outside, v.finding = readOutside(against, v.chain.keys)
	return nil
}

// damaged makes a finding of a file that SQLite cannot read.
func (v *verifier) damaged(err error, path string) error {
	if !isDamage(err) {
		return err
	}
	v.finding = found(v.chain.last+1, Damaged, "SQLite cannot read on after entry %d: %v", v.chain.last, err)
	v.finding.File = path
	return nil
}

// reconsider looks whether a bad entry, or the one that is missing, was moved.
func (v *verifier) reconsider(ctx context.Context, path string, bad *link) {
	f := v.finding
	switch {
	case f.Kind == Changed && !bad.whole():
		if seq := v.placeOf(bad); seq > 0 {
			f.Kind, f.Text = Reordered, fmt.Sprintf("entry %d stands at the place of entry %d", seq, bad.seq)
		}
	case f.Kind == Missing && v.standsBehind(ctx, path, f.Seq, bad.seq):
		f.Kind, f.Text = Reordered, fmt.Sprintf("entry %d stands behind entry %d", f.Seq, bad.seq)
	}
}

// furthest is how far beyond the end of a journal the place of an entry is
// looked for.
const furthest = 1000

// placeOf is the number that an entry had when it was hashed, 0 when it has
// changed in other ways too.
func (v *verifier) placeOf(l *link) int64 {
	for seq := int64(1); seq <= max(v.total, v.chain.last)+furthest; seq++ {
		if sum := hashEntry(v.chain.room, l.version, seq, l.prev, l.pub, l.commitment); bytes.Equal(sum[:], l.hash) {
			return seq
		}
	}
	return 0
}

// standsBehind reports that the missing entry comes after another.
func (v *verifier) standsBehind(ctx context.Context, path string, missing, after int64) (stands bool) {
	src, err := openSource(ctx, path)
	if err != nil {
		return false // the finding stands as it is
	}
	defer func() { _ = src.close() }() // it only read
	passed := false
	_ = src.each(ctx, 0, func(l *link) bool {
		passed = passed || l.seq == after
		stands = passed && l.seq == missing
		return !stands
	})
	return stands
}

func (v *verifier) result() Verification {
	c := &v.chain
	r := Verification{Whole: v.finding == nil, Finding: v.finding, Entries: c.entries, First: c.first, Last: c.last,
		Erased: int64(len(c.erased)), Checkpoints: c.checkpoints, Signed: c.signed, Outside: c.vouched, Partial: c.partial}
	if c.entries > 0 {
		r.Head = hex.EncodeToString(c.hash[:])
	}
	if c.checkpoints > 0 {
		r.Key = c.keys.first()
	}
	return r
}
