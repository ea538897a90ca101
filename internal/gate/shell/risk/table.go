package risk

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
)

// option is one guarded entry of the catalogue.
type option struct {
	*catalog.Guard
	// spare tells which values are harmless; nil when none is.
	spare func(value string) bool
}

// spec is what a table knows of one spelling.
type spec struct {
	opt   *option // nil when harmless
	name  string  // with its dashes
	value catalog.Value
}

// table is what the catalogue tells of a command, made ready for reading its
// words.
type table struct {
	style   catalog.Style
	first   bool // options end at the first operand
	ends    []string
	inherit bool
	shorten bool
	folds   bool
	help    []string // with which a subcommand only prints help
	check   func(*call)
	self    *option // the subcommand itself is guarded
	options int     // guarded options, whose hidden spelling asks

	parent   *table
	names    map[string]*spec // in full, with dashes
	short    []*spec          // single-letter options
	long     []*spec          // guarded options of more than a letter, for abbreviations
	plain    []*spec          // harmless ones
	starts   []*spec          // guarded beginnings of options
	prefixes []*spec          // guarded beginnings of operands
	subs     map[string]*table
}

// tableKey is the key of a program's table in what is derived from a catalogue.
type tableKey struct{ of *catalog.Program }

// tableOf returns the table of a program, nil when nothing of it is guarded.
func tableOf(known *catalog.Catalog, p *catalog.Program) *table {
	if p == nil {
		return nil
	}
	return known.Derived(tableKey{p}, func() any {
		if !p.Guards() {
			return (*table)(nil)
		}
		m := tableMaker{known: known, commands: map[*catalog.Command]*table{}, options: map[*catalog.Guard]*option{}, help: p.Help}
		return m.table(&p.Command, nil)
	}).(*table)
}

// tableMaker makes the tables of one program. A subcommand has one table under
// all its names, and a guarded entry is one option under all of its own.
type tableMaker struct {
	known    *catalog.Catalog
	commands map[*catalog.Command]*table
	options  map[*catalog.Guard]*option
	help     []string
}

func (m tableMaker) table(c *catalog.Command, parent *table) *table {
	if t := m.commands[c]; t != nil {
		return t
	}
	t := &table{style: c.Style, first: c.OptionsFirst, ends: c.EndAt, inherit: c.Inherit, shorten: c.Shorten, folds: c.Fold,
		help: m.help, check: checkOf(c.Check), self: m.option(c.Guard), parent: parent}
	m.commands[c] = t
	for _, o := range c.Options {
		for _, name := range o.Names {
			t.put(&spec{opt: m.option(o.Guard), name: name, value: o.Value})
		}
	}
	if c.Parent != nil {
		for _, o := range c.Parent.SubOptions {
			for _, name := range o.Names {
				if t.names[name] == nil {
					t.put(&spec{name: name, value: o.Value})
				}
			}
		}
	}
	for name, sub := range c.Subs {
		if !sub.Guards() {
			continue // read as an operand, with the options of the command around it
		}
		if t.subs == nil {
			t.subs = map[string]*table{}
		}
		t.subs[name] = m.table(sub, t)
	}
	return t
}

func (m tableMaker) option(g *catalog.Guard) *option {
	if g == nil {
		return nil
	}
	if m.options[g] == nil {
		m.options[g] = &option{g, spareOf(m.known, g)}
	}
	return m.options[g]
}

func (t *table) put(s *spec) {
	if s.opt != nil {
		t.options++
	}
	switch {
	case s.value == catalog.Rest && s.opt == nil:
		return
	case s.value == catalog.Rest && s.name[0] != '-':
		t.prefixes = append(t.prefixes, s)
		return
	case s.value == catalog.Rest:
		t.starts = append(t.starts, s)
		return
	}
	if t.names == nil {
		t.names = map[string]*spec{}
	}
	t.names[s.name] = s
	if len(s.name) == 2 {
		t.short = append(t.short, s)
	} else if s.opt != nil && !slices.Contains(t.long, s) {
		t.long = append(t.long, s)
	} else if s.opt == nil {
		t.plain = append(t.plain, s)
	}
}

// spareOf returns the function that tells an entry's harmless values, nil when
// it has none.
func spareOf(known *catalog.Catalog, g *catalog.Guard) func(string) bool {
	switch {
	case g.Unless != "":
		return testOf(known, g.Unless)
	case g.OneOf != nil:
		return oneOf(g.OneOf...)
	case g.Keys != nil:
		return keyOneOf(g.Keys...)
	case g.Holds != nil:
		return func(value string) bool {
			lower := strings.ToLower(value)
			return !slices.ContainsFunc(g.Holds, func(t string) bool { return strings.Contains(lower, t) })
		}
	case g.Begins != nil:
		return func(value string) bool {
			return !slices.ContainsFunc(g.Begins, func(t string) bool { return strings.HasPrefix(value, t) })
		}
	}
	return nil
}
