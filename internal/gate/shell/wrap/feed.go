package wrap

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/bash"
)

// Feed is what a command may read from its input.
type Feed struct {
	Stmt  *syntax.Stmt // the statement with the redirections, nil in a textual split
	Pipe  *syntax.Stmt // the statement that writes into it
	Outer *Feed        // what is around it may feed, nil if nothing
}

// Input finds what feeds a descriptor of a command, "" being the standard
// input: a redirection of the command, else a pipe, else what feeds the commands
// and shell texts around it.
func (in *Feed) Input(fd string) Input {
	for f := in; f != nil; f = f.Outer {
		if f.Stmt == nil {
			continue
		}
		for k := len(f.Stmt.Redirs) - 1; k >= 0; k-- {
			rd := f.Stmt.Redirs[k]
			if n := rd.N; n == nil && fd != "" || n != nil && n.Value != fd && !(n.Value == "0" && fd == "") {
				continue
			}
			switch rd.Op {
			case syntax.Hdoc, syntax.DashHdoc:
				return Input{How: InputHere, Text: bash.HereDocument(rd), Known: true, From: rd}
			case syntax.WordHdoc:
				a, _ := bash.Word(rd.Word)
				return Input{How: InputHere, Text: a, Known: true, From: rd}
			case syntax.RdrIn:
				a, _ := bash.Word(rd.Word)
				return Input{How: InputFile, Text: a, From: rd}
			case syntax.DplIn:
				if to := rd.Word.Lit(); fd == "" && to != "" && to != "0" && bash.IsDescriptor(to) {
					return f.Input(strings.TrimSuffix(to, "-"))
				}
			}
		}
		if fd == "" && f.Pipe != nil {
			a, ok := bash.PipedText(f.Pipe)
			return Input{How: InputPipe, Text: a, Known: ok}
		}
	}
	return Input{}
}
