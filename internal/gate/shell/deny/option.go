package deny

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// optionTable is what the meaning of a program's options needs.
type optionTable struct {
	groups  map[string]optionGroup // by name with dashes
	longs   []string               // long names, for abbreviations
	begins  []*catalog.Option      // operands that stand for options
	style   catalog.Style
	signals bool // -9, -KILL and -s KILL are the same
}

// optionGroup is an option under all its names.
type optionGroup struct {
	names []string // what it stands for: itself under its first name, or several
	value catalog.Value
	or    []string // what it may be instead, when it is an abbreviation of several
}

var unknownOptions = &optionTable{}

// optionKey is the key of the options of a command, or of a whole program, in what
// is derived from a catalogue.
type optionKey[T any] struct{ of *T }

// optionsOf returns the table of a program's subcommand, or of the program where
// it has no such subcommand.
func optionsOf(known *catalog.Catalog, program, sub string) *optionTable {
	p := known.Lookup(program)
	if p == nil {
		return unknownOptions
	}
	if c := p.Subs[sub]; c != nil {
		return known.Derived(optionKey[catalog.Command]{c}, func() any { return newOptionTable(p, c.Visible()) }).(*optionTable)
	}
	return known.Derived(optionKey[catalog.Program]{p}, func() any { return newOptionTable(p, p.ElsewhereVisible()) }).(*optionTable)
}

func newOptionTable(p *catalog.Program, list []*catalog.Option) *optionTable {
	t := &optionTable{groups: map[string]optionGroup{}, style: p.Style, signals: p.Signals}
	for _, o := range list {
		if o.Value == catalog.Rest {
			if o.IsOperand() && o.For != nil {
				t.begins = append(t.begins, o)
			}
			continue
		}
		g := optionGroup{names: o.Names[:1], value: o.Value}
		if o.For != nil {
			g.names = o.For
		}
		for _, name := range o.Names {
			if _, told := t.groups[name]; told {
				continue
			}
			t.groups[name] = g
			if len(name) > 2 {
				t.longs = append(t.longs, name)
			}
		}
	}
	return t
}

// find returns the group of an option, also under the beginning of a long name. An
// option that is not known is a group of its own.
func (t *optionTable) find(name string) (found optionGroup, takes catalog.Value, known bool) {
	if t.style == catalog.StyleNopt {
		name = argv.NoptName(name)
	}
	if g, ok := t.groups[name]; ok {
		return g, g.value, true
	}
	if len(name) > 2 && t.style != catalog.StyleWords && t.style != catalog.StyleLetters {
		for _, full := range t.longs {
			if !strings.HasPrefix(full, name) {
				continue
			}
			switch g := t.groups[full]; {
			case found.names == nil:
				found = g
			case found.names[0] != g.names[0]:
				found.or = append(found.or, g.names...)
				if found.value != g.value {
					found.value = catalog.NoValue
				}
			}
		}
	}
	if found.names != nil {
		return found, found.value, true
	}
	return optionGroup{names: []string{name}}, catalog.NoValue, false
}

// anyOrder reports a program whose operands have no fixed order and no
// subcommand among them, or are each one more thing to do.
func anyOrder(known *catalog.Catalog, program string) bool {
	p := known.Lookup(program)
	return p != nil && (p.AnyOrder || p.Draft == catalog.DraftTasks)
}

// canonicalSub gives a subcommand under one of its names its first name.
func canonicalSub(known *catalog.Catalog, program, sub string) string {
	if p := known.Lookup(program); p != nil {
		if c := p.Named(sub); c != nil {
			return c.Name()
		}
	}
	return sub
}
