package pwsh

import (
	"strings"
	"unicode/utf8"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// Problem says why a text is not understood: Why is "" when it is. A Broken
// text could not be read to its end.
type Problem struct {
	Why    string
	Broken bool
}

// Read reads a text from front to back. The events tell of its commands as far as
// it is read; what it tells of variables is added to v. It never fails: what is
// not understood is told by the problem.
func Read(text string, v *Variables) (list []Event, problem Problem) {
	switch {
	case len(text) > argv.MaxLength:
		return nil, Problem{"the command is too long to be read", true}
	case argv.HasHole(text):
		return nil, Problem{"it holds a NUL byte", true}
	case !utf8.ValidString(text):
		return nil, Problem{"it is not UTF-8", true}
	}
	r := reader{events: &list, vars: v, text: text}
	r.statements(nil)
	if !r.problem.Broken && r.at < len(r.text) {
		r.fail("a bracket closes that was not opened")
	}
	return list, r.problem
}

// reader reads PowerShell text from front to back.
type reader struct {
	events  *[]Event
	vars    *Variables
	text    string
	at      int
	depth   int
	last    *Command // of an assignment or a command
	problem Problem
}

// refuse notes that the text is not understood, and reads on.
func (r *reader) refuse(why string) {
	if r.problem.Why == "" {
		r.problem.Why = why
	}
}

// fail ends the reading.
func (r *reader) fail(why string) {
	r.refuse(why)
	r.problem.Broken = true
	r.at = len(r.text)
}

// take refuses a construct in a context in which grammar does not have it.
// piece is how it is written.
func (r *reader) take(f form, in context, piece string) {
	g := &grammar[f]
	if g.in&in != 0 || r.problem.Why != "" {
		return
	}
	if piece != "" && len(piece) < 40 && strings.IndexFunc(piece, argv.Unseen) < 0 {
		piece = " (" + piece + ")"
	} else {
		piece = ""
	}
	r.refuse("it holds " + g.name + piece + ", which " + g.why)
}

// nested reads statements up to a closing bracket, the opening one being read.
func (r *reader) nested(end byte, p Path) psValue {
	if r.depth++; r.depth > argv.MaxDepth {
		r.fail("the command is nested too deeply to be read")
		return psValue{}
	}
	value := r.statements(p)
	r.close(end)
	r.depth--
	return value
}

// close steps over a closing bracket.
func (r *reader) close(end byte) {
	if r.peek(0) != end {
		r.fail("a bracket is not closed")
		return
	}
	r.at++
}

// statements reads statements up to a closing bracket or the end of the text.
// It returns the value of the only statement.
func (r *reader) statements(p Path) (value psValue) {
	for n := 0; ; n++ {
		r.blanks(true)
		for r.peek(0) == ';' {
			r.at++
			r.blanks(true)
		}
		if c := r.peek(0); c == 0 || c == ')' || c == '}' {
			return value
		}
		before := r.at
		value = r.statement(p)
		if n > 0 {
			value = psValue{}
		}
		if r.at == before { // never without a step forward
			r.take(formStray, inStatement, r.text[r.at:r.at+r.step()])
			r.at += r.step()
		}
	}
}

// peek returns the byte n bytes on, 0 behind the end.
func (r *reader) peek(n int) byte {
	if r.at+n < len(r.text) {
		return r.text[r.at+n]
	}
	return 0
}

// step is the length of the character at hand.
func (r *reader) step() int {
	_, n := utf8.DecodeRuneInString(r.text[r.at:])
	return max(n, 1)
}

// ended reports that a command or an expression ends here.
func (r *reader) ended() bool {
	c := r.peek(0)
	return c == 0 || strings.IndexByte("\n\r;|&)}", c) >= 0
}

// nothing reports that no statement begins here.
func (r *reader) nothing() bool {
	return r.ended() && (r.peek(0) != '&' || r.peek(1) == '&')
}

// glued refuses what stands right behind a word that should be at its end:
// PowerShell would begin another word there, access a member, or go on with
// the same word, by rules that differ from place to place.
func (r *reader) glued(in context) {
	c := r.peek(0)
	if r.ended() || c == ',' || blankLength(r.text[r.at:]) > 0 || c == '>' && in&inName == 0 {
		return
	}
	if in&inName != 0 && (c == '(' || c == '{') {
		return
	}
	r.take(formGlued, in, r.text[r.at:r.at+r.step()])
}

// blanks steps over blanks, comments and continued lines, and over the ends of
// lines if lines is set. A # within a word is no comment: whoever calls this
// has seen the end of a word.
func (r *reader) blanks(lines bool) {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == '\n' || c == '\r':
			if !lines {
				return
			}
			r.at++
		case c == '`' && (r.peek(1) == '\n' || r.peek(1) == '\r'):
			if r.at += 2; r.text[r.at-1] == '\r' && r.peek(0) == '\n' {
				r.at++
			}
		case c == '#':
			if k := strings.IndexAny(r.text[r.at:], "\r\n"); k >= 0 {
				r.at += k
			} else {
				r.at = len(r.text)
			}
		case c == '<' && r.peek(1) == '#':
			end := strings.Index(r.text[r.at+2:], "#>")
			if end < 0 {
				r.fail("a comment is not closed")
				return
			}
			r.at += 2 + end + 2
		default:
			n := blankLength(r.text[r.at:])
			if n == 0 {
				return
			}
			r.at += n
		}
	}
}
