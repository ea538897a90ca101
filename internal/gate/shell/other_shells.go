package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/bash"
)

// Pi runs a line with sh where there is no bash, and sh may be dash, for which
// `[[` is a program and `((` opens two subshells. So `[[ x || rm ]]` runs rm
// there, and `((rm -rf / 2))` does too. What dash would run in a test or in
// arithmetic is added to the units.

// testCommands adds the commands that dash finds in a test: what stands after
// an operator of lists or pipes, or in a new line.
func (s *source) testCommands(t *syntax.TestClause, p place) {
	start := int(t.Left.Offset()) + len("[[")
	text := s.text[start : int(t.Right.Offset())+len("]]")]
	cuts, group := bash.Operators(text)
	if group { // a syntax error there
		return
	}
	for _, at := range cuts {
		rest := text[at:]
		operator := text[at-1]
		rest = strings.TrimLeft(rest, " \t\n!")
		switch {
		case rest == "" || rest[0] == '-' || rest[0] == '<' || rest[0] == '>':
			// An operator of the test is no name of a program.
		case strings.HasPrefix(strings.TrimLeft(rest, `"`), "$") && operator == '&':
			// The program `[[` is not there and fails, and nothing runs after it.
		default:
			s.alsoRuns(rest, start+at, int(t.Right.Offset()), p)
		}
	}
}

// arithmeticCommands adds the commands that dash finds between (( and )). A
// name before an operator that stands alone is taken for a variable: a program
// of that name would get the operator and a number as operands.
func (s *source) arithmeticCommands(c *syntax.ArithmCmd, p place) {
	start, end := int(c.Left.Offset())+len("(("), int(c.Right.Offset())
	text := s.text[start:end]
	cuts, _ := bash.Operators(text)
	for _, at := range append([]int{0}, cuts...) {
		if rest := strings.TrimLeft(text[at:], "( \t\n!\\"); bash.DashRuns(rest) {
			s.alsoRuns(rest, start+at, end, p)
		}
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
