package catalog

import (
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// fact is one thing that a file says of a command.
type fact struct {
	path  []string // the words after the program; "a,b" are names of one subcommand
	at    *section
	entry entry
	table string // of the section
	layer int    // 0 is the program itself, more is what it is like
	// of a guarded entry
	guard *Guard
	names []string // its options; none when it is the command itself
}

// facts lists what the sections of a program say, what it is like first. Likenesses
// of commands that are not below within are left out.
func (c *Catalog) facts(source *source, within []string, layer int) (list []fact, err error) {
	sections, err := source.sections()
	if err != nil {
		return nil, err
	}
	if layer > 4 {
		return nil, sections[0].wrong("likenesses go round in a circle")
	}
	for _, s := range sections {
		paths := expand(s.words[source.skip:])
		if s.table == "runs" || len(s.entries) == 0 {
			for _, path := range paths {
				list = append(list, fact{path: path, at: s, table: s.table, layer: layer})
			}
		}
		for _, e := range s.entries {
			switch {
			case s.table == "guard":
				more, err := guardFacts(s, e, paths, layer)
				if err != nil {
					return nil, err
				}
				list = append(list, more...)
			case s.table == "" && e.key == "like":
				if !slices.ContainsFunc(paths, func(path []string) bool { return begins(path, within) }) {
					continue
				}
				more, err := c.likeness(s, e, paths, layer)
				if err != nil {
					return nil, err
				}
				list = append(more, list...)
			case s.table != "runs":
				for _, path := range paths {
					list = append(list, fact{path: path, at: s, entry: e, table: s.table, layer: layer})
				}
			}
		}
	}
	return list, nil
}

// likeness lists the facts of the command that others are like, moved to them.
func (c *Catalog) likeness(s *section, e entry, paths [][]string, layer int) (list []fact, err error) {
	words, ok := e.value.words()
	if !ok || len(words) == 0 || c.programs[words[0]] == nil {
		return nil, s.wrongAt(e.at, "like names no program: %q", e.value.text)
	}
	base, err := c.facts(c.programs[words[0]], words[1:], layer+1)
	if err != nil {
		return nil, err
	}
	for _, f := range base {
		if f.table == "classes" || !begins(f.path, words[1:]) ||
			len(f.path) == 0 && (f.entry.key == "names" || f.entry.key == "class" || f.entry.key == "draft") {
			continue
		}
		for _, path := range paths {
			moved := f
			moved.path = append(slices.Clone(path), f.path[len(words)-1:]...)
			list = append(list, moved)
		}
	}
	return list, nil
}

// begins reports that a path begins with the words.
func begins(path, words []string) bool {
	return len(path) >= len(words) && slices.Equal(path[:len(words)], words)
}

// guardFacts reads one entry of a guard table.
func guardFacts(s *section, e entry, paths [][]string, layer int) (list []fact, err error) {
	g, err := toGuard(s, e)
	if err != nil {
		return nil, err
	}
	words := strings.Fields(e.key)
	n := slices.IndexFunc(words, func(w string) bool { return w[0] == '-' || strings.Contains(w, "*") })
	if n < 0 {
		n = len(words)
	}
	if len(words) == 0 {
		return nil, s.wrongAt(e.at, "a guarded entry has no name")
	}
	for _, path := range paths {
		for _, below := range expand(words[:n]) {
			list = append(list, fact{path: append(slices.Clone(path), below...), at: s, entry: e, table: s.table, layer: layer, guard: g, names: words[n:]})
		}
	}
	return list, nil
}

// expand returns the paths that the words of a heading stand for.
func expand(words []string) [][]string {
	paths := [][]string{nil}
	for _, word := range words {
		var next [][]string
		for _, path := range paths {
			for name := range strings.SplitSeq(word, "|") {
				next = append(next, append(slices.Clone(path), name))
			}
		}
		paths = next
	}
	return paths
}

// build makes the program of a source.
func (c *Catalog) build(source *source) (*Program, error) {
	list, err := c.facts(source, nil, 0)
	if err != nil {
		return nil, err
	}
	sections, _ := source.sections()
	first := sections[0]
	if first.table != "" || len(first.words) != source.skip {
		return nil, first.wrong("the program's own heading must come first")
	}
	b := builder{program: &Program{Names: source.names, Depth: -1, place: first}, layers: map[spelling]int{}, styled: map[*Command]bool{}}
	b.program.Path = source.names[:1:1]
	for _, f := range list { // names of subcommands come first
		if f.table == "" && f.entry.key == "subcommands" {
			if err := b.apply(f); err != nil {
				return nil, err
			}
		}
	}
	for _, f := range list {
		if f.table == "" && f.entry.key == "subcommands" {
			continue
		}
		if err := b.apply(f); err != nil {
			return nil, err
		}
	}
	b.settle(&b.program.Command)
	b.program.Modules = slices.ContainsFunc(b.program.Options, func(o *Option) bool { return o.Role == RoleModule })
	b.program.Secrets = append(b.program.Secrets, b.program.marked()...)
	return b.program, nil
}

// builder makes one program of facts.
type builder struct {
	program *Program
	layers  map[spelling]int // of each option
	styled  map[*Command]bool
}

// spelling is one name of an option of a command.
type spelling struct {
	command *Command
	name    string
	rest    bool
}

func (b *builder) apply(f fact) error {
	at, err := b.command(f)
	if err != nil {
		return err
	}
	switch {
	case f.guard != nil && len(f.names) == 0:
		if len(f.path) == 0 {
			return f.at.wrongAt(f.entry.at, "a program as a whole cannot be guarded: its rule names it")
		}
		at.Guard = f.guard
		return nil
	case f.guard != nil:
		return b.options(at, f, f.names)
	case f.table == "runs":
		at.Runs, err = toRuns(f.at, f.at.entries)
		return err
	case f.table == "classes":
		if len(f.path) > 0 {
			return f.at.wrong("classes stand below the program")
		}
		part := *f.at
		part.entries = []entry{f.entry}
		return b.program.setClasses(&part)
	case f.entry.key == "":
		return nil
	}
	return b.field(at, f)
}

// command finds or makes the command at the fact's path.
func (b *builder) command(f fact) (*Command, error) {
	at := &b.program.Command
	for _, step := range f.path {
		names := strings.Split(step, ",")
		var sub *Command
		for _, name := range names {
			if old := at.Subs[name]; old != nil && sub != nil && old != sub {
				return nil, f.at.wrongAt(f.entry.at, "%q is told as a subcommand of its own", name)
			} else if old != nil {
				sub = old
			}
		}
		if sub == nil {
			sub = &Command{Path: append(slices.Clone(at.Path), names[0]), Parent: at}
		}
		if at.Subs == nil {
			at.Subs = map[string]*Command{}
		}
		for _, name := range names {
			at.Subs[name] = sub
		}
		at = sub
	}
	return at, nil
}

// options adds the options that words spell.
func (b *builder) options(at *Command, f fact, words []string) error {
	for _, word := range words {
		o, problem := parseOption(word)
		if problem != "" {
			return f.at.wrongAt(f.entry.at, "%q: %s", word, problem)
		}
		o.Guard = f.guard
		for _, name := range o.Names {
			key := spelling{at, name, o.Value == Rest}
			layer, told := b.layers[key]
			if told && layer == f.layer {
				return f.at.wrongAt(f.entry.at, "the option %s is told twice", name)
			}
			if told {
				at.drop(name, o.Value == Rest)
			}
			b.layers[key] = f.layer
		}
		at.Options = append(at.Options, &o)
	}
	return nil
}

// drop takes a name from the options of the command.
func (c *Command) drop(name string, rest bool) {
	for i, o := range c.Options {
		if k := slices.Index(o.Names, name); k >= 0 && (o.Value == Rest) == rest {
			kept := *o
			kept.Names = slices.Delete(slices.Clone(o.Names), k, k+1)
			if c.Options[i] = &kept; len(kept.Names) == 0 {
				c.Options = slices.Delete(c.Options, i, i+1)
			}
			return
		}
	}
}

// field sets one field of a command, or of the program.
func (b *builder) field(at *Command, f fact) error {
	v, key, ok := f.entry.value, f.entry.key, true
	switch key {
	case "options":
		words, ok := v.words()
		if !ok {
			return f.at.wrongAt(f.entry.at, "options are words")
		}
		return b.options(at, f, words)
	case "subcommand-options":
		words, ok := v.words()
		if !ok {
			return f.at.wrongAt(f.entry.at, "options are words")
		}
		all := &Command{Path: at.Path}
		err := b.options(all, f, words)
		at.SubOptions = all.Options
		return err
	case "style":
		at.Style, ok = styles[v.text]
		b.styled[at] = true
	case "subcommand-style":
		at.subStyle, ok = styles[v.text]
		at.subStyle++
	case "inherit":
		at.Inherit, ok = v.yes()
	case "options-first":
		at.OptionsFirst, ok = v.yes()
	case "end-at":
		at.EndAt, ok = v.words()
	case "same-as":
		if at.Same, ok = v.words(); len(f.path) == 0 {
			return f.at.wrongAt(f.entry.at, "a program has no subcommand's effect")
		}
	case "shorten":
		at.Shorten, ok = v.yes()
	case "fold":
		at.Fold, ok = v.yes()
	case "check":
		if at.Check = v.text; at.Check == "none" {
			at.Check = ""
		} else if Checks[at.Check] == "" {
			return f.at.wrongAt(f.entry.at, "there is no check %q", v.text)
		}
	case "operands":
		words, isWords := v.words()
		ok, at.Operands = isWords, nil
		for _, word := range words {
			name, repeats := strings.CutSuffix(word, "...")
			role, known := roles[name]
			if !known {
				return f.at.wrongAt(f.entry.at, "an operand is no %q", word)
			}
			at.Operands = append(at.Operands, Operand{role, repeats})
		}
	case "runs":
		var err error
		if at.Runs, err = toRuns(f.at, v.table); err != nil {
			return err
		}
		ok = v.kind == unstable.InlineTable
	case "subcommands":
		words, isWords := v.words()
		ok = isWords
		for _, word := range words {
			named := f
			named.path = append(slices.Clone(f.path), word)
			if _, err := b.command(named); err != nil {
				return err
			}
		}
	default:
		if len(f.path) > 0 {
			return f.at.wrongAt(f.entry.at, "unknown field %q of a subcommand", key)
		}
		return b.programField(f)
	}
	if !ok {
		return f.at.wrongAt(f.entry.at, "%q has the wrong type or value", key)
	}
	return nil
}

func (b *builder) programField(f fact) (err error) {
	p, v, ok := b.program, f.entry.value, true
	switch f.entry.key {
	case "names":
		words, isWords := v.words()
		if ok = isWords; ok && !slices.Equal(words, p.Names[1:]) && f.layer == 0 {
			return f.at.wrongAt(f.entry.at, `names stand in one line, as in names = "a b", or in a list of strings`)
		}
	case "depth":
		p.Depth, ok = v.number()
	case "deeper":
		p.Deeper, ok = v.words()
	case "help":
		p.Help, ok = v.words()
	case "any-order":
		p.AnyOrder, ok = v.yes()
	case "signals":
		p.Signals, ok = v.yes()
	case "input":
		p.Input, err = toInput(f.at, v.table)
	case "class":
		p.Class = Class(v.text)
		ok = slices.Contains(classes, p.Class)
	case "draft":
		p.Draft = Draft(v.text)
		ok = slices.Contains(drafts, p.Draft)
	case "secrets":
		p.Secrets = nil
		ok = v.kind == unstable.Array
		for _, item := range v.list {
			place, err := toSecret(f.at, f.entry.at, item)
			if err != nil {
				return err
			}
			p.Secrets = append(p.Secrets, place)
		}
	default:
		return f.at.wrongAt(f.entry.at, "unknown field %q", f.entry.key)
	}
	if err == nil && !ok {
		return f.at.wrongAt(f.entry.at, "%q has the wrong type or value", f.entry.key)
	}
	return err
}

// settle gives subcommands the style that they do not tell themselves.
func (b *builder) settle(c *Command) {
	for _, sub := range c.Subs {
		if !b.styled[sub] {
			if sub.Style = c.Style; c.subStyle > 0 {
				sub.Style = c.subStyle - 1
			}
			b.styled[sub] = true
		}
		b.settle(sub)
	}
}
