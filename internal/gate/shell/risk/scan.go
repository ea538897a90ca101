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
	if t.style == catalog.StyleBundled && i < len(c.args) {
		i = c.bundle(i)
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
	if a := &c.args[i]; c.table.subs != nil && !a.Quoted && a.Text == "\x00" {
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
				return c.take(s, i, rest, true)
			}
		}
	}
	if s := c.table.style; w[1] == '-' || s == catalog.StyleWords || s == catalog.StyleLetters || s == catalog.StyleNopt {
		return c.long(i)
	}
	return c.cluster(i, 1)
}

// long reads --name, --name=value and, by style, -name.
func (c *call) long(i int) int {
	w := c.args[i].Text
	name, value, given := strings.Cut(w, "=")
	s := c.table.find(name)
	if s == nil && strings.IndexByte(name, '_') > 0 { // some programs read _ as -
		s = c.table.find(strings.ReplaceAll(name, "_", "-"))
	}
	if s == nil && c.table.folds {
		s = c.table.folded(name)
	}
	if s == nil && strings.IndexByte(name, 0) >= 0 {
		if s = c.table.hidden(name); s == nil && strings.Trim(name, "-\x00") == "" {
			c.unreadable(i)
			return i + 1
		}
		if s != nil {
			c.found(s, i, i, value, given, formOption)
			return i + 1
		}
	}
	if s == nil && c.table.style == catalog.StyleLetters && w[1] != '-' && w[1] != 0 {
		return c.attached(i)
	}
	if s == nil && c.table.style == catalog.StyleNopt && w[1] != '-' {
		return c.cluster(i, 1)
	}
	if s == nil {
		if !given && c.switched(i+1) {
			value, given = c.args[i+1].Text, true
		}
		c.keep(seen{name: name, value: value, given: given, arg: i})
		if given && strings.IndexByte(w, '=') < 0 {
			return i + 2
		}
		return i + 1
	}
	return c.take(s, i, value, given)
}

// switched reports a word that says whether the flag before it is set.
func (c *call) switched(i int) bool {
	return c.table.style == catalog.StyleNopt && i < len(c.args) && argv.IsSwitch(c.args[i].Text)
}

// attached reads -ovalue where words may follow a single dash too.
func (c *call) attached(i int) int {
	w := c.args[i].Text
	s := c.table.letter(w[1])
	if s == nil || s.value == catalog.NoValue {
		c.keep(seen{name: w, arg: i})
		return i + 1
	}
	return c.take(s, i, w[2:], true)
}

// cluster reads -abc from byte j of the word at i.
func (c *call) cluster(i, j int) int {
	w := c.args[i].Text
	if w[j] == 0 && strings.Trim(w, "-\x00") == "" {
		c.unreadable(i)
		return i + 1
	}
	for ; j < len(w) && w[j] != 0; j++ {
		s := c.table.letter(w[j])
		switch {
		case s == nil:
			c.keep(seen{name: letterName(w[j]), arg: i})
		case s.value == catalog.NoValue:
			c.take(s, i, "", false)
		case j+1 < len(w):
			return c.take(s, i, strings.TrimPrefix(w[j+1:], "="), true)
		default:
			return c.take(s, i, "", false)
		}
	}
	return i + 1
}

// bundle reads a first word like tar's "xvf", whose values are the next words.
func (c *call) bundle(i int) int {
	w := c.args[i].Text
	if w == "" || w[0] == '-' || w[0] == 0 {
		return i
	}
	next := i + 1
	for j := 0; j < len(w) && w[j] != 0; j++ {
		s := c.table.letter(w[j])
		if s == nil {
			c.keep(seen{name: letterName(w[j]), arg: i})
			continue
		}
		if s.value != catalog.AnyValue || next >= len(c.args) {
			c.record(s, i, i, "", false)
			continue
		}
		c.record(s, i, next, c.args[next].Text, true)
		next++
	}
	return next
}

// take records option s at i with its value, taken from the next word if it
// must, and returns the index after both.
func (c *call) take(s *spec, i int, value string, given bool) int {
	at := i
	if !given && s.value == catalog.NoValue && c.switched(i+1) {
		at, value, given = i+1, c.args[i+1].Text, true
	}
	if s.value == catalog.TwoValues {
		if !given && i+1 < len(c.args) {
			at, value, given = i+1, c.args[i+1].Text, true
		}
		at = min(at+1, len(c.args)-1)
	}
	if !given && s.value == catalog.AnyValue && i+1 < len(c.args) && (s.opt != nil || !c.table.guarded(c.args[i+1].Text)) {
		at, value, given = i+1, c.args[i+1].Text, true
	}
	c.record(s, i, at, value, given)
	return at + 1
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

// letterNames holds "-x" for every ASCII byte, so that naming one allocates nothing.
var letterNames = func() (names [128]string) {
	for i := range names {
		names[i] = "-" + string(rune(i))
	}
	return names
}()

func letterName(b byte) string {
	if b < 128 {
		return letterNames[b]
	}
	return "-?"
}
