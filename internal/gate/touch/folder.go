package touch

import (
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/paths"
	"github.com/pigate/pigate/internal/gate/shell"
)

// Line is the units of a command line with the folders where they may work.
type Line struct {
	analysis *shell.Analysis
	command  string
	place    paths.Place
	moves    []move
	repeats  bool
}

// move is a command that changes the working directory.
type move struct {
	unit int
	dir  func(from Path) []Path
}

// maxFolders bounds the folders that are told apart; more are one that is not
// known.
const maxFolders = 8

// NewLine prepares what was found in a command line that runs at a place.
func NewLine(a *shell.Analysis, command string, at paths.Place) *Line {
	l := &Line{analysis: a, command: command, place: at}
	for i := range a.Units {
		u := &a.Units[i]
		if changesFolder[u.Program] {
			l.moves = append(l.moves, move{unit: i, dir: l.mover(u)})
		}
	}
	if len(l.moves) > 0 {
		l.repeats = repeats(command)
	}
	return l
}

var changesFolder = map[string]bool{"cd": true, "pushd": true, "popd": true, "chdir": true,
	"set-location": true, "push-location": true, "pop-location": true, "sl": true}

// repeats reports that a piece of the line may run after what stands behind it.
func repeats(command string) bool {
	return slices.ContainsFunc([]string{"for", "while", "until", "select", "function", "()", "trap", "eval", "source"},
		func(sign string) bool { return strings.Contains(command, sign) })
}

// mover returns what a command that changes the folder makes of the folder
// before it.
func (l *Line) mover(u *shell.Unit) func(Path) []Path {
	return func(from Path) (out []Path) {
		where := place{Place: l.place, wide: u.Wide, backslash: u.PowerShell || l.place.Windows()}
		for _, words := range u.Readings() {
			var target *argv.Arg
			for k := 1; k < len(words); k++ {
				t := words[k].Text
				if len(t) > 1 && t[0] == '-' && t != "--" || t == "--" {
					continue
				}
				target = &words[k]
				break
			}
			switch {
			case u.Program == "popd" || u.Program == "pop-location" || target != nil && target.Text == "-":
				out = append(out, Path{})
			case target == nil && u.Program == "cd":
				out = append(out, where.home("~", from))
			case target == nil:
				out = append(out, from)
			default:
				out = append(out, at(target.Pieces(), from, where))
			}
		}
		return out
	}
}

// folders are where a command may work: in one of main, and if a cd fails, or
// stands in a subshell that has ended, in one of others.
type folders struct{ main, others []Path }

// Folders are the folders where unit i may work, as far as the line tells: a cd
// counts for what stands behind it, and may fail where what follows does not
// depend on it. In the others it works if a cd did not count.
func (l *Line) folders(i int) folders {
	f := l.foldersAt(i, l.analysis.Units[i].Start)
	return folders{l.within(f.main, i), l.within(f.others, i)}
}

func (l *Line) foldersAt(i, offset int) folders {
	f := folders{main: []Path{Plain(paths.Slash(l.place.Cwd, l.place))}}
	if l.place.Cwd == "" {
		f.main = []Path{{}}
	}
	for _, m := range l.moves {
		u := &l.analysis.Units[m.unit]
		before := u.Start < offset || u.Start == offset && m.unit < i
		if m.unit == i || !before && !l.repeats {
			continue
		}
		moved, also := m.each(f.main), m.each(f.others)
		switch {
		case before && l.certain(u, offset):
			f = folders{moved, also}
		case before && !l.ended(u, offset):
			f = folders{moved, slices.Concat(f.others, f.main, also)}
		default:
			f.others = slices.Concat(f.others, moved, also)
		}
		f.main, f.others = bounded(f.main), bounded(f.others)
	}
	return f
}

// each lists the folders to which the command moves from one of these.
func (m move) each(from []Path) (to []Path) {
	for _, p := range from {
		to = append(to, m.dir(p)...)
	}
	return to
}

// bounded keeps the first folders, and one that is not known for the others.
func bounded(list []Path) []Path {
	if len(list) > maxFolders {
		list = append(list[:maxFolders-1:maxFolders-1], Path{})
	}
	return list
}

// ended reports that the subshell in which a cd stands ends before the offset.
func (l *Line) ended(u *shell.Unit, offset int) bool {
	if offset < u.End || offset > len(l.command) {
		return false
	}
	open := 0
	for _, c := range l.command[u.End:offset] {
		switch c {
		case '(':
			open++
		case ')':
			open--
		case '\'', '"', '\\', '`': // it may be text
			return false
		}
		if open < 0 {
			return true
		}
	}
	return false
}

