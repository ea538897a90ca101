package shell

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
)

// skipGlobal returns the index of the first word at or after i that is not an
// option of the program before its subcommand, nor the value of one.
func skipGlobal(program string, args []Arg, i int) int {
	if i >= len(args) || args[i].Text == "" || args[i].Text[0] != '-' && args[i].Text[0] != '+' {
		return i
	}
	p := catalog.Lookup(program)
	if p == nil || p.Depth < 0 {
		return i
	}
	for i < len(args) && program == "cargo" && len(args[i].Text) > 1 && args[i].Text[0] == '+' {
		i++
	}
	return skipOptions(&p.Command, args, i)
}

// skipOptions returns the index of the first word at or after i that is no option
// of the command, nor the value of one.
func skipOptions(c *catalog.Command, args []Arg, i int) int {
	for i < len(args) {
		t := args[i].Text
		if len(t) < 2 || t[0] != '-' || t == "--" {
			return i
		}
		i++
		if o := c.Option(t); o != nil && o.Value == catalog.AnyValue {
			i++
		}
	}
	return min(i, len(args))
}

// hasSubcommands reports a program whose options stand before a subcommand.
func hasSubcommands(program string) bool {
	p := catalog.Lookup(programName(program))
	return p != nil && p.Depth >= 0
}

// hasField reports whether list, separated by blanks, holds the word.
func hasField(list, word string) bool {
	if word == "" {
		return false
	}
	for rest := list; ; {
		k := strings.Index(rest, word)
		if k < 0 {
			return false
		}
		end := k + len(word)
		if (k == 0 || rest[k-1] == ' ') && (end == len(rest) || rest[end] == ' ') {
			return true
		}
		rest = rest[end:]
	}
}
