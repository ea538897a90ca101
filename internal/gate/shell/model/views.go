package model

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/pwsh"
)

// Spellings returns the spellings of the unit that deny rules look at. body is the
// length of its text without the bodies of here-documents; with aliases a command
// of PowerShell is spelled under all its names.
func (u *Unit) Spellings(body int, aliases bool) []string {
	text := u.Text[:body]
	views := append(make([]string, 0, 3), text)
	if bare := strings.TrimSuffix(u.Bare, u.Text[body:]); bare != text {
		views = append(views, bare)
	}
	if len(u.Words) > 0 {
		views = wordViews(u.Known, views, u.Program, u.Words)
		if words := argv.Emptied(u.Known, u.Program, u.Words); words != nil {
			views = wordViews(u.Known, views, u.Program, words)
		}
	}
	if aliases {
		views = u.appendAliases(views)
	}
	return views
}

// wordViews appends the spellings of one reading of the words.
func wordViews(known *catalog.Catalog, views []string, program string, words []argv.Arg) []string {
	views = addView(views, words[0].Text, words[1:])
	if program != "" {
		if program != words[0].Text {
			views = addView(views, program, words[1:])
		}
		if k := argv.SkipGlobal(known, program, words, 1); k > 1 {
			views = addView(views, program, words[k:])
		}
	}
	return views
}

// addView appends the words as a view, unless it is among those from first on.
func addView(views []string, program string, args []argv.Arg) []string {
	for _, known := range views {
		if joinsTo(known, program, args) {
			return views
		}
	}
	return append(views, argv.JoinWords(program, args))
}

// joinsTo reports whether joinWords would return view.
func joinsTo(view, program string, args []argv.Arg) bool {
	if !strings.HasPrefix(view, program) {
		return false
	}
	view = view[len(program):]
	for i := range args {
		text := args[i].Text
		if len(view) <= len(text) || view[0] != ' ' || view[1:1+len(text)] != text {
			return false
		}
		view = view[1+len(text):]
	}
	return view == ""
}

// Names are the names under which a deny rule may mean the unit's program, in
// lower case: Program, and the aliases of a command of PowerShell.
func (u *Unit) Names() []string {
	names := []string{u.Program}
	if u.PowerShell {
		for _, name := range pwsh.Names()[u.Program] {
			if name = strings.ToLower(name); name != u.Program {
				names = append(names, name)
			}
		}
	}
	return names
}

// appendAliases appends the spellings under all names of a PowerShell command.
func (u *Unit) appendAliases(views []string) []string {
	if u.Program == "" {
		return views
	}
	for _, name := range pwsh.Names()[u.Program] {
		if !strings.EqualFold(name, u.Words[0].Text) {
			views = append(views, argv.JoinWords(name, u.Words[1:]))
		}
	}
	return views
}
