package shell

import (
	"slices"
	"strings"
	"sync"
)

// guard is what to look for in the words of some programs, or of one of their
// subcommands. Guards are written in the guard_*.go files, one file a family,
// from the programs' manuals.
type guard struct {
	// programs are base names, separated by blanks.
	programs string
	// sub is the subcommand the guard belongs to: words separated by blanks,
	// each with alternatives separated by |. Empty is the program itself, whose
	// options come before a subcommand.
	sub string
	// style is how options are read.
	style style
	// first ends the options at the first operand: what follows belongs to
	// another program or to a script.
	first bool
	// ends are options after whose value the words belong to a script.
	ends string
	// inherit lets the options of this guard count after its subcommands too.
	inherit bool
	// shortens accepts subcommands by their first letters, three or more.
	shortens bool
	// folds lets options be written in any case and with or without dashes
	// between their words: --globalSetup as --global-setup.
	folds bool
	// takes are harmless options whose value is the next word, or the rest of
	// their word: what follows them is neither an option nor an operand. A name
	// that ends in ? takes only the rest of its word.
	takes string
	// plain are harmless long options which begin a guarded one's name.
	plain string
	// options are the guarded ones.
	options []option
	// check reads what options alone do not tell: operands, scripts,
	// combinations. It runs after all words are read and may add and drop.
	check func(*call)
}

// option is one guarded entry. The spellings in names are separated by blanks:
//
//	-o= --output=    takes a value, attached or as the next word
//	-i? --in-place?  takes a value only when it is attached
//	-delete          takes none
//	-javaagent:*     begins a word, which goes on with the value
//	of=              begins an operand, which goes on with the value
//	+                the same without an equals sign
//
// An entry without a name is the subcommand itself.
type option struct {
	names string
	kind  Kind
	why   string
	// spare tells which values are harmless; nil when none is.
	spare func(value string) bool
}

// style is how a program reads its options.
type style uint8

const (
	gnu     style = iota // --long[=value] and its abbreviations, clusters -abc, attached values -ovalue
	exact                // as gnu, long options only in full
	words                // -word value, -word=value, --word; no clusters
	letters              // as words, and single letters take attached values: -ovalue
	bundled              // as gnu, and the first word may be a cluster without a dash (tar)
)

// valueMode is whether an option takes a value.
type valueMode uint8

const (
	noValue valueMode = iota
	attachedValue
	anyValue
	openValue // the word begins with the name and goes on with the value
)

// spec is what a table knows of one spelling.
type spec struct {
	opt   *option // nil when harmless
	name  string  // with its dashes
	value valueMode
}

// table is a guard made ready for look-ups.
type table struct {
	style   style
	first   bool
	ends    []string
	inherit bool
	shorten bool
	folds   bool
	check   func(*call)
	self    *option // the subcommand itself is guarded
	options int     // guarded options, whose hidden spelling asks

	parent   *table
	names    map[string]*spec // in full, with dashes
	letters  string           // letters[i] is the option letters of short[i]
	short    []*spec          // single-letter options
	long     []*spec          // guarded options of more than a letter, for abbreviations
	starts   []*spec          // guarded beginnings of options
	prefixes []*spec          // guarded beginnings of operands
	subs     map[string]*table
}

// tables finds every program's table by its base name. A table is made when it
// is first asked for, since one run of pigate meets few programs.
type tables map[string]*lazyTable

type lazyTable struct {
	once   sync.Once
	guards []*guard
	table  *table
}

// guardTables returns all tables.
var guardTables = sync.OnceValue(func() tables { return newTables(guardFamilies()) })

func newTables(families [][]guard) tables {
	all := make(tables, 1024)
	for _, family := range families {
		for i := range family {
			for program := range strings.FieldsSeq(family[i].programs) {
				lazy := all[program]
				if lazy == nil {
					lazy = &lazyTable{}
					all[program] = lazy
				}
				lazy.guards = append(lazy.guards, &family[i])
			}
		}
	}
	return all
}

