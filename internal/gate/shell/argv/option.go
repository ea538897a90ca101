package argv

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
)

// SkipGlobal returns the index of the first word at or after i that is not an
// option of the program before its subcommand, nor the value of one.
func SkipGlobal(known *catalog.Catalog, program string, args []Arg, i int) int {
	if i >= len(args) || args[i].Text == "" || args[i].Text[0] != '-' && args[i].Text[0] != '+' {
		return i
	}
	p := known.Lookup(program)
	if p == nil || p.Depth < 0 {
		return i
	}
	for i < len(args) && program == "cargo" && len(args[i].Text) > 1 && args[i].Text[0] == '+' {
		i++
	}
	return SkipOptions(&p.Command, args, i)
}

// SkipOptions returns the index of the first word at or after i that is no option
// of the command, nor the value of one.
func SkipOptions(c *catalog.Command, args []Arg, i int) int {
	for i < len(args) {
		t := args[i].Text
		if len(t) < 2 || t[0] != '-' || t == "--" {
			return i
		}
		n, _ := OptionValues(c, args[i:])
		i += 1 + n
	}
	return min(i, len(args))
}

// OptionValues is how many of the words behind an option, which the first word is, are
// values of it, and whether the command knows the option.
func OptionValues(c *catalog.Command, args []Arg) (n int, told bool) {
	t := args[0].Text
	name, _, attached := strings.Cut(t, "=")
	o := optionFor(c, name)
	if exact := c.Option(t); exact != nil {
		o, attached = exact, false
	}
	if o == nil && t[1] != '-' && len(t) > 2 && (c.Style == catalog.StyleGNU || c.Style == catalog.StyleExact || c.Style == catalog.StyleBundled || c.Style == catalog.StyleNopt) {
		return clusterValues(c, t)
	}
	switch {
	case o != nil && o.Value == catalog.AnyValue && !attached:
		return 1, true
	case o != nil && o.Value == catalog.TwoValues && !attached:
		return 2, true
	case o != nil && o.Value == catalog.TwoValues:
		return 1, true
	case !attached && c.Style == catalog.StyleNopt && len(args) > 1 && IsSwitch(args[1].Text):
		return 1, true
	}
	return 0, o != nil || attached
}

// clusterValues is optionValues for a word of single letters.
func clusterValues(c *catalog.Command, t string) (n int, told bool) {
	for j := 1; j < len(t); j++ {
		o := c.Option("-" + t[j:j+1])
		switch {
		case o == nil:
			return 0, false
		case o.Value == catalog.AnyValue && j+1 == len(t):
			return 1, true
		case o.Value != catalog.NoValue:
			return 0, true
		}
	}
	return 0, true
}

// optionFor returns the option of the command that a name spells, also by the
// beginning of a long name where the style allows that; nil when there is none,
// or several that differ in their values.
func optionFor(c *catalog.Command, name string) (found *catalog.Option) {
	if c.Style == catalog.StyleNopt {
		name = NoptName(name)
	}
	if o := c.Option(name); o != nil {
		return o
	}
	short := c.Style == catalog.StyleGNU || c.Style == catalog.StyleBundled || c.Style == catalog.StyleNopt
	if !short || len(name) < 3 || name[1] != '-' {
		return nil
	}
	for at := c; at != nil; at = at.Outer() {
		for _, o := range at.Options {
			for _, full := range o.Names {
				if o.Value == catalog.Rest || !strings.HasPrefix(full, name) {
					continue
				}
				if found != nil && found.Value != o.Value {
					return nil
				}
				found = o
			}
		}
	}
	return found
}

// NoptName gives an option of npm's the dashes that the catalogue writes it with:
// npm takes any number of them.
func NoptName(name string) string {
	bare := strings.TrimLeft(name, "-")
	switch len(bare) {
	case 0:
		return name
	case 1:
		return "-" + bare
	}
	return "--" + bare
}

// IsSwitch reports a word by which npm's flags are set or not.
func IsSwitch(word string) bool { return word == "true" || word == "false" || word == "null" }

// HasSubcommands reports a program whose options stand before a subcommand.
func HasSubcommands(known *catalog.Catalog, program string) bool {
	p := known.Lookup(ProgramName(program))
	return p != nil && p.Depth >= 0
}
