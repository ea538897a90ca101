package risk

import (
	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/possible"
)

// A pattern becomes the names of files, and a file's name may be an option:
// `find . ?delete` deletes where a file is called -delete. A pattern counts when
// it spells a guarded option of the program. A star alone spells every option,
// but is how files are named every day (`grep x *`, `ls *`): it counts only where
// the line itself names such a file, which package shell looks for.

// spelled adds the hazard of a pattern at index i that may become a guarded
// option.
func (c *call) spelled(i int) {
	a := &c.args[i]
	if c.rule || !a.MayBeOption() {
		return
	}
	var word possible.Text
	a.Chunks().Into(&word, false, possible.Every, possible.NoBlank)
	anyFirst := a.Text[0] != '*' // ?o and [-]o are no usual patterns: what follows may be letters or a value
	for t := c.table; t != nil; t = t.outer() {
		for _, list := range [][]*spec{t.long, t.short, t.starts} {
			for _, s := range list {
				if s.opt != nil && (word.MeetsText(s.name) || anyFirst && s.spelledWith(word, t.style)) {
					c.add(i, a.Text, s.opt.Kind, "may be a file named "+s.name+", which "+s.opt.Why)
					return
				}
			}
		}
	}
}

// spelledWith reports that a pattern may be the option with its value, or with
// other letters around it.
func (s *spec) spelledWith(word possible.Text, style catalog.Style) bool {
	if len(s.name) == 2 && style != catalog.StyleWords && style != catalog.StyleLetters {
		return word.MeetsWord("-*"+s.name[1:]+"*") && !word.MeetsWord("--*"+s.name[1:]+"*")
	}
	if s.value == catalog.Rest {
		return word.MeetsWord(s.name + "*")
	}
	return s.value != catalog.NoValue && word.MeetsWord(s.name+"=*")
}
