package model

import (
	"slices"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// Readings are the rows of words that the shell may make of the unit's words,
// the program first; one, and most often the words as they are written. None may
// be changed.
func (u *Unit) Readings() [][]argv.Arg {
	if len(u.Words) == 0 {
		return nil
	}
	if !u.Open {
		return [][]argv.Arg{u.Words}
	}
	var out [][]argv.Arg
	if !u.Idle {
		out = argv.Variants(u.Words)
	}
	for k, words := range u.Calls {
		if len(words) == 0 || len(out) >= argv.MaxTries || u.Fed && k == len(u.Calls)-1 {
			continue
		}
		out = append(out, argv.Variants(words)...)
	}
	return slices.DeleteFunc(out, func(words []argv.Arg) bool { return len(words) == 0 })
}