// of looks up a program, also without the version at the end of its name
// ("python3.12", "gcc-13"). It returns nil when the program has no entry.
func (all tables) of(program string) *table {
	lazy := all[program]
	if lazy == nil {
		base := strings.TrimRight(program, "0123456789.-")
		if lazy = all[base]; lazy == nil {
			return nil
		}
	}
	lazy.once.Do(func() {
		lazy.table = &table{}
		for _, g := range lazy.guards {
			lazy.table.addGuard(g)
		}
	})
	return lazy.table
}

// guardFamilies lists the guards of every family.
func guardFamilies() [][]guard {
	return [][]guard{
		gitGuards, gitSubGuards, gitWorkGuards, vcsGuards, fileGuards, viewGuards, textGuards, scriptGuards,
		archiveGuards, fetchGuards, networkGuards, compilerGuards, goGuards, cargoGuards, buildGuards, lintGuards,
		interpreterGuards, pythonGuards, packageGuards, nodePackageGuards, dataGuards, systemGuards,
		shellGuards, containerGuards, clusterGuards, cloudGuards, mediaGuards, editorGuards,
	}
}

// addGuard adds a guard at its subcommands under t, the table of its program.
func (t *table) addGuard(g *guard) {
	for _, place := range subTables(t, strings.Fields(g.sub)) {
		place.add(g)
	}
}

// subTables finds or makes the tables of a subcommand path under t.
func subTables(t *table, path []string) []*table {
	places := []*table{t}
	for _, step := range path {
		var next []*table
		for _, place := range places {
			for _, name := range strings.Split(step, "|") {
				next = append(next, place.sub(name))
			}
		}
		places = next
	}
	return places
}

func (t *table) sub(name string) *table {
	if s := t.subs[name]; s != nil {
		return s
	}
	s := &table{style: t.style, parent: t}
	if t.subs == nil {
		t.subs = map[string]*table{}
	}
	t.subs[name] = s
	return s
}

func (t *table) add(g *guard) {
	t.style = g.style
	t.first = t.first || g.first
	t.inherit = t.inherit || g.inherit
	t.shorten = t.shorten || g.shortens
	t.folds = t.folds || g.folds
	t.ends = append(t.ends, strings.Fields(g.ends)...)
	if g.check != nil {
		t.check = g.check
	}
	for _, name := range strings.Fields(g.takes) {
		s := &spec{name: name, value: anyValue}
		if bare, ok := strings.CutSuffix(name, "?"); ok {
			s = &spec{name: bare, value: attachedValue}
		}
		t.put(s)
	}
	for _, name := range strings.Fields(g.plain) {
		t.put(&spec{name: name})
	}
	for i := range g.options {
		opt := &g.options[i]
		if opt.names == "" {
			t.self = opt
		}
		for _, name := range strings.Fields(opt.names) {
			t.put(newSpec(opt, name))
		}
	}
}

func newSpec(opt *option, name string) *spec {
	if name[0] != '-' {
		return &spec{opt: opt, name: name, value: attachedValue}
	}
	if bare, ok := strings.CutSuffix(name, "*"); ok {
		return &spec{opt: opt, name: bare, value: openValue}
	}
	if bare, ok := strings.CutSuffix(name, "="); ok {
		return &spec{opt: opt, name: bare, value: anyValue}
	}
	if bare, ok := strings.CutSuffix(name, "?"); ok {
		return &spec{opt: opt, name: bare, value: attachedValue}
	}
	return &spec{opt: opt, name: name}
}

func (t *table) put(s *spec) {
	if s.opt != nil {
		t.options++
		if s.name[0] != '-' {
			t.prefixes = append(t.prefixes, s)
			return
		}
		if s.value == openValue {
			t.starts = append(t.starts, s)
			return
		}
	}
	if t.names == nil {
		t.names = map[string]*spec{}
	}
	if old := t.names[s.name]; old != nil && old.opt != nil {
		return // the first guarded entry of a name stands
	}
	t.names[s.name] = s
	if len(s.name) == 2 {
		if i := strings.IndexByte(t.letters, s.name[1]); i >= 0 {
			t.short[i] = s
		} else {
			t.letters += s.name[1:]
			t.short = append(t.short, s)
		}
	} else if s.opt != nil && !slices.Contains(t.long, s) {
		t.long = append(t.long, s)
	}
}
