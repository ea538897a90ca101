package risk

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// AsOptions spells the words that may turn out to be options as such.
func AsOptions(args []argv.Arg) []argv.Arg {
	at := slices.IndexFunc(args, func(a argv.Arg) bool { return a.Fed && argv.BeginsHole(a.Text) })
	if at < 0 {
		return args
	}
	args = slices.Clone(args)
	for k := at; k < len(args); k++ {
		if a := &args[k]; a.Fed && argv.BeginsHole(a.Text) {
			a.Text = "-" + a.Text
		}
	}
	return args
}

// WithoutReading drops what a supplied word could be where every guarded option
// only reads: what such a command shows is no more than the line asks for.
func WithoutReading(found []Hazard) []Hazard {
	return slices.DeleteFunc(found, func(h Hazard) bool {
		return h.Form == FormWord && strings.HasPrefix(h.Word, "-"+argv.Hole) && h.owner != nil && h.owner.onlyReads()
	})
}

// onlyReads reports a table without options that do more than read.
func (t *table) onlyReads() bool {
	reads := func(s *spec) bool { return s.opt == nil || s.opt.Kind == KindRead }
	for at := t; at != nil; at = at.outer() {
		for _, s := range at.names {
			if !reads(s) {
				return false
			}
		}
		if slices.ContainsFunc(at.starts, func(s *spec) bool { return !reads(s) }) {
			return false
		}
	}
	return true
}
