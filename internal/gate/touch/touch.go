package touch

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell"
)

// Action is what a command does to a file.
type Action uint8

// The actions.
const (
	Read Action = iota
	Write
	Delete
	Execute
)

// Writes reports that the file is changed or gone afterwards.
func (a Action) Writes() bool { return a == Write || a == Delete }

// Reach is how much an action takes in.
type Reach uint8

// The reaches.
const (
	Itself  Reach = iota // the file
	Listing              // the names in a folder
	Tree                 // the file, or the folder with all in it
	Below                // the folder is walked: all in it, most likely
)

// Touch is one path that a command touches.
type Touch struct {
	Action Action
	Path   Path
	Reach  Reach
	// Maybe reports that the words do not tell whether this path is touched, or
	// another one that is listed too: a name in a folder, if the last operand of
	// cp is one.
	Maybe bool
	// Word is the word of the command that says so, with its place in the line.
	Word argv.Arg
}

// maxTouches bounds the paths of one unit; what is beyond is not listed.
const maxTouches = 1000

// Needs reports whether the words of unit i may name files that it reads, or that
// it writes or deletes, at little cost.
func (l *Line) Needs(i int) (reads, writes bool) {
	u := &l.analysis.Units[i]
	for _, name := range u.Names() {
		if p := u.Known.Lookup(name); p != nil && (p.Reads || p.Writes) {
			c := subcommand(p, u.Words)
			reads, writes = reads || c.Reads, writes || c.Writes
		}
	}
	return reads, writes
}

// nothing is a command that touches no file.
var nothing = &catalog.Command{}

// subcommand is the subcommand that the first word plainly names, or the program.
func subcommand(p *catalog.Program, words []argv.Arg) *catalog.Command {
	if len(words) < 2 || p.Depth < 1 || len(p.Operands) > 0 || len(p.SubOptions) > 0 || p.Inherit || !words[1].Sure() || strings.HasPrefix(words[1].Text, "-") {
		return &p.Command
	}
	if sub := p.Named(words[1].Text); sub != nil {
		return sub
	}
	return nothing // of a subcommand that is not told nothing is known
}

// Unit lists what unit i touches, by its words.
func (l *Line) Unit(i int) []Touch {
	var out []Touch
	u, at := &l.analysis.Units[i], l.place
	programs, where := l.programs(u), l.folders(i)
	for _, words := range u.Readings() {
		for _, p := range programs {
			r := read(p, words[1:])
			for k, folder := range slices.Concat(where.main, where.others) {
				before := len(out)
				f := finder{reading: r, place: place{Place: at, wide: u.Wide, backslash: u.PowerShell || at.Windows()}, folder: folder, out: out}
				f.find()
				out = f.out
				for n := before; n < len(out) && k >= len(where.main); n++ {
					out[n].Maybe = true
				}
			}
			if len(out) > maxTouches {
				return out[:maxTouches]
			}
		}
	}
	return out
}

// programs are what is known of a unit under its names: of an alias of PowerShell
// the command, and, but on Windows, the program of that name.
func (l *Line) programs(u *shell.Unit) (list []*catalog.Program) {
	for _, name := range u.Names() {
		if p := u.Known.Lookup(name); p != nil && (!u.PowerShell || p.Style == catalog.StyleCmdlet || name == u.Program && !l.place.Windows()) && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	if list == nil {
		if p := u.Known.Lookup(u.Program); p != nil {
			list = append(list, p)
		}
	}
	return list
}
