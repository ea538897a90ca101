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

// OptionValues is how many of the words behind an option, which the first word is,
// belong to it, and whether the command knows the option.
func OptionValues(c *catalog.Command, args []Arg) (n int, told bool) {
	t := Table[*catalog.Option]{Style: c.Style, Find: func(name string) (*catalog.Option, catalog.Value, bool) {
		if o := optionFor(c, name); o != nil {
			return o, o.Value, true
		}
		return nil, catalog.NoValue, false
	}}
	found, next := t.Read(args, 0)
	told = true
	for _, f := range found {
		told = told && (f.Known || f.Given)
	}
	return next - 1, told
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
