package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// input is what the line tells of a command's input.
type input struct {
	how   inputKind
	text  argv.Arg         // of a here-document, a here-string or a pipe
	known bool             // text is told
	from  *syntax.Redirect // of a here-document, a here-string or a file
}

type inputKind uint8

const (
	inputNone inputKind = iota // nothing is told
	inputHere                  // a here-document or a here-string
	inputFile                  // a file
	inputPipe                  // a pipe
)

// input finds what feeds a descriptor of a command, "" being the standard
// input: a redirection of the command, else a pipe, else what feeds the commands
// and shell texts around it.
func (s *source) input(in *feed, fd string) input {
	for f := in; f != nil; f = f.outer {
		if f.stmt == nil {
			continue
		}
		for k := len(f.stmt.Redirs) - 1; k >= 0; k-- {
			rd := f.stmt.Redirs[k]
			if n := rd.N; n == nil && fd != "" || n != nil && n.Value != fd && !(n.Value == "0" && fd == "") {
				continue
			}
			switch rd.Op {
			case syntax.Hdoc, syntax.DashHdoc:
				return input{inputHere, s.hereDocument(rd), true, rd}
			case syntax.WordHdoc:
				a, _ := s.arg(rd.Word)
				return input{inputHere, a, true, rd}
			case syntax.RdrIn:
				a, _ := s.arg(rd.Word)
				return input{inputFile, a, false, rd}
			case syntax.DplIn:
				if to := rd.Word.Lit(); fd == "" && to != "" && to != "0" && isDescriptor(to) {
					return s.input(f, strings.TrimSuffix(to, "-"))
				}
			}
		}
		if fd == "" && f.pipe != nil {
			a, ok := s.pipedText(f.pipe)
			return input{how: inputPipe, text: a, known: ok}
		}
	}
	return input{}
}

// stdinText reads what the wrapper runs from its input: the text of a
// here-document or here-string. Text that comes through a pipe is shown to deny
// rules when it can be told, but never trusted.
func (r *running) stdinText() { r.inputText("") }

// inputText does so for a descriptor.
func (r *running) inputText(fd string) {
	s := r.source
	switch in := s.input(&r.in, fd); in.how {
	case inputHere:
		step := " <<<"
		if in.from.Op != syntax.WordHdoc {
			step = " <<"
		}
		r.fed(in.text, step)
		return
	case inputFile: // a script whose name no rule for the wrapper tells
		if !in.text.Literal {
			r.scriptOf(in.text, in.from.Word)
			return
		}
		if in.text.Text == "/dev/null" {
			return
		}
	case inputPipe:
		if in.known {
			r.text(in.text, r.step)
		}
	case inputNone:
	}
	// Not a matter of what the wrapper's own text says, so that no rule for it
	// can mean it: Wrapper stays false.
	s.b.opaque(r.unit, "it runs what it reads from its input")
}

// fed reads text that a redirection of the whole command feeds to the wrapper.
// Where the wrapper stands behind another one, its own text gets it too: a rule
// for the bare name must not cover it.
func (r *running) fed(a argv.Arg, step string) {
	if u := &r.source.b.units[r.unit]; u.Parent >= 0 && !strings.Contains(u.Text, "<<") {
		fed := " <<< " + argv.QuoteWords([]argv.Arg{a})
		u.Text, u.Bare = u.Text+fed, u.Bare+fed
	}
	r.text(a, r.step+step)
}

// hereDocument returns the body of a here-document as its reader gets it.
func (s *source) hereDocument(rd *syntax.Redirect) argv.Arg {
	a := argv.Arg{Literal: true, Quoted: true, Start: int(rd.Pos().Offset()), End: int(rd.Word.End().Offset())}
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
func (s *source) pipedText(st *syntax.Stmt) (argv.Arg, bool) {
	if b, ok := st.Cmd.(*syntax.BinaryCmd); ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll) {
		st = b.Y
	}
	c, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || !writesText(st) {
		return argv.Arg{}, false
	}
	var args []argv.Arg
	for _, w := range c.Args {
		a, _ := s.arg(w)
		a.Literal = a.Literal && !a.Tilde()
		args = append(args, a)
	}
	switch argv.ProgramName(args[0].Text) {
	case "echo", "printf":
		if len(args) == 1 {
			return argv.Arg{}, false
		}
		if t := args[1].Text; len(args) > 2 && (t == "-n" || t == "-e" || t == "-ne" || t == "-en" || t == "--") {
			args = args[1:]
		}
		a := joinArgs(args[1:])
		if strings.Contains(args[1].Text, "%") && args[0].Text == "printf" {
			a.Text = formatted(args[1].Text, args[2:])
		}
		text, ok := ansiText(nulLines.Replace(a.Text))
		if ok {
			a.Text = text
		}
		return a, ok
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
	return argv.Arg{}, false
}

// nulLines makes lines of texts that end in NUL, as `xargs -0` reads them.
var nulLines = strings.NewReplacer(`\\`, `\\`, `\0`, `\n`, `\x00`, `\n`)

// formatted is about what printf writes: its operands in the place of the
// format's verbs, and again for the operands left.
func formatted(format string, operands []argv.Arg) string {
	var b strings.Builder
	for round := 0; round == 0 || len(operands) > 0 && round < argv.MaxGuesses; round++ {
		before := len(operands)
		for i := 0; i < len(format); i++ {
			if format[i] != '%' {
				b.WriteByte(format[i])
				continue
			}
			for i++; i < len(format) && strings.IndexByte("-+ #0123456789.*", format[i]) >= 0; i++ {
			}
			if i < len(format) && format[i] == '%' {
				b.WriteByte('%')
			} else if len(operands) > 0 {
				b.WriteString(operands[0].Text)
				operands = operands[1:]
			}
		}
		if len(operands) == before {
			break
		}
	}
	return b.String()
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
