package model

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// Shape names what the unit has in common with others like it: its program, and
// for a program with subcommands the subcommand, without options and operands:
// "git push", "npm run build", "python -m pytest", "ls". It is "" where the
// program's name is not literal or there is none.
func (u *Unit) Shape() string {
	if u.Program == "" || len(u.Words) == 0 {
		return u.Program
	}
	if module, ok := u.module(); ok {
		return u.Program + " -m " + module
	}
	p := u.Known.Lookup(u.Program)
	if p == nil || p.Depth < 1 {
		return u.Program
	}
	shape := u.Program
	for i := argv.SkipGlobal(u.Known, u.Program, u.Words, 1); i < len(u.Words); i++ {
		word := u.Words[i]
		if !word.Literal || !isName(word.Text) {
			break
		}
		shape += " " + word.Text
		if strings.Count(shape, " ") > 1 || p.Depth < 2 && !slices.Contains(p.Deeper, word.Text) {
			break
		}
	}
	return shape
}

// Looks reports that the catalogue holds the program for one that only looks.
func (u *Unit) Looks() bool {
	p := u.Known.Lookup(u.Program)
	return p != nil && p.Class == catalog.ClassLooks
}

// module returns the module that Python runs.
func (u *Unit) module() (name string, ok bool) {
	if !strings.HasPrefix(u.Program, "python") && u.Program != "py" || len(u.Words) < 3 {
		return "", false
	}
	flag, module := u.Words[1], u.Words[2]
	return module.Text, flag.Text == "-m" && module.Literal && isName(module.Text)
}

// isName reports that a word is one of those that programs give to what they do.
func isName(word string) bool {
	return word != "" && word[0] != '-' && strings.IndexFunc(word, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == ':' || r == '.')
	}) < 0
}
