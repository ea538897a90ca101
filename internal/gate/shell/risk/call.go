package risk

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// found adds the hazard of s, whose words reach from index i to index at.
func (c *call) found(s *spec, i, at int, value string, given bool, f Form) {
	if given && s.value == catalog.NoValue && switchedOff(value) {
		return
	}
	if given && !c.rule && s.opt.spare != nil && s.opt.spare(value) {
		return
	}
	c.hazards = append(c.hazards, Hazard{Flag: s.name, Start: c.args[i].Start, End: c.args[at].End,
		Why: s.opt.Why, Kind: s.opt.Kind, Form: f, owner: c.table, opt: s.opt,
		value: value, given: given, Word: c.args[i].Text})
}

// switchedOff reports whether --flag=value means that the flag is not set.
func switchedOff(value string) bool {
	switch value {
	case "false", "no", "0", "off":
		return true
	}
	return false
}

// unreadable adds the hazard of an option whose name is an expansion, when the
// program has guarded options that it could be.
func (c *call) unreadable(i int) {
	if c.rule {
		return
	}
	for t := c.table; t != nil; t = t.outer() {
		if t.options > 0 {
			c.add(i, argv.Shown(c.args[i].Text), KindExec, "is an option whose name cannot be read")
			return
		}
	}
}

// add puts a hazard for the word at index i, which only a rule that holds the
// whole word names.
func (c *call) add(i int, flag string, kind Kind, why string) {
	a := &c.args[i]
	c.hazards = append(c.hazards, Hazard{Flag: flag, Start: a.Start, End: a.End, Why: why, Kind: kind,
		Form: FormWord, owner: c.table, Word: a.Text})
}

// addOperand puts a hazard for the operand at index i, which a rule names by
// the operand or by a pattern for it.
func (c *call) addOperand(i int, kind Kind, why string) {
	c.add(i, argv.Shown(c.args[i].Text), kind, why)
	c.hazards[len(c.hazards)-1].Form = formOperand
}

// addSub puts a hazard for the subcommand reached, which a rule names by its words.
func (c *call) addSub(kind Kind, why string) {
	last := &c.args[c.subs[len(c.subs)-1]]
	c.hazards = append(c.hazards, Hazard{Flag: c.path(), Start: last.Start, End: last.End, Why: why, Kind: kind,
		Form: formSub, owner: c.table, Word: last.Text})
}

// drop removes the hazards of the listed options.
func (c *call) drop(names ...string) {
	c.hazards = slices.DeleteFunc(c.hazards, func(h Hazard) bool { return slices.Contains(names, h.Flag) })
}

// has reports whether one of the options is given.
func (c *call) has(names ...string) bool {
	return slices.ContainsFunc(c.seen, func(s seen) bool { return slices.Contains(names, s.name) })
}

// hasLong reports whether a long option is given, in full or abbreviated.
func (c *call) hasLong(name string) bool {
	return slices.ContainsFunc(c.seen, func(s seen) bool {
		return len(s.name) > 2 && strings.HasPrefix(name, s.name)
	})
}

// value returns what the last of the named options is given.
func (c *call) value(names ...string) string {
	found := ""
	for _, s := range c.seen {
		if slices.Contains(names, s.name) {
			found = s.value
		}
	}
	return found
}

// text returns the operand numbered n, or "".
func (c *call) text(n int) string {
	if n >= len(c.operands) {
		return ""
	}
	return c.args[c.operands[n]].Text
}

// addFlag puts a hazard for the word at index i, which a rule names by flag.
func (c *call) addFlag(i int, flag string, kind Kind, why string) {
	c.add(i, flag, kind, why)
	c.hazards[len(c.hazards)-1].Form = formFlag
}

// delegate reads the words from index i as those of another program.
func (c *call) delegate(t *table, i int) {
	if c.nested++; c.nested > 4 || i >= len(c.args) {
		return
	}
	c.subs = nil
	c.scan(t, i)
}

// dropSubs removes the hazards of subcommands.
func (c *call) dropSubs() {
	c.hazards = slices.DeleteFunc(c.hazards, func(h Hazard) bool { return h.Form == formSub })
}
