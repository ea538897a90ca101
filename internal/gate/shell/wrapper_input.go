package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
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
				return input{inputHere, bash.HereDocument(rd), true, rd}
			case syntax.WordHdoc:
				a, _ := bash.Word(rd.Word)
				return input{inputHere, a, true, rd}
			case syntax.RdrIn:
				a, _ := bash.Word(rd.Word)
				return input{inputFile, a, false, rd}
			case syntax.DplIn:
				if to := rd.Word.Lit(); fd == "" && to != "" && to != "0" && bash.IsDescriptor(to) {
					return s.input(f, strings.TrimSuffix(to, "-"))
				}
			}
		}
		if fd == "" && f.pipe != nil {
			a, ok := bash.PipedText(f.pipe)
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