// certain reports that what stands at the offset runs only when the cd of unit u
// has succeeded, in the same shell: they are joined by && (and |) alone.
func (l *Line) certain(u *shell.Unit, offset int) bool {
	if l.repeats || u.Via != "" || offset < u.End || u.Program == "popd" || strings.ContainsAny(l.command[:u.Start], "|({") {
		return false
	}
	between := strings.TrimLeft(l.command[u.End:offset], " \t")
	if !strings.HasPrefix(between, "&&") || strings.ContainsAny(between, ";\n()") || strings.Contains(between, "||") {
		return false
	}
	between = strings.NewReplacer("&&", "", ">&", "", "&>", "", "<&", "").Replace(between)
	return !strings.Contains(between, "&")
}

// within moves to the folders that wrappers around unit i name: env -C, sudo -D.
func (l *Line) within(folders []Path, i int) []Path {
	if i < 0 || i >= len(l.analysis.Units) {
		return folders
	}
	parent := l.analysis.Units[i].Parent
	if parent < 0 || parent >= i {
		return folders
	}
	folders = l.within(folders, parent)
	u := &l.analysis.Units[parent]
	p := u.Known.Lookup(u.Program)
	if p == nil || !hasFolder(&p.Command) {
		return folders
	}
	var out []Path
	for _, words := range u.Readings() {
		r := read(p, words[1:])
		for _, folder := range folders {
			for _, v := range r.values {
				if v.option.Role == catalog.RoleFolder {
					folder = at(v.pieces, folder, place{Place: l.place, backslash: l.place.Windows()})
				}
			}
			out = append(out, folder)
		}
	}
	if len(out) == 0 || len(out) > maxFolders {
		return folders
	}
	return out
}

func hasFolder(c *catalog.Command) bool {
	return slices.ContainsFunc(c.Visible(), func(o *catalog.Option) bool { return o.Role == catalog.RoleFolder })
}

// Input lists what a redirection reads: the path that it names in each of the
// folders. Names of the redirection are further ones that it may be.
func (l *Line) Input(r *shell.Redirection) (list []Touch) {
	where := place{Place: l.place, backslash: l.place.Windows()}
	texts := r.Names
	if r.Literal || len(texts) == 0 {
		texts = []string{r.Target}
	}
	word := argv.Arg{Text: r.Target, Start: r.Start, End: r.End}
	f := l.foldersAt(len(l.analysis.Units), r.Start)
	for k, folder := range slices.Concat(f.main, f.others) {
		for _, text := range texts {
			list = append(list, Touch{Action: Read, Path: at(pieces(text), folder, where), Maybe: k >= len(f.main), Word: word})
		}
	}
	return list
}

// Words lists the paths that the words of unit i name, whatever they are to its
// program, with what stands behind an equals sign in them.
func (l *Line) Words(i int) (list []Touch) {
	u := &l.analysis.Units[i]
	where := place{Place: l.place, wide: u.Wide, backslash: u.PowerShell || l.place.Windows()}
	f := l.folders(i)
	for _, words := range u.Readings() {
		for _, w := range words[1:] {
			for p := w.Pieces(); p != nil; p = behindEquals(p) {
				for _, folder := range slices.Concat(f.main, f.others) {
					list = append(list, Touch{Path: at(p, folder, where), Word: w})
				}
			}
		}
	}
	return list
}

// behindEquals is what stands behind the first equals sign, nil without one.
func behindEquals(word argv.Text) argv.Text {
	for k, p := range word {
		if _, rest, ok := strings.Cut(p.Text, "="); ok {
			return append(argv.Text{{Kind: p.Kind, Text: rest}}, word[k+1:]...)
		}
	}
	return nil
}

// pieces reads a text in which 0x00 stands for what is not known.
func pieces(text string) (list argv.Text) {
	for k, part := range strings.Split(text, argv.Hole) {
		if k > 0 {
			list = append(list, argv.Chunk{Kind: argv.Unknown})
		}
		if part != "" {
			list = append(list, argv.Chunk{Text: part})
		}
	}
	if strings.HasPrefix(text, "~") {
		user, rest, _ := strings.Cut(list[0].Text, "/")
		head := argv.Text{{Kind: argv.Home, Text: user}}
		if rest != "" {
			head = append(head, argv.Chunk{Text: "/" + rest})
		}
		list = append(head, list[1:]...)
	}
	return list
}
