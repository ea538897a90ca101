package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
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
	cuts, group := operators(text)
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
	cuts, _ := operators(text)
	for _, at := range append([]int{0}, cuts...) {
		if rest := strings.TrimLeft(text[at:], "( \t\n!\\"); dashRuns(rest) {
			s.alsoRuns(rest, start+at, end, p)
		}
	}
}

// dashRuns reports that dash would run a program that the text of an expression
// begins with.
func dashRuns(text string) bool {
	if strings.HasPrefix(text, "$") || strings.HasPrefix(text, "`") {
		return !plainDollar(text) // the output or the value is the program
	}
	n := strings.IndexFunc(text, func(r rune) bool { return r > 127 || !argv.IsNameByte(byte(r)) })
	if n < 0 {
		n = len(text)
	}
	if !syntax.ValidName(text[:n]) {
		return false
	}
	rest := strings.TrimLeft(text[n:], " \t")
	if rest == "" || strings.IndexByte("&|;)\n", rest[0]) >= 0 {
		return true // the name alone
	}
	operator, _, _ := strings.Cut(rest, " ")
	glued := len(rest) == len(text)-n
	return !glued && strings.Trim(operator, "=<>+-/%^!?:,") != ""
}

// plainDollar reports $name, ${name} and ${#name} with whatever follows.
func plainDollar(word string) bool {
	if word[0] != '$' {
		return false
	}
	name, braced := strings.CutPrefix(word[1:], "{")
	name = strings.TrimPrefix(name, "#")
	end := strings.IndexFunc(name, func(r rune) bool { return r > 127 || !argv.IsNameByte(byte(r)) })
	if end < 0 {
		end = len(name)
	}
	return end > 0 && (!braced || strings.HasPrefix(name[end:], "}"))
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

// operators lists the offsets in text, outside of quotes, after which a command
// begins, and reports a bracket that opens a group after a word.
func operators(text string) (cuts []int, group bool) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\\':
			i++
		case '\'', '"', '`':
			if i = quoteEnd(text, i); i < 0 {
				return cuts, group
			}
		case '$':
			if strings.HasPrefix(text[i+1:], "(") {
				if i = closingBracket(text, i+1, true); i < 0 {
					return cuts, group
				}
			}
		case '(':
			if before := strings.TrimRight(text[:i], " \t!("); before != "" && strings.IndexByte("|&;\n", before[len(before)-1]) >= 0 {
				cuts = append(cuts, i+1) // a subshell
			} else {
				group = true
			}
		case '|', '&', ';', '\n':
			if i+1 < len(text) && text[i+1] == c {
				i++
			}
			cuts = append(cuts, i+1)
		}
	}
	return cuts, group
}
