// Package catalog holds what is known about programs: their options and
// subcommands, what they run, what an allow rule must name to cover it, where
// they take secrets, and how risky they are. All of it is data, one TOML file a
// family, whose syntax docs/programs.md describes. Reading it has no effect.
package catalog

import (
	"embed"
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
}

// source is a program before it is first asked for.
type source struct {
	names    []string
	skip     int // words of the headings that name the program
	sections []*section
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
	return c, nil
}

// read finds the programs of the files. What they say is looked at when they are
// first asked for.
func read(files []File) (*Catalog, error) {
	c := &Catalog{programs: map[string]*source{}, modules: map[string]*source{}}
	for i := range files {
		list, err := decode(&files[i])
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			if err := c.add(s); err != nil {
				return nil, err
			}
		}
	}
	for _, s := range c.sources() {
		s.program = sync.OnceValues(func() (*Program, error) { return c.build(s) })
	}
	return c, nil
}

// add adds a section to its program.
func (c *Catalog) add(s *section) error {
	where, name, skip := c.programs, s.words[0], 1
	if len(s.words) > 2 && s.words[1] == "-m" {
		where, name, skip = c.modules, s.words[2], 3
	}
	names := strings.Split(name, "|")
	known := where[names[0]]
	if known == nil {
		known = &source{names: names, skip: skip}
		for _, e := range s.entries {
			if words, ok := e.value.words(); e.key == "names" && s.table == "" && ok {
				known.names = append(known.names, words...)
			}
		}
		for _, n := range known.names {
			if other := where[n]; other != nil {
				return s.wrong("%s is told already as %s, in %s", n, other.names[0], other.sections[0].file.Name)
			}
			where[n] = known
		}
		if len(s.words) > skip || s.table != "" {
			return s.wrong("the program's own heading must come first")
		}
	} else if known.sections[0].file != s.file {
		return s.wrong("the program is told already in %s", known.sections[0].file.Name)
	}
	known.sections = append(known.sections, s)
	return nil
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
func (c *Catalog) Lookup(name string) *Program {
	s := c.programs[name]
	if s == nil {
		s = c.programs[strings.TrimRight(name, "0123456789.-")]
	}
	return built(s)
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
