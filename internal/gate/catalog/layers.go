package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Layers are what is known of programs at one place: by this binary, by the
// person's own files, and by those of the project. They do not change and may be
// used by several goroutines.
type Layers struct {
	steps []*Catalog
	own   *Catalog
	files [2][]File

	digest string
}

// NewLayers puts the person's files and the project's on top of the embedded
// ones; without any the layers are nil, which stands for the embedded ones alone. A file that is wrong counts for nothing; what is wrong with it is among
// the problems, each of which names its file.
//
// The person's files add programs and tighten known ones. A project's files only
// tighten, whatever they say: a command is judged by each of Steps, and the
// strictest verdict counts. They may not say where a program takes secrets that
// is known without them, since that would keep text out of the journal.
func NewLayers(user, project []File) (l *Layers, problems []*Error) {
	if len(user)+len(project) == 0 {
		return nil, nil
	}
	l = &Layers{steps: []*Catalog{Default()}}
	read := l.layer(user, func(groups []group) error {
		known := func(g *group) bool { return Default().below(g) != nil }
		base, err := Default().over(groups, func(g *group) bool { return !known(g) })
		if err != nil {
			return err
		}
		l.steps = []*Catalog{base}
		if slices.ContainsFunc(groups, func(g group) bool { return known(&g) }) {
			tight, err := base.over(groups, known)
			if err != nil {
				return err
			}
			l.steps = append(l.steps, tight)
		}
		return nil
	}, &problems)
	l.files[0], l.own = read, l.steps[len(l.steps)-1]
	if len(project) > 0 {
		l.files[1] = l.layer(project, func(groups []group) error {
			full, err := l.own.over(groups, func(*group) bool { return true })
			if err != nil {
				return err
			}
			for _, g := range groups {
				if err := l.own.hides(full, &g); err != nil {
					return err
				}
			}
			l.steps = append(l.steps, full)
			return nil
		}, &problems)
	}
	l.digest = l.sum()
	return l, problems
}

// layer hands the files to put, without those that are wrong, and returns the
// ones that count.
func (l *Layers) layer(files []File, put func([]group) error, problems *[]*Error) (good []File) {
	groups := map[string][]group{}
	for _, f := range files {
		list, err := groupsOf(&f)
		if err != nil {
			*problems = append(*problems, problem(err, f.Name))
			continue
		}
		good, groups[f.Name] = append(good, f), list
	}
	for len(good) > 0 {
		var all []group
		for _, f := range good {
			all = append(all, groups[f.Name]...)
		}
		err := put(all)
		if err == nil {
			break
		}
		p := problem(err, good[0].Name)
		*problems = append(*problems, p)
		before := len(good)
		if good = slices.DeleteFunc(good, func(f File) bool { return f.Name == p.File }); len(good) == before {
			return nil // it names none of them
		}
	}
	return good
}

// problem is an error about one of the files; file is taken for one that says
// none.
func problem(err error, file string) *Error {
	var p *Error
	if errors.As(err, &p) {
		return p
	}
	return &Error{Place: Place{File: file}, Text: err.Error()}
}

// Steps are the catalogues that a command is judged by; the strictest verdict
// counts. There is at least one.
func (l *Layers) Steps() []*Catalog {
	if l == nil {
		return []*Catalog{Default()}
	}
	return l.steps
}

// Own is what is known without the project's files.
func (l *Layers) Own() *Catalog {
	if l == nil {
		return Default()
	}
	return l.own
}

// Full is all that is known, the project's files included.
func (l *Layers) Full() *Catalog { return l.Steps()[len(l.Steps())-1] }

// Files are the person's files and the project's that count.
func (l *Layers) Files() (user, project []File) {
	if l == nil {
		return nil, nil
	}
	return l.files[0], l.files[1]
}

// Digest is the SHA-256, in hex, of the files that count, by their base names and
// texts; "" when there is none.
func (l *Layers) Digest() string {
	if l == nil {
		return ""
	}
	return l.digest
}

