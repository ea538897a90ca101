package argv

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
)

// Meant keeps of the emptied words those by which the command is another one,
// and leaves the others as they were written.
func Meant(known *catalog.Catalog, program string, out, args []Arg) ([]Arg, bool) {
	worth := len(out) < len(args)
	sub := -1
	if HasSubcommands(known, program) {
		sub = SkipGlobal(known, program, out, 1)
	}
	shift := len(args) - len(out)
	for k := 1; k < len(out); k++ {
		before := args[k]
		if shift > 0 {
			at := slices.IndexFunc(args, func(a Arg) bool { return a.Start == out[k].Start && a.End == out[k].End })
			if at < 0 {
				continue
			}
			before = args[at]
		}
		if out[k].Text == before.Text {
			continue
		}
		if k == sub || newOption(before.Text, out[k].Text) {
			out[k].Literal = true
			worth = true
			continue
		}
		out[k] = before
	}
	return out, worth
}

// newOption reports that a word is an option, or another one, only without its
// expansions. The value of an option tells nothing.
func newOption(before, after string) bool {
	if !strings.HasPrefix(after, "-") || len(after) < 2 {
		return false
	}
	if before[0] == 0 {
		return true
	}
	name, _, _ := strings.Cut(before, "=")
	at := strings.IndexByte(name, 0)
	if at < 0 || OnlyHoles(name[at:]) {
		return false // at the end it is a value
	}
	if at == 1 || strings.HasPrefix(name, "--") {
		return true
	}
	return !strings.ContainsFunc(name[1:], func(r rune) bool {
		return r != 0 && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// HoldUnknown returns text with each expansion spelled as a parameter that
// nothing is known of.
func HoldUnknown(text, name string) string {
	if strings.IndexByte(text, 0) < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] != 0:
			b.WriteByte(text[i])
		case name == "$_" && i+1 < len(text) && IsNameByte(text[i+1]):
			b.WriteString("${_}")
		default:
			b.WriteString(name)
		}
	}
	return b.String()
}
