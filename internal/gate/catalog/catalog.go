// Package catalog holds what is known about programs: their options and
// subcommands, what they run, what an allow rule must name to cover it, where
// they take secrets, and how risky they are. All of it is data, one TOML file a
// family, whose syntax docs/programs.md describes. Reading it has no effect.
package catalog

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

//go:embed data/*.toml
var data embed.FS

// Catalog is a set of programs. It may be used by several goroutines.
type Catalog struct {
	programs map[string]*source // by every name
	modules  map[string]*source // of python

	variables func() (variables, error)
	derived   sync.Map // see Derived
}

// source is a program before it is first asked for.
type source struct {
	names    []string
	skip     int // words of the headings that name the program
	file     *File
	from, to int     // of its headings in the file
	below    *source // what the catalogue below says of the same program; nil when it says nothing
	decoded  bool    // the names do not come from a search through the text
	sections func() ([]*section, error)
	program  func() (*Program, error)
}

// Default is the catalogue of this binary.
var Default = sync.OnceValue(func() *Catalog {
	c, err := read(Embedded())
	if err != nil {
		panic("catalog: " + err.Error()) // the tests read every file
	}
	return c
})

// Embedded are the files of this binary.
func Embedded() (files []File) {
	list, _ := data.ReadDir("data")
	for _, entry := range list {
		text, _ := data.ReadFile("data/" + entry.Name())
		files = append(files, File{Name: strings.TrimSuffix(entry.Name(), ".toml"), Text: string(text)})
	}
	return files
}

// New returns the catalogue that the files make. Its error names the file, the
// line and the program.
func New(files []File) (*Catalog, error) {
	c, err := read(files)
	if err != nil {
		return nil, err
	}
	for _, s := range c.sources() {
		if _, err := s.program(); err != nil {
			return nil, err
		}
	}
	if _, err := c.variables(); err != nil {
		return nil, err
	}
	return c, nil
}

// read finds the programs of the files by their headings. What stands below them
// is looked at when a program is first asked for.
func read(files []File) (*Catalog, error) {
	c := &Catalog{programs: map[string]*source{}, modules: map[string]*source{}}
	for i := range files {
		if err := c.index(&files[i]); err != nil {
			return nil, err
		}
	}
	c.variables = sync.OnceValues(func() (variables, error) { return readVariables(files) })
	return c, nil
}

// index adds the programs of a file.
func (c *Catalog) index(f *File) error {
	var now *source
	first := nextHeading(f.Text, 0)
	for text := range strings.Lines(f.Text[:first]) {
		if text = strings.TrimSpace(text); text != "" && text[0] != '#' {
			return &Error{Place: Place{File: f.Name}, Text: fmt.Sprintf("%q stands before the first heading", text)}
		}
	}
	for from := first; from < len(f.Text); {
		to := nextHeading(f.Text, from+1)
		if isVariables(f.Text[from:to]) {
			from = to // the program of a table of variables needs no other heading
			continue
		}
		where, name, skip := c.programs, headingWords(f.Text[from:to]), 1
		if len(name) == 0 {
			return f.wrong(from, "a heading without words")
		}
		if len(name) > 2 && name[1] == "-m" {
			where, name, skip = c.modules, name[2:], 3
		}
		names := strings.Split(name[0], "|")
		if known := where[names[0]]; known != nil && known == now && known.names[0] == names[0] {
			now.to = to
		} else {
			now = &source{names: append(names, otherNames(f.Text[from:to])...), skip: skip, file: f, from: from, to: to}
			if err := c.add(now, where); err != nil {
				return err
			}
		}
		from = to
	}
	return nil
}

func (c *Catalog) add(s *source, where map[string]*source) error {
	for _, n := range s.names {
		if other := where[n]; other != nil && other != s.below {
			return s.wrong("%s is told already, at %s", n, other.place())
		}
		where[n] = s
	}
	if s.sections == nil {
		s.sections = sync.OnceValues(func() ([]*section, error) { return decode(s.file, s.from, s.to) })
	}
	s.program = sync.OnceValues(func() (*Program, error) { return c.build(s) })
	return nil
}

