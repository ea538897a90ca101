package catalog

import (
	"fmt"
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
	layer int    // 0 is the program itself, more is what it is like; lower and more, what a catalogue below says of it
	// of a guarded entry
	guard *Guard
	names []string // its options; none when it is the command itself
}

// lower is the step from one catalogue to the one below, in the layers of facts.
const lower = 100

// facts lists what the sections of a program say, what it is like first. Likenesses
// of commands that are not below within are left out.
func (c *Catalog) facts(source *source, within []string, layer int) (list []fact, err error) {
	sections, err := source.sections()
	if err != nil {
		return nil, err
	}
	if layer%lower > 4 {
		return nil, sections[0].wrong("likenesses go round in a circle")
	}
	if source.below != nil {
		if list, err = c.facts(source.below, within, layer+lower); err != nil {
			return nil, err
		}
	}
	for _, s := range sections {
		paths := expand(s.words[source.skip:])
		if len(paths) > maxPaths || len(list) > maxFacts {
			return nil, s.wrong("it says too much: there may be %d subcommands in one heading, and %d facts of a program", maxPaths, maxFacts)
		}
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
		if len(list) > maxFacts {
			return nil, s.wrongAt(e.at, "it is like too much")
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
		all := expand(words[:n])
		if len(all) > maxPaths {
			return nil, s.wrongAt(e.at, "it names more than %d subcommands", maxPaths)
		}
		for _, below := range all {
			list = append(list, fact{path: append(slices.Clone(path), below...), at: s, entry: e, table: s.table, layer: layer, guard: g, names: words[n:]})
		}
	}
	return list, nil
}

// maxPaths and maxFacts bound what a file can make of few words.
const (
	maxPaths = 256
	maxFacts = 50000
)

// expand returns the paths that the words of a heading stand for, not many more
// than maxPaths.
func expand(words []string) [][]string {
	paths := [][]string{nil}
	for _, word := range words {
		if len(paths) > maxPaths {
			return paths
		}
		var next [][]string
		for _, path := range paths {
			for name := range strings.SplitSeq(word, "|") {
				if next = append(next, append(slices.Clone(path), name)); len(next) > maxPaths {
					return next
				}
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
	case "operands-first":
		at.OperandsFirst, ok = v.yes()
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
		var problem string
		if at.Operands, problem = toOperands(v); problem != "" {
			return f.at.wrongAt(f.entry.at, "%s", problem)
		}
	case "effects":
		words, isWords := v.words()
		ok, at.Effects = isWords, 0
		for _, word := range words {
			effect, known := effects[word]
			if !known {
				return f.at.wrongAt(f.entry.at, "there is no effect %q", word)
			}
			at.Effects |= effect
		}
	case "hosts":
		at.Hosts, ok = v.yes()
	case "objects":
		at.Objects, ok = v.yes()
	case "lists-files":
		at.ListsFiles, ok = v.some()
	case "writes-numbers":
		at.WritesNumbers, ok = v.some()
	case "runs":
		var err error
		if at.Runs, err = toRuns(f.at, f.entry.at, v.table); err != nil {
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
	layer, told := b.told[f.entry.key]
	over := told && layer/lower > f.layer/lower // a catalogue below tells it too
	b.told[f.entry.key] = f.layer
	problem := ""
	switch f.entry.key {
	case "names":
		words, isWords := v.words()
		if ok = isWords; ok && !b.source.decoded && !slices.Equal(words, p.Names[1:]) && f.layer == 0 {
			return f.at.wrongAt(f.entry.at, `names stand in one line, as in names = "a b", or in a list of strings`)
		}
	case "depth":
		before := p.Depth
		if p.Depth, ok = v.number(); over && p.Depth < before {
			problem = fmt.Sprintf("the depth is %d already, and a file of yours can only make it more", before)
		}
	case "deeper":
		before := p.Deeper
		if p.Deeper, ok = v.words(); over {
			p.Deeper = append(before[:len(before):len(before)], p.Deeper...)
		}
	case "help":
		p.Help, ok = v.words()
	case "any-order":
		p.AnyOrder, ok = v.yes()
	case "leaves-files":
		p.LeavesFiles, ok = v.some()
	case "makes-links":
		p.MakesLinks, ok = v.some()
	case "signals":
		p.Signals, ok = v.yes()
	case "input":
		p.Input, err = toInput(f.at, v.table)
	case "class":
		before := p.Class
		p.Class = Class(v.text)
		ok, problem = slices.Contains(classes, p.Class), lowered(before, p.Class, over)
	case "draft":
		before := p.Draft
		p.Draft = Draft(v.text)
		if ok = slices.Contains(drafts, p.Draft); b.source.below != nil && f.layer < lower && p.Draft != before && p.Draft != DraftNever {
			problem = `of a program that is known already a file of yours can only say draft = "never"`
		}
	case "secrets":
		if !over {
			p.Secrets = nil
		}
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
	if err == nil && problem != "" {
		return f.at.wrongAt(f.entry.at, "%s", problem)
	}
	return err
}

// lowered is the problem when a class that a catalogue below tells becomes a less
// risky one.
func lowered(before, after Class, over bool) string {
	if over && slices.Index(classes, after) < slices.Index(classes, before) {
		return fmt.Sprintf("the class is %q already, and a file of yours can only name a more risky one", before)
	}
	return ""
}

// classes reads one entry of the table of classes.
func (b *builder) classes(f fact) error {
	class := Class(f.entry.key)
	texts, ok := f.entry.value.texts()
	if f.entry.value.kind == unstable.String {
		texts = []string{f.entry.value.text}
	}
	if !slices.Contains(classes, class) || !ok {
		return f.at.wrongAt(f.entry.at, "there is no class %q", f.entry.key)
	}
	if b.program.Classes == nil {
		b.program.Classes = map[string]Class{}
	}
	for _, text := range texts {
		for words := range strings.SplitSeq(text, "|") {
			words = strings.Join(strings.Fields(words), " ")
			layer, told := b.told["class of "+words]
			over := told && layer/lower > f.layer/lower
			if problem := lowered(b.program.Classes[words], class, over); problem != "" {
				return f.at.wrongAt(f.entry.at, "%q: %s", words, problem)
			}
			b.program.Classes[words], b.told["class of "+words] = class, f.layer
		}
	}
	return nil
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
