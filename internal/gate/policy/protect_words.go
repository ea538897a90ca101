package policy

import (
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"strings"

	"github.com/pigate/pigate/internal/gate/touch"
)

// readers are programs that only read what their arguments name, so that
// looking at a protected file asks nothing.
var readers = map[string]bool{
	"cat": true, "bat": true, "less": true, "more": true, "head": true, "tail": true, "grep": true, "egrep": true, "fgrep": true,
	"rg": true, "ag": true, "ls": true, "tree": true, "find": true, "fd": true, "wc": true, "stat": true, "file": true, "diff": true,
	"cmp": true, "jq": true, "echo": true, "printf": true, "test": true, "[": true, "[[": true, "cd": true, "pushd": true,
	"realpath": true, "readlink": true, "basename": true, "dirname": true, "du": true, "sha256sum": true, "md5sum": true, "sort": true,
	"cut": true, "nl": true, "od": true, "xxd": true, "pigate": true, "get-content": true, "get-childitem": true, "test-path": true,
}

// gitReaders are the subcommands of git that leave the files of the project as
// they are.
var gitReaders = map[string]bool{
	"diff": true, "log": true, "show": true, "status": true, "blame": true, "grep": true, "add": true, "commit": true, "ls-files": true,
	"check-ignore": true, "rev-parse": true, "push": true, "fetch": true,
}

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
	if len(words) < 2 || readers[u.Program] || u.Program == "git" && gitReaders[subcommand(words[1:])] {
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

// subcommand is the subcommand of git: the first word that is neither a global
// option nor the value of one.
func subcommand(words []argv.Arg) string {
	for i := 0; i < len(words); i++ {
		switch text := words[i].Text; {
		case text == "-c" || text == "-C" || text == "--git-dir" || text == "--work-tree" || text == "--namespace" || text == "--config-env":
			i++
		case !strings.HasPrefix(text, "-"):
			return text
		}
	}
	return ""
}
