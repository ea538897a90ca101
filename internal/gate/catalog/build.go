package catalog

import (
	"fmt"
	"slices"
	"strings"
)

// build makes the program of a source.
func (c *Catalog) build(source *source) (*Program, error) {
	list, err := c.facts(source, nil, 0)
	if err != nil {
		return nil, err
	}
	sections, _ := source.sections()
	first := sections[0]
	if source.below == nil && (first.table != "" || len(first.words) != source.skip) {
		return nil, first.wrong("the program's own heading must come first: nothing else is known of %s", source.names[0])
	}
	b := builder{source: source, program: &Program{Names: source.names, Depth: -1}, layers: map[spelling]int{}, styled: map[*Command]bool{}, told: map[string]int{}}
	b.program.Path, b.program.origin = source.names[:1:1], origin{source.lowest().file, source.lowest().from}
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
	b.program.setTouches()
	b.program.Secrets = append(b.program.Secrets, b.program.marked()...)
	return b.program, nil
}

// builder makes one program of facts.
type builder struct {
	source  *source
	program *Program
	layers  map[spelling]int // of each option
	styled  map[*Command]bool
	told    map[string]int // layer of each field of the program, and of each class
}

// lowest is the source that first tells of the program.
func (s *source) lowest() *source {
	for s.below != nil {
		s = s.below
	}
	return s
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
	case f.table == "with":
		with, err := toWith(f.at, f.entry)
		at.With = append(at.With, with)
		return err
	case f.table == "runs":
		at.Runs, err = toRuns(f.at, f.at.at, f.at.entries)
		return err
	case f.table == "classes":
		if len(f.path) > 0 {
			return f.at.wrong("classes stand below the program")
		}
		return b.classes(f)
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
			sub = &Command{Path: append(slices.Clone(at.Path), names[0]), Parent: at, origin: origin{f.at.file, max(f.at.at, f.entry.at)}}
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
		o.Guard, o.origin = f.guard, origin{f.at.file, f.entry.at}
		for _, name := range o.Names {
			key := spelling{at, name, o.Value == Rest}
			layer, told := b.layers[key]
			if told && layer == f.layer {
				return f.at.wrongAt(f.entry.at, "the option %s is told twice", name)
			}
			if told {
				old := at.drop(name, o.Value == Rest)
				if problem := o.over(old); problem != "" && layer/lower > f.layer/lower {
					return f.at.wrongAt(f.entry.at, "the option %s %s, at %s", name, problem, old.Place())
				}
			}
			b.layers[key] = f.layer
		}
		at.Options = append(at.Options, &o)
	}
	return nil
}

// drop takes a name from the options of the command, and returns the option that
// had it.
func (c *Command) drop(name string, rest bool) *Option {
	for i, o := range c.Options {
		if k := slices.Index(o.Names, name); k >= 0 && (o.Value == Rest) == rest {
			kept := *o
			kept.Names = slices.Delete(slices.Clone(o.Names), k, k+1)
			if c.Options[i] = &kept; len(kept.Names) == 0 {
				c.Options = slices.Delete(c.Options, i, i+1)
			}
			return o
		}
	}
	return &Option{}
}

// over lets the option stand in the place of one that a catalogue below tells,
// and takes over what it does not say itself. The problem is how it would take
// something back.
func (o *Option) over(old *Option) (problem string) {
	switch {
	case old.Guard != nil && o.Guard == nil:
		return "is guarded already, and only an allow rule that names it lets it pass"
	case old.Value != o.Value && old.Names != nil:
		return fmt.Sprintf("is told already as %q", old.Names[0]+valueMarks[old.Value])
	case o.Role == RolePlain:
		o.Role = old.Role
	case (old.Role == RoleSecret || old.Role == RoleLogin) && o.Role != old.Role:
		return "holds a secret already"
	}
	if o.For == nil {
		o.For = old.For
	}
	return ""
}

var valueMarks = [...]string{NoValue: "", Attached: "[=]", AnyValue: "=", Rest: "*", TwoValues: "=="}

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