func (l *Layers) sum() string {
	user, project := l.Files()
	if len(user)+len(project) == 0 {
		return ""
	}
	sum := sha256.New()
	for _, list := range [][]File{user, project} {
		fmt.Fprintf(sum, "%d\n", len(list))
		for _, f := range list {
			fmt.Fprintf(sum, "%q %q\n", f.Name[strings.LastIndexAny(f.Name, `/\`)+1:], f.Text)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// group is what one file says of one program, or the variables that it tells.
type group struct {
	file     *File
	names    []string
	skip     int // words of the headings that name the program
	sections []*section
}

// groupsOf takes a file apart.
func groupsOf(f *File) (list []group, err error) {
	if strings.Count(f.Text, "[")+strings.Count(f.Text, "{") > maxBrackets {
		return nil, &Error{Place: Place{File: f.Name}, Text: "it has too many brackets"}
	}
	sections, err := decode(f, 0, len(f.Text))
	if err != nil {
		return nil, err
	}
	at := map[string]int{}
	for _, s := range sections {
		names, skip := strings.Split(s.words[0], "|"), 1
		if len(s.words) > 2 && s.words[1] == "-m" {
			names, skip = strings.Split(s.words[2], "|"), 3
		}
		if s.table == "variables" {
			skip = 0
		}
		id := fmt.Sprint(skip, names[0])
		if _, known := at[id]; !known {
			at[id] = len(list)
			list = append(list, group{file: f, skip: skip})
		}
		g := &list[at[id]]
		g.sections = append(g.sections, s)
		if err := g.named(s, names); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// maxBrackets bounds how deep values can nest.
const maxBrackets = 10000

// named adds the names that a heading, and the field below it, give the program.
func (g *group) named(s *section, names []string) error {
	if g.skip == 0 {
		return nil
	}
	if len(s.words) == g.skip && s.table == "" {
		for _, e := range s.entries {
			if e.key == "names" {
				more, _ := e.value.words() // the builder refuses another kind
				names = append(names, more...)
			}
		}
	}
	for _, name := range names {
		switch {
		case strings.ContainsAny(name, `/\*,"'`):
			return s.wrong("a program is told by the last part of its path, without signs: %q", name)
		case name != strings.ToLower(name):
			return s.wrong("write the name of a program in small letters, by which it is known however it is written: %q", strings.ToLower(name))
		case strings.HasSuffix(name, ".exe"):
			return s.wrong("write the name of a program without .exe")
		}
		if !slices.Contains(g.names, name) {
			g.names = append(g.names, name)
		}
	}
	return nil
}

// below returns what the catalogue knows of a group's program; nil when it is
// nothing.
func (c *Catalog) below(g *group) *source {
	switch g.skip {
	case 0:
		return nil
	case 3:
		return c.modules[g.names[0]]
	}
	return c.source(g.names[0])
}

// over returns the catalogue with those groups on top of it that take chooses.
// Tables of variables are always among them.
func (c *Catalog) over(groups []group, take func(*group) bool) (*Catalog, error) {
	next := &Catalog{programs: map[string]*source{}, modules: map[string]*source{}}
	var fresh []*source
	replaced := map[*source]bool{}
	var tables []*section
	for i := range groups {
		g := &groups[i]
		if g.skip == 0 {
			tables = append(tables, g.sections...)
			continue
		}
		below := c.below(g)
		if !take(g) {
			continue
		}
		names := g.names
		if below != nil && slices.Contains(below.names, names[0]) { // not the same without its version
			names = slices.Clone(below.names)
			for _, name := range g.names {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
			replaced[below] = true
		}
		fresh = append(fresh, &source{names: names, skip: g.skip, file: g.file, from: g.sections[0].at, below: below, decoded: true,
			sections: func() ([]*section, error) { return g.sections, nil }})
	}
	for _, s := range c.sources() {
		if !replaced[s] {
			next.keep(s)
		}
	}
	for _, s := range fresh {
		where := next.programs
		if s.skip > 1 {
			where = next.modules
		}
		if err := next.add(s, where); err != nil {
			return nil, err
		}
	}
	for _, s := range fresh {
		if _, err := s.program(); err != nil {
			return nil, s.blamed(err, groups)
		}
	}
	return next, next.addVariables(c, tables)
}

// blamed is the error as one of a file of the groups: what the program is like may
// stand in another.
func (s *source) blamed(err error, groups []group) error {
	p := problem(err, s.file.Name)
	if slices.ContainsFunc(groups, func(g group) bool { return g.file.Name == p.File }) {
		return p
	}
	return s.wrong("it does not fit what is known already: %s", p)
}

// keep takes a program over from the catalogue below. It is made anew, since what
// it is like may be told more of here; when that does not fit, it stays as it was.
func (c *Catalog) keep(s *source) {
	same := *s
	where := c.programs
	if s.skip > 1 {
		where = c.modules
	}
	if err := c.add(&same, where); err != nil {
		panic("catalog: " + err.Error()) // the names were apart below, and nothing else is here yet
	}
	build := same.program
	same.program = func() (*Program, error) {
		if p, err := build(); err == nil {
			return p, nil
		}
		return s.program()
	}
}

// hides is an error when a group says more of where a program takes secrets that
// this catalogue knows without it, or where such a secret stands by its position.
func (c *Catalog) hides(full *Catalog, g *group) error {
	if g.skip == 0 {
		return nil
	}
	known := map[Place]bool{}
	if below := c.below(g); below != nil {
		p, err := below.program()
		if err != nil {
			return err
		}
		for _, x := range p.Secrets {
			known[x.Place()] = true
		}
	}
	p, err := full.below(g).program()
	if err != nil {
		return err
	}
	for _, x := range p.Secrets {
		own := x.file == g.file
		if known[x.Place()] || c.below(g) == nil && !(own && len(x.Words) > 0) {
			continue
		}
		at := g.sections[0].at
		if own {
			at = x.at
		}
		err := g.file.wrong(at, "a project's file cannot keep what a known program is given, or an argument by its position, out of the journal: "+
			"tell it in a file of your own, below pigate/programs in Pi's folder")
		err.Command = g.names[0]
		return err
	}
	return nil
}

// Names lists every name that a program is known by.
func (c *Catalog) Names() []string { return slices.Sorted(maps.Keys(c.programs)) }
