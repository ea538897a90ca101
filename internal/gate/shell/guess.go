package shell

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/memory"
	"github.com/pigate/pigate/internal/gate/shell/model"
	"github.com/pigate/pigate/internal/gate/shell/wrap"
)

// empty adds, under unit i, the command that its words make where expansions
// are empty, if that could be another command: with other options, or another
// subcommand. Where nothing in it is guarded it needs no rule of its own.
func (s *source) empty(i int, program string, args []argv.Arg, in wrap.Feed, p place) {
	own := argv.WrittenArgs(args)
	out := argv.Emptied(s.b.known, program, own)
	if out == nil || p.wrappers >= wrap.MaxWrappers {
		return
	}
	if s.b.memory.Tries++; s.b.memory.Tries > argv.MaxTries {
		return
	}
	out, worth := argv.Meant(s.b.known, program, out, own)
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

// guess adds, under unit i, the commands that its words make in the ways which
// the line tells: variables set in it, braces, `$(echo …)`. Unit i does not
// become less of a question by it. Only commands are added whose meaning could
// change: the program, an option, a subcommand, what a wrapper runs. Deny rules
// look at the other ways too; see model.Unit.Variants.
func (s *source) guess(i int, args []argv.Arg, in wrap.Feed, p place) {
	ways := 0
	for k := range args {
		if m := args[k].Detail; m != nil {
			ways = max(ways, len(m.Ways))
		}
	}
	for n := range ways {
		s.guessWay(i, n, args, in, p)
	}
}

// guessWay does so for one of the ways.
func (s *source) guessWay(i, way int, args []argv.Arg, in wrap.Feed, p place) {
	if s.b.memory.Tries++; s.b.memory.Tries > argv.MaxTries || p.wrappers >= wrap.MaxWrappers {
		return
	}
	worth := s.b.units[i].Wrapper
	subcommands := argv.HasSubcommands(s.b.known, args[0].Text)
	sub := 1
	if subcommands {
		sub = argv.SkipGlobal(s.b.known, argv.ProgramName(args[0].Text), args, 1)
	}
	var guessed []argv.Arg
	changed := false
	for k, a := range args {
		if a.Detail == nil || way >= len(a.Detail.Ways) {
			guessed = append(guessed, a)
			continue
		}
		words := a.Detail.Ways[way]
		if len(words) == 1 && words[0].Text == a.Text {
			guessed = append(guessed, a)
			continue
		}
		changed = true
		for n, w := range words {
			worth = worth || k == 0 || strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(a.Text, w.Text) || (k+n == 1 || k == sub) && subcommands
			guessed = append(guessed, w)
		}
	}
	if !worth || !changed || len(guessed) == 0 || len(guessed) > memory.MaxElements {
		return
	}
	p = p.under(i, "expansion")
	p.wrappers++
	u := unit{Unit: model.Unit{Via: p.via, Parent: p.parent, Text: argv.QuoteWords(guessed)}}
	u.Bare, u.body = u.Text, len(u.Text)
	u.Start, u.End = s.span(args[0].Start, args[len(args)-1].End)
	n := s.b.add(u)
	s.name(n, guessed)
	s.command(n, guessed, in, p)
}
