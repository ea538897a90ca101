package bash

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Fragment is a piece of a text, with the bytes that it belongs to.
type Fragment struct {
	Text       string
	Start, End int
}

// DashTest lists the commands that dash finds in a test: what stands after an
// operator of lists or pipes, or in a new line.
func DashTest(text string, t *syntax.TestClause) (list []Fragment) {
	start, end := int(t.Left.Offset())+len("[["), int(t.Right.Offset())
	text = text[start : end+len("]]")]
	cuts, group := Operators(text)
	if group { // a syntax error there
		return nil
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
			list = append(list, Fragment{rest, start + at, end})
		}
	}
	return list
}

// DashArithmetic lists the commands that dash finds between (( and )). A name before
// an operator that stands alone is taken for a variable: a program of that name
// would get the operator and a number as operands.
func DashArithmetic(text string, c *syntax.ArithmCmd) (list []Fragment) {
	start, end := int(c.Left.Offset())+len("(("), int(c.Right.Offset())
	text = text[start:end]
	cuts, _ := Operators(text)
	for _, at := range append([]int{0}, cuts...) {
		if rest := strings.TrimLeft(text[at:], "( \t\n!\\"); DashRuns(rest) {
			list = append(list, Fragment{rest, start + at, end})
		}
	}
	return list
}
