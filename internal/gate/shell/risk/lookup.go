package risk

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// find looks up a name in full, then as an abbreviation.
func (t *table) find(name string) *spec {
	if (t.style == catalog.StyleWords || t.style == catalog.StyleLetters) && strings.HasPrefix(name, "--") {
		if s := t.find(name[1:]); s != nil {
			return s
		}
	}
	if t.style == catalog.StyleNopt {
		name = argv.NoptName(name)
	}
	for at := t; at != nil; at = at.outer() {
		if s := at.names[name]; s != nil {
			return s
		}
	}
	if (t.style != catalog.StyleGNU && t.style != catalog.StyleBundled && t.style != catalog.StyleNopt) || len(name) < 3 || name[1] != '-' {
		return nil
	}
	for at := t; at != nil; at = at.outer() {
		for _, s := range at.long {
			if strings.HasPrefix(s.name, name) {
				return s
			}
		}
	}
	for at := t; at != nil; at = at.outer() {
		for _, s := range at.plain {
			if strings.HasPrefix(s.name, name) {
				return s
			}
		}
	}
	return nil
}

// folded finds the guarded option whose name differs in case and dashes alone.
func (t *table) folded(name string) *spec {
	plain := strings.NewReplacer("-", "", "_", "")
	name = plain.Replace(name)
	for at := t; at != nil; at = at.outer() {
		for _, s := range at.long {
			if strings.EqualFold(plain.Replace(s.name), name) {
				return s
			}
		}
	}
	return nil
}

// guarded reports whether a word spells a guarded option in full. Such a word is
// read as the option even where a harmless one takes a value: the versions of a
// program differ in what takes one, and a needless question is the lesser harm.
func (t *table) guarded(word string) bool {
	if len(word) < 2 || word[0] != '-' {
		return false
	}
	if word[1] != '-' && (t.clusters() || t.style == catalog.StyleNopt && len(word) == 2) {
		s := t.find(word[:2])
		return s != nil && s.opt != nil
	}
	name, _, _ := strings.Cut(word, "=")
	if t.style == catalog.StyleNopt {
		name = argv.NoptName(name)
	}
	for at := t; at != nil; at = at.outer() {
		if s := at.names[name]; s != nil {
			return s.opt != nil
		}
	}
	return false
}

// shortened finds a subcommand by its first letters.
func (t *table) shortened(word string) *table {
	if len(word) < 3 {
		return nil
	}
	var found *table
	name := ""
	for full, sub := range t.subs {
		if strings.HasPrefix(full, word) && (found == nil || full < name) {
			found, name = sub, full
		}
	}
	return found
}

// clusters reports that a word with one dash is a row of letters.
func (t *table) clusters() bool {
	return t.style != catalog.StyleWords && t.style != catalog.StyleLetters && t.style != catalog.StyleNopt
}

// hidden finds the guarded option that a name with expansions in it spells by
// its literal pieces: --out$x for --output. A name with no letter finds none.
func (t *table) hidden(name string) *spec {
	if strings.Trim(name, "-"+argv.Hole) == "" {
		return nil
	}
	for at := t; at != nil; at = at.outer() {
		for _, s := range at.long {
			if fills(name, s.name) || (t.style == catalog.StyleWords || t.style == catalog.StyleLetters) && fills(name, "-"+s.name) {
				return s
			}
		}
	}
	return nil
}

// fills reports whether name can become full when each 0x00 stands for any text.
func fills(name, full string) bool {
	pieces := strings.Split(name, argv.Hole)
	rest, ok := strings.CutPrefix(full, pieces[0])
	if !ok {
		return false
	}
	for n, piece := range pieces[1:] {
		if n == len(pieces)-2 {
			return strings.HasSuffix(rest, piece)
		}
		at := strings.Index(rest, piece)
		if at < 0 {
			return false
		}
		rest = rest[at+len(piece):]
	}
	return true
}
