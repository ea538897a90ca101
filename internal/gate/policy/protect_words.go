package policy

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/paths"
	"github.com/pigate/pigate/internal/gate/shell"
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

// protectedWord returns the first argument of a command that names a file the
// gate keeps for itself, when the command does more than read. A name counts
// however it is reached; of a program that moves or removes, the folder that
// holds such files counts too.
func (e *evaluation) protectedWord(u *shell.Unit) (word shell.Arg, found bool) {
	program := strings.ToLower(u.Program)
	words := u.Words
	if len(words) < 2 || readers[program] {
		return word, false
	}
	if program == "git" && gitReaders[subcommand(words[1:])] {
		return word, false
	}
	at := e.call.Request.place()
	cwd, known := e.call.folder(u.Start)
	if known {
		at.Cwd = cwd
	}
	for _, w := range words[1:] {
		if e.protectedText(w.Text, at, movers[program]) {
			return w, true
		}
	}
	return word, false
}

// subcommand is the subcommand of git: the first word that is neither a global
// option nor the value of one.
func subcommand(words []shell.Arg) string {
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

// movers are the programs for which a folder counts as all that is in it.
var movers = map[string]bool{"mv": true, "rm": true, "rmdir": true, "rename": true, "trash": true, "shred": true, "move-item": true, "remove-item": true}

// protectedText reports whether a word, or what stands behind a "=" in it,
// names a protected file.
func (e *evaluation) protectedText(text string, at paths.Place, moves bool) bool {
	for {
		if text != "" && !strings.ContainsRune(text, 0) {
			if abs, ok := paths.ShellTarget(text, at); ok && (e.protected(abs) || moves && e.holdsProtected(abs)) {
				return true
			}
		}
		_, rest, more := strings.Cut(text, "=")
		if !more {
			return false
		}
		text = rest
	}
}

// holdsProtected reports that a folder is the project's .pi or Pi's own.
func (e *evaluation) holdsProtected(abs string) bool {
	at := e.call.Request.place()
	for _, dir := range []string{e.call.Request.ProjectRoot() + "/.pi", paths.Slash(e.call.Request.Installation.AgentDir, at)} {
		if rel, inside := paths.Inside(abs, dir, at.FoldCase()); inside && rel == "." {
			return true
		}
	}
	return false
}
