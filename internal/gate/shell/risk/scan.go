package risk

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// call is one command while its words are read.
type call struct {
	known    *catalog.Catalog
	program  string
	args     []argv.Arg
	table    *table // of the innermost subcommand reached
	subs     []int  // indices of the words that are subcommands
	seen     []seen // options in order, kept when the table has a check
	operands []int  // indices of the operands, kept when the table has a check
	count    int    // operands read since the last subcommand
	ended    bool   // what follows are operands
	nested   int    // programs run by programs so far
	rule     bool   // the words are a rule's: every entry counts, whatever its value
	hazards  []Hazard
}

// seen is one option found, guarded or not.
type seen struct {
	name  string // one spelling, with its dashes: "-o"
	value string
	given bool
	arg   int // index of the word that holds the value, else of the option
}

// scan reads args from index i by t, enters subcommands and runs the check.
func (c *call) scan(t *table, i int) {
	c.table, c.count = t, 0
	c.seen, c.operands = nil, nil
	from := i
	found, i := t.reader().Bundle(c.args, i)
	for _, f := range found {
		c.note(f, from)
	}
	for c.ended = false; i < len(c.args); {
		w := c.args[i].Text
		switch {
		case !c.ended && w == "--":
			c.ended = true
			i++
		case !c.ended && len(w) > 1 && w[0] == '-':
			i = c.option(i)
		default:
			if sub := c.enter(i); sub != nil {
				c.scan(sub, i+1)
				return
			}
			c.operand(i)
			c.ended = c.ended || t.first && c.count > 0
			i++
		}
	}
	if t.check != nil {
		t.check(c)
	}
}

// enter returns the table of the subcommand that the word is, or nil.
func (c *call) enter(i int) *table {
	t := c.table
	if c.ended || c.count > 0 || t.subs == nil {
		return nil
	}
	sub := t.subs[c.args[i].Text]
	if sub == nil && t.shorten {
		sub = t.shortened(c.args[i].Text)
	}
	if sub == nil {
		return nil
	}
	c.subs = append(c.subs, i)
	if sub.self != nil && !c.onlyHelps(i+1) {
		a := &c.args[i]
		c.hazards = append(c.hazards, Hazard{Flag: c.path(), Start: a.Start, End: a.End,
			Why: sub.self.Why, Kind: sub.self.Kind, Form: formSub, owner: sub, opt: sub.self, Word: a.Text})
	}
	return sub
}

// path is the subcommand reached, its words joined by blanks.
func (c *call) path() string {
	if len(c.subs) == 1 {
		return c.args[c.subs[0]].Text
	}
	var b strings.Builder
	for n, i := range c.subs {
		if n > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(c.args[i].Text)
	}
	return b.String()
}

func (c *call) operand(i int) {
	if c.table.subs != nil && strings.HasPrefix(c.args[i].Text, "+") {
		return // a toolchain before the subcommand, as in `cargo +nightly test`
	}
	if a := &c.args[i]; c.table.subs != nil && !a.Quoted && a.Text == argv.Hole {
		return // an expansion that may be nothing, so that the next word is the subcommand
	}
	if a := &c.args[i]; !a.Literal && !c.ended && a.Text != "" && strings.IndexByte("*?[", a.Text[0]) >= 0 {
		c.spelled(i)
	}
	c.count++
	if c.table.check != nil {
		c.operands = append(c.operands, i)
	}
	w := c.args[i].Text
	for t := c.table; t != nil; t = t.outer() {
		for _, s := range t.prefixes {
			if rest, ok := strings.CutPrefix(w, s.name); ok {
				c.found(s, i, i, rest, true, formPrefix)
				return
			}
		}
	}
}

// outer is the table whose options count here too, or nil.
func (t *table) outer() *table {
	if t.parent != nil && t.parent.inherit {
		return t.parent
	}
	return nil
}

// option reads the option at index i and returns the index after it and its
// value.
func (c *call) option(i int) int {
	w := c.args[i].Text
	for t := c.table; t != nil; t = t.outer() {
		for _, s := range t.starts {
			if rest, ok := strings.CutPrefix(w, s.name); ok {
				c.record(s, i, i, rest, true)
				return i + 1
			}
		}
	}
	if name, value, given := strings.Cut(w, "="); argv.HasHole(name) {
		if s := c.table.hidden(name); s != nil && (w[1] == '-' || !c.table.clusters()) {
			c.found(s, i, i, value, given, formOption)
			return i + 1
		}
		if strings.Trim(name, "-"+argv.Hole) == "" {
			c.unreadable(i)
			return i + 1
		}
	}
	found, next := c.table.reader().Read(c.args, i)
	for _, f := range found {
		c.note(f.Unsigned(), i)
	}
	return next
}

// reader reads words by the table. Some programs read _ in a name as -. A word
// that spells a guarded option is read as that, although a harmless one could take
// it as its value.
func (t *table) reader() argv.Table[*spec] {
	return argv.Table[*spec]{
		Style: t.style,
		Find: func(name string) (*spec, catalog.Value, bool) {
			s := t.find(name)
			if s == nil && strings.IndexByte(name, '_') > 0 {
				s = t.find(strings.ReplaceAll(name, "_", "-"))
			}
			if s == nil && t.folds {
				s = t.folded(name)
			}
			if s == nil {
				return nil, catalog.NoValue, false
			}
			return s, s.value, true
		},
		Spares: func(s *spec, word string) bool { return s.opt == nil && s.value == catalog.AnyValue && t.guarded(word) },
	}
}

// note records the option that the word at index i gives.
func (c *call) note(f argv.Found[*spec], i int) {
	if !f.Known {
		if f.Name != "-"+argv.Hole {
			c.keep(seen{name: f.Name, value: f.Value, given: f.Given, arg: f.Last})
		}
		return
	}
	c.record(f.Option, i, f.Last, f.Value, f.Given)
}

func (c *call) record(s *spec, i, at int, value string, given bool) {
	c.ended = c.ended || slices.Contains(c.table.ends, s.name)
	c.keep(seen{name: s.name, value: value, given: given, arg: at})
	if s.opt != nil {
		c.found(s, i, at, value, given, formOption)
	}
}

func (c *call) keep(s seen) {
	if c.table.check != nil {
		c.seen = append(c.seen, s)
	}
}