// wrong is an error about the program.
func (s *source) wrong(format string, args ...any) *Error {
	err := s.file.wrong(s.from, format, args...)
	err.Command = s.names[0]
	return err
}

func (s *source) place() Place { return s.file.place(s.from) }

// nextHeading is the offset of the first line at or after from that begins with a
// bracket, or the end.
func nextHeading(text string, from int) int {
	if from == 0 && strings.HasPrefix(text, "[") {
		return 0
	}
	at := strings.Index(text[max(from-1, 0):], "\n[")
	if at < 0 {
		return len(text)
	}
	return max(from-1, 0) + at + 1
}

// headingWords are the words of the heading that text begins with.
func headingWords(text string) []string {
	text, _, _ = strings.Cut(text[1:], "\n")
	if quoted, ok := strings.CutPrefix(text, `"`); ok {
		text, _, _ = strings.Cut(quoted, `"`)
		return strings.Fields(text)
	}
	return strings.Fields(text[:max(strings.IndexAny(text, ".]"), 0)])
}

// otherNames are the words of the field names of the section that text is.
func otherNames(text string) (names []string) {
	_, text, ok := strings.Cut(text, "\nnames = ")
	if !ok {
		return nil
	}
	if strings.HasPrefix(text, "[") {
		text, _, _ = strings.Cut(text, "]")
	} else {
		text, _, _ = strings.Cut(text, "\n")
	}
	for k, piece := range strings.Split(text, `"`) {
		if k%2 == 1 {
			names = append(names, strings.Fields(piece)...)
		}
	}
	return names
}

// sources lists what is known, each program once, by name.
func (c *Catalog) sources() (list []*source) {
	for _, where := range []map[string]*source{c.programs, c.modules} {
		for _, name := range slices.Sorted(maps.Keys(where)) {
			if s := where[name]; s.names[0] == name {
				list = append(list, s)
			}
		}
	}
	return list
}

// Exact returns what is known of a program, by its base name in lower case; nil
// when nothing is.
func (c *Catalog) Exact(name string) *Program { return built(c.programs[name]) }

// Lookup is Exact, and reads a name that is not known without the version at its
// end: "python3.12", "gcc-13".
func (c *Catalog) Lookup(name string) *Program { return built(c.source(name)) }

func (c *Catalog) source(name string) *source {
	if s := c.programs[name]; s != nil {
		return s
	}
	return c.programs[strings.TrimRight(name, "0123456789.-")]
}

// Module returns what is known of a module that python runs by -m, by its name
// in lower case; nil when nothing is.
func (c *Catalog) Module(name string) *Program { return built(c.modules[name]) }

// Programs returns every program, by name; modules are not among them.
func (c *Catalog) Programs() (list []*Program) {
	for _, s := range c.sources() {
		if s.skip == 1 {
			list = append(list, built(s))
		}
	}
	return list
}

// Derived returns what was made for the key when it was first asked for. It is
// where readers keep what they make of the catalogue's programs, so that one
// catalogue is never read by tables made of another. The key is of a type of the
// caller's own.
func (c *Catalog) Derived(key any, make func() any) any {
	if made, ok := c.derived.Load(key); ok {
		return made
	}
	made, _ := c.derived.LoadOrStore(key, make())
	return made
}

func built(s *source) *Program {
	if s == nil {
		return nil
	}
	p, err := s.program()
	if err != nil {
		panic("catalog: " + err.Error()) // New, or a test, has read it before
	}
	return p
}

// Lookup returns what this binary knows of a program; see Catalog.Lookup.
func Lookup(name string) *Program { return Default().Lookup(name) }

// Exact returns what this binary knows of a program by this name.
func Exact(name string) *Program { return Default().Exact(name) }
