package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/model"
	"github.com/pigate/pigate/internal/gate/shell/risk"
)

// isOutput reports an operator that opens its target for writing, or may.
func isOutput(op syntax.RedirOperator) bool {
	switch op {
	case syntax.RdrIn, syntax.DplIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return false
	default:
		return true
	}
}

// redirections reads the redirections of unit i, or of a compound command when
// i is negative.
func (s *source) redirections(list []*syntax.Redirect, i int, p place) {
	for _, r := range list {
		if r.N != nil && strings.HasPrefix(r.N.Value, "{") {
			s.named(strings.Trim(r.N.Value, "{}"), int(r.Pos().Offset()), int(r.Word.End().Offset()), p)
		}
		if isOutput(r.Op) {
			s.output(r, i)
		} else if r.Op == syntax.RdrIn {
			s.readsNetwork(r, i, p)
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
	target, _ := s.arg(r.Word)
	out := model.Redirection{Op: r.Op.String(), Target: target.Text, Literal: target.Literal && !s.elsewhere, Unit: i}
	out.Harmless = target.Literal && harmlessTarget(r, target.Text)
	if !target.Literal {
		out.Names = s.names(r.Word)
	}
	out.Start, out.End = s.span(int(r.Pos().Offset()), int(r.Word.End().Offset()))
	if s.b.out.Redirections == nil {
		s.b.out.Redirections = make([]model.Redirection, 0, 4)
	}
	s.b.out.Redirections = append(s.b.out.Redirections, out)
}

// inputWord is the file that a command reads as its input, as a word.
func (s *source) inputWord(w *syntax.Word) []argv.Arg {
	a, _ := s.arg(w)
	args := []argv.Arg{a}
	s.ways([]*syntax.Word{w}, args)
	return args
}

// names are the texts that a word may become, as far as the line tells.
func (s *source) names(w *syntax.Word) (list []string) {
	for _, way := range s.eachOf([]*syntax.Word{w}).ways {
		if a := way.first().Arg(argv.Arg{}); a.Literal && a.Text != "" {
			list = append(list, a.Text)
		}
	}
	return list
}

// harmlessTarget reports that no file is written: `2>&1`, `>&-`, /dev/null.
func harmlessTarget(r *syntax.Redirect, target string) bool {
	if r.Op == syntax.DplOut && isDescriptor(target) {
		return true
	}
	switch target {
	case "/dev/null", "/dev/stdout", "/dev/stderr":
		return true
	}
	return false
}

// isDescriptor reports "1", "-" and "1-", after which >& duplicates, closes or
// moves a descriptor and opens nothing.
func isDescriptor(target string) bool {
	if target == "-" {
		return true
	}
	digits := strings.TrimSuffix(target, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// readsNetwork looks for the network addresses that bash opens in the place of files.
func (s *source) readsNetwork(r *syntax.Redirect, i int, p place) {
	target, _ := s.arg(r.Word)
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
		if isOutput(r.Op) {
			i = s.b.add(s.unit(st, p))
			break
		}
	}
	s.redirections(st.Redirs, i, p)
}
