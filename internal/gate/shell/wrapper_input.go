package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// stdinText reads what the wrapper runs from its input: the text of a
// here-document or here-string. Text that comes through a pipe is shown to deny
// rules when it can be told, but never trusted.
func (r *running) stdinText() {
	s := r.source
	if r.in.stmt != nil {
		for k := len(r.in.stmt.Redirs) - 1; k >= 0; k-- {
			rd := r.in.stmt.Redirs[k]
			switch rd.Op {
			case syntax.Hdoc, syntax.DashHdoc:
				r.fed(s.hereDocument(rd), " <<")
				return
			case syntax.WordHdoc:
				a, _ := s.arg(rd.Word)
				r.fed(a, " <<<")
				return
			case syntax.RdrIn: // a script, as if its name were an argument
				if a, _ := s.arg(rd.Word); !a.Literal {
					r.scriptOf(a, rd.Word)
				}
				return
			}
		}
		if r.in.pipe != nil {
			if a, ok := s.pipedText(r.in.pipe); ok {
				r.text(a, r.step)
			}
		}
	}
	// Not a matter of what the wrapper's own text says, so that no rule for it
	// can mean it: Wrapper stays false.
	s.b.opaque(r.unit, "it runs what it reads from its input")
}

// fed reads text that a redirection of the whole command feeds to the wrapper.
// Where the wrapper stands behind another one, its own text gets it too: a rule
// for the bare name must not cover it.
func (r *running) fed(a Arg, step string) {
	if u := &r.source.b.out.Units[r.unit]; u.Parent >= 0 && !strings.Contains(u.Text, "<<") {
		fed := " <<< " + quoteWords([]Arg{a})
		u.Text, u.Bare = u.Text+fed, u.Bare+fed
	}
	r.text(a, r.step+step)
}

// hereDocument returns the body of a here-document as its reader gets it.
func (s *source) hereDocument(rd *syntax.Redirect) Arg {
	a := Arg{Literal: true, Quoted: true, Start: int(rd.Pos().Offset()), End: int(rd.Word.End().Offset())}
	if rd.Hdoc == nil {
		return a
	}
	if word, _ := s.arg(rd.Word); word.Quoted {
		if len(rd.Hdoc.Parts) == 1 {
			if lit, ok := rd.Hdoc.Parts[0].(*syntax.Lit); ok {
				a.Text = lit.Value
				return a
			}
		}
	}
	w := wordReader{literal: true}
	w.parts(rd.Hdoc.Parts, true)
	a.Text, a.Literal = w.text.String(), w.literal
	return a
}

// pipedText tells what a statement writes into a pipe, when it is an echo, a
// printf or a cat of a here-document.
func (s *source) pipedText(st *syntax.Stmt) (Arg, bool) {
	if b, ok := st.Cmd.(*syntax.BinaryCmd); ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll) {
		st = b.Y
	}
	c, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || !writesText(st) {
		return Arg{}, false
	}
	var args []Arg
	for _, w := range c.Args {
		a, _ := s.arg(w)
		args = append(args, a)
	}
	switch programName(args[0].Text) {
	case "echo", "printf":
		if len(args) == 1 {
			return Arg{}, false
		}
		if t := args[1].Text; len(args) > 2 && (t == "-n" || t == "-e" || t == "-ne" || t == "-en" || t == "--" || strings.Contains(t, "%")) {
			args = args[1:]
		}
		a := joinArgs(args[1:])
		a.Text = unquoteANSI(a.Text)
		return a, true
	case "cat":
		for _, rd := range st.Redirs {
			switch rd.Op {
			case syntax.Hdoc, syntax.DashHdoc:
				return s.hereDocument(rd), true
			case syntax.WordHdoc:
				a, _ := s.arg(rd.Word)
				return a, true
			}
		}
	}
	return Arg{}, false
}

// writesText reports a command that may write text which the line tells.
func writesText(st *syntax.Stmt) bool {
	c, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 || len(c.Args[0].Parts) != 1 {
		return false
	}
	lit, ok := c.Args[0].Parts[0].(*syntax.Lit)
	return ok && (lit.Value == "echo" || lit.Value == "printf" || lit.Value == "cat")
}
