package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
	"github.com/pigate/pigate/internal/gate/shell/model"
	"github.com/pigate/pigate/internal/gate/shell/risk"
	"github.com/pigate/pigate/internal/gate/shell/wrap"
)

// Pi runs a line with sh where there is no bash, and sh may be dash, for which
// `[[` is a program and `((` opens two subshells. So `[[ x || rm ]]` runs rm
// there, and `((rm -rf / 2))` does too. What dash would run in a test or in
// arithmetic is added to the units.

// testCommands adds the commands that dash finds in a test.
func (s *source) testCommands(t *syntax.TestClause, p place) {
	for _, f := range bash.DashTest(s.text, t) {
		s.alsoRuns(f.Text, f.Start, f.End, p)
	}
}

// arithmeticCommands adds the commands that dash finds between (( and )).
func (s *source) arithmeticCommands(c *syntax.ArithmCmd, p place) {
	for _, f := range bash.DashArithmetic(s.text, c) {
		s.alsoRuns(f.Text, f.Start, f.End, p)
	}
}

// redirectedCommands adds what stands after a `&>FILE` in a simple command: for
// dash the & ends the command, and the rest is another one.
func (s *source) redirectedCommands(st *syntax.Stmt, p place) {
	end := int(st.Cmd.End().Offset())
	for _, r := range st.Redirs {
		if from := int(r.Word.End().Offset()); (r.Op == syntax.RdrAll || r.Op == syntax.AppAll) && from < end {
			s.alsoRuns(s.text[from:end], from, end, p)
			return
		}
	}
}

// alsoRuns adds the commands of a text that only other shells take for one.
func (s *source) alsoRuns(text string, start, end int, p place) {
	if n := s.inside(text, start, end); n != nil {
		n.pieces(p.within("sh"))
	}
}

// redirections reads the redirections of unit i, or of a compound command when
// i is negative.
func (s *source) redirections(list []*syntax.Redirect, i int, p place) {
	for _, r := range list {
		if r.N != nil && strings.HasPrefix(r.N.Value, "{") {
			s.named(strings.Trim(r.N.Value, "{}"), int(r.Pos().Offset()), int(r.Word.End().Offset()), p)
		}
		if bash.IsOutput(r.Op) {
			s.output(r, i)
		} else if r.Op == syntax.RdrIn {
			s.readsNetwork(r, i, p)
			s.inputFile(r, i)
			if i >= 0 {
				s.b.units[i].reads = s.inputWord(r.Word)
			}
		}
		s.word(r.Word, p)
		if r.Hdoc != nil {
			s.word(r.Hdoc, p)
		}
	}
}

func (s *source) output(r *syntax.Redirect, i int) {
	out := model.Redirection{Op: r.Op.String(), Unit: i}
	out.Target, out.Literal, out.Names = s.target(r.Word)
	out.Harmless = out.Literal && bash.HarmlessTarget(r, out.Target)
	out.Literal = out.Literal && !s.elsewhere
	out.Start, out.End = s.span(int(r.Pos().Offset()), int(r.Word.End().Offset()))
	if s.b.out.Redirections == nil {
		s.b.out.Redirections = make([]model.Redirection, 0, 4)
	}
	s.b.out.Redirections = append(s.b.out.Redirections, out)
}

// target is the word after an operator, and the names that it may be where it is
// not literal.
func (s *source) target(w *syntax.Word) (text string, literal bool, names []string) {
	a, _ := bash.Word(w)
	if !a.Literal {
		names = s.names(w)
	}
	return a.Text, a.Literal, names
}

// inputFile notes the file that a command reads as its input.
func (s *source) inputFile(r *syntax.Redirect, i int) {
	in := model.Redirection{Op: r.Op.String(), Unit: i}
	in.Target, in.Literal, in.Names = s.target(r.Word)
	in.Start, in.End = s.span(int(r.Pos().Offset()), int(r.Word.End().Offset()))
	s.b.out.Inputs = append(s.b.out.Inputs, in)
}

// inputWord is the file that a command reads as its input, as a word.
func (s *source) inputWord(w *syntax.Word) []argv.Arg {
	a, _ := bash.Word(w)
	args := []argv.Arg{a}
	s.expander().Ways([]*syntax.Word{w}, args)
	return args
}

// names are the texts that a word may become, as far as the line tells.
func (s *source) names(w *syntax.Word) (list []string) {
	for _, way := range s.expander().EachOf([]*syntax.Word{w}).Ways {
		if a := way.First().Arg(argv.Arg{}); a.Literal && a.Text != "" {
			list = append(list, a.Text)
		}
	}
	return list
}

// readsNetwork looks for the network addresses that bash opens in the place of files.
func (s *source) readsNetwork(r *syntax.Redirect, i int, p place) {
	target, _ := bash.Word(r.Word)
	if !strings.HasPrefix(target.Text, "/dev/tcp/") && !strings.HasPrefix(target.Text, "/dev/udp/") {
		return
	}
	start, end := int(r.Pos().Offset()), int(r.Word.End().Offset())
	if i < 0 {
		text := s.text[start:end]
		u := unit{body: len(text), Unit: model.Unit{Text: text, Bare: text, Via: p.via, Parent: p.parent}}
		u.Start, u.End = s.span(start, end)
		i = s.b.add(u)
	}
	h := risk.Hazard{Flag: "<", Why: "opens a network connection", Kind: risk.KindNet}
	h.Start, h.End = s.span(start, end)
	u := &s.b.units[i]
	u.Hazards = append(u.Hazards, h)
}

// bareRedirections reads a statement of redirections alone. `> file` is a unit
// with that text; `$(< file)` only reads.
func (s *source) bareRedirections(st *syntax.Stmt, p place) {
	i := -1
	for _, r := range st.Redirs {
		if bash.IsOutput(r.Op) {
			i = s.b.add(s.unit(st, p))
			break
		}
	}
	s.redirections(st.Redirs, i, p)
}

// fedCode marks a unit that runs what it reads from its input: a question even
// where a rule allows the program, since the rule says nothing of the code.
func (s *source) fedCode(i int, program string, args []argv.Arg, in wrap.Feed) {
	if in.Stmt == nil {
		return
	}
	if k := slices.IndexFunc(args, func(a argv.Arg) bool { return a.Writes }); k > 0 {
		if _, fed := wrap.ReadsCode(s.b.known, program, args[:k+1]); fed {
			s.b.opaque(i, "it runs what a command writes")
			return
		}
	}
	fd, fed := wrap.ReadsCode(s.b.known, program, args)
	if !fed {
		return
	}
	switch found := in.Input(fd); found.How {
	case wrap.InputHere:
		if !found.Text.Literal {
			s.b.opaque(i, "it runs what it reads from its input")
			return
		}
		h := risk.Hazard{Flag: found.From.Op.String(), Why: "runs code given on standard input", Kind: risk.KindExec, Word: found.Text.Text, Form: risk.FormWord}
		h.Start, h.End = s.b.units[i].Start, s.b.units[i].End
		u := &s.b.units[i]
		u.Hazards = append(u.Hazards, h)
	case wrap.InputPipe:
		s.b.opaque(i, "it runs what it reads from its input")
	case wrap.InputFile:
		if !found.Text.Literal {
			s.b.opaque(i, "it runs what it reads from its input")
		}
	case wrap.InputNone: // what the agent's shell has as its input: nothing
	}
}
