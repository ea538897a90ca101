package wrap

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// Input is what the line tells of a command's input.
type Input struct {
	How   InputKind
	Text  argv.Arg         // of a here-document, a here-string or a pipe
	Known bool             // text is told
	From  *syntax.Redirect // of a here-document, a here-string or a file
}

// InputKind is how a command gets its input.
type InputKind uint8

// The kinds of input.

const (
	InputNone InputKind = iota // nothing is told
	InputHere                  // a here-document or a here-string
	InputFile                  // a file
	InputPipe                  // a pipe
)

// stdinText reads what the wrapper runs from its input: the text of a
// here-document or here-string. Text that comes through a pipe is shown to deny
// rules when it can be told, but never trusted.
func (r *Call) stdinText() { r.inputText("") }

// inputText does so for a descriptor.
func (r *Call) inputText(fd string) {
	switch in := r.line.Input(fd); in.How {
	case InputHere:
		step := " <<<"
		if in.From.Op != syntax.WordHdoc {
			step = " <<"
		}
		r.fed(in.Text, step)
		return
	case InputFile: // a script whose name no rule for the wrapper tells
		if !in.Text.Literal {
			r.scriptOf(in.Text, in.From.Word)
			return
		}
		if in.Text.Text == "/dev/null" {
			return
		}
	case InputPipe:
		if in.Known {
			r.text(in.Text, r.Step)
		}
	case InputNone:
	}
	// Not a matter of what the wrapper's own text says, so that no rule for it
	// can mean it: Wrapper stays false.
	r.host.Opaque("it runs what it reads from its input")
}

// fed reads text that a redirection of the whole command feeds to the wrapper.
// Where the wrapper stands behind another one, its own text gets it too: a rule
// for the bare name must not cover it.
func (r *Call) fed(a argv.Arg, step string) {
	if u := r.host.Unit(); u.Parent >= 0 && !strings.Contains(u.Text, "<<") {
		fed := " <<< " + argv.QuoteWords([]argv.Arg{a})
		u.Text, u.Bare = u.Text+fed, u.Bare+fed
	}
	r.text(a, r.Step+step)
}
