package shell

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/model"
	"github.com/pigate/pigate/internal/gate/shell/wrap"
)

// empty adds, under unit i, the command that its words make where expansions
// are empty, if that could be another command: with other options, or another
// subcommand. Where nothing in it is guarded it needs no rule of its own.
func (s *source) empty(i int, program string, args []argv.Arg, in feed, p place) {
	own := argv.WrittenArgs(args)
	out := argv.Emptied(s.b.known, program, own)
	if out == nil || p.wrappers >= wrap.MaxWrappers {
		return
	}
	if s.b.memory.Tries++; s.b.memory.Tries > argv.MaxTries {
		return
	}
	out, worth := meant(s.b.known, program, out, own)
	if !worth {
		return
	}
	p = p.under(i, "expansion")
	p.wrappers++
	u := unit{Unit: model.Unit{Via: p.via, Parent: p.parent, Text: argv.QuoteWords(out)}}
	u.Bare, u.body = u.Text, len(u.Text)
	u.Start, u.End = s.span(out[0].Start, out[len(out)-1].End)
	n := s.b.add(u)
	s.name(n, out)
	s.b.units[n].PowerShell = s.b.units[i].PowerShell
	s.command(n, out, in, p)
	if u := &s.b.units[n]; !u.Wrapper && u.Opaque == "" {
		u.Wrapper, u.Transparent = true, true
	}
}

// meant keeps of the emptied words those by which the command is another one,
// and leaves the others as they were written.
func meant(known *catalog.Catalog, program string, out, args []argv.Arg) ([]argv.Arg, bool) {
	worth := len(out) < len(args)
	sub := -1
	if argv.HasSubcommands(known, program) {
		sub = argv.SkipGlobal(known, program, out, 1)
	}
	shift := len(args) - len(out)
	for k := 1; k < len(out); k++ {
		before := args[k]
		if shift > 0 {
			at := slices.IndexFunc(args, func(a argv.Arg) bool { return a.Start == out[k].Start && a.End == out[k].End })
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
	if at < 0 || strings.Trim(name[at:], "\x00") == "" {
		return false // at the end it is a value
	}
	if at == 1 || strings.HasPrefix(name, "--") {
		return true
	}
	return !strings.ContainsFunc(name[1:], func(r rune) bool {
		return r != 0 && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// holdUnknown returns text with each expansion spelled as a parameter that
// nothing is known of.
func holdUnknown(text, name string) string {
	if strings.IndexByte(text, 0) < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] != 0:
			b.WriteByte(text[i])
		case name == "$_" && i+1 < len(text) && argv.IsNameByte(text[i+1]):
			b.WriteString("${_}")
		default:
			b.WriteString(name)
		}
	}
	return b.String()
}
