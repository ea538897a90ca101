package policy

import (
	"github.com/pigate/pigate/internal/gate/shell"
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/touch"
)

// protectedWord returns the word of unit i by which it may change a file that the
// gate keeps for itself: one that names what the unit writes or deletes, or, of a
// program that may do more than read, any that names such a file.
func (e *evaluation) protectedWord(i int) (word argv.Arg, found bool) {
	u := &e.call.Analysis.Units[i]
	for _, t := range e.touched(i, false) {
		if t.Action.Writes() && e.protects(t.Path, t.Reach, false) {
			return t.Word, true
		}
	}
	words := u.Words
	if len(words) < 2 || leavesFiles(u) {
		return word, false
	}
	for _, t := range e.line().Words(i) {
		// Of a word with something unknown in it too little is told.
		if !t.Path.Unknown() && e.protects(t.Path, touch.Itself, true) {
			return t.Word, true
		}
	}
	return word, false
}

// leavesFiles reports a command that leaves the files which its words name as they
// are, so that looking at a protected file asks nothing.
func leavesFiles(u *shell.Unit) bool {
	p := u.Known.Lookup(u.Program)
	if p == nil {
		return false
	}
	sub := u.Words[min(argv.SkipGlobal(u.Known, u.Program, u.Words, 1), len(u.Words)-1)].Text
	return p.LeavesFiles.Covers(sub)
}
