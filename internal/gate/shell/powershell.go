package shell

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/model"
)

// PowerShell reads a command line as PowerShell would, as far as it is made of
// the constructs that psGrammar names. Anything else makes the line unparsed,
// with the piece and the reason; what can be read of such a line is still
// shown to deny rules. Like Bash it never fails.
func (r Reader) PowerShell(command string) model.Analysis {
	return r.analyse(command, (*builder).powershell)
}

func (b *builder) powershell(command string) model.Analysis {
	b.aliases = true
	b.root = source{b: b, text: command}
	problem := b.readPowerShell(&b.root, place{parent: -1}, nil)
	if problem.broken {
		f := splitter{source: &b.root, place: place{parent: -1}, known: map[string]bool{}}
		f.split(true)
		f.split(false)
	}
	if problem.why != "" {
		b.out.Unparsed = problem.why
	}
	return b.finish()
}

// psProblem says why a text is not understood: why is "" when it is. A broken
// text could not be read to its end.
type psProblem struct {
	why    string
	broken bool
}

// readPowerShell lists what one PowerShell text would do. The text shares the
// variables v with the text around it, or has its own if v is nil; then it is
// read again until nothing more is found of their values, since a loop may use
// a value that is given further down.
func (b *builder) readPowerShell(s *source, p place, v *psVariables) psProblem {
	switch {
	case len(s.text) > MaxLength:
		return psProblem{"the command is too long to be read", true}
	case strings.IndexByte(s.text, 0) >= 0:
		return psProblem{"it holds a NUL byte", true}
	case !utf8.ValidString(s.text):
		return psProblem{"it is not UTF-8", true}
	case v != nil:
		return b.readPowerShellOnce(s, p, v)
	}
	v = &psVariables{}
	before := *b
	for {
		problem := b.readPowerShellOnce(s, p, v)
		if !v.again() {
			return problem
		}
		spent := *b
		*b = before
		b.nested, b.texts, b.split, b.tries, b.candidates = spent.nested, spent.texts, spent.split, spent.tries, spent.candidates
	}
}

func (b *builder) readPowerShellOnce(s *source, p place, v *psVariables) psProblem {
	outer := b.power
	b.power = v
	r := psReader{source: s, vars: v, text: s.text}
	r.statements(p)
	if !r.problem.broken && r.at < len(r.text) {
		r.fail("a bracket closes that was not opened")
	}
	b.power = outer
	return r.problem
}

// psReader reads PowerShell text from front to back.
type psReader struct {
	source  *source
	vars    *psVariables
	text    string
	at      int
	depth   int
	unit    int // the last one of an assignment or a command
	problem psProblem
}

// refuse notes that the text is not understood, and reads on.
func (r *psReader) refuse(why string) {
	if r.problem.why == "" {
		r.problem.why = why
	}
}

// fail ends the reading.
func (r *psReader) fail(why string) {
	r.refuse(why)
	r.problem.broken = true
	r.at = len(r.text)
}

// take refuses a construct in a context in which psGrammar does not have it.
// piece is how it is written.
func (r *psReader) take(f psForm, in psContext, piece string) {
	g := &psGrammar[f]
	if g.in&in != 0 || r.problem.why != "" {
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
func (r *psReader) nested(end byte, p place) psValue {
	if r.depth++; r.depth > MaxDepth {
		r.fail("the command is nested too deeply to be read")
		return psValue{}
	}
	value := r.statements(p)
	r.close(end)
	r.depth--
	return value
}

// close steps over a closing bracket.
func (r *psReader) close(end byte) {
	if r.peek(0) != end {
		r.fail("a bracket is not closed")
		return
	}
	r.at++
}

// statements reads statements up to a closing bracket or the end of the text.
// It returns the value of the only statement.
func (r *psReader) statements(p place) (value psValue) {
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
			r.take(psStray, psStatement, r.text[r.at:r.at+r.step()])
			r.at += r.step()
		}
	}
}

// peek returns the byte n bytes on, 0 behind the end.
func (r *psReader) peek(n int) byte {
	if r.at+n < len(r.text) {
		return r.text[r.at+n]
	}
	return 0
}

// step is the length of the character at hand.
func (r *psReader) step() int {
	_, n := utf8.DecodeRuneInString(r.text[r.at:])
	return max(n, 1)
}

// ended reports that a command or an expression ends here.
func (r *psReader) ended() bool {
	c := r.peek(0)
	return c == 0 || strings.IndexByte("\n\r;|&)}", c) >= 0
}

// nothing reports that no statement begins here.
func (r *psReader) nothing() bool {
	return r.ended() && (r.peek(0) != '&' || r.peek(1) == '&')
}

// glued refuses what stands right behind a word that should be at its end:
// PowerShell would begin another word there, access a member, or go on with
// the same word, by rules that differ from place to place.
func (r *psReader) glued(in psContext) {
	c := r.peek(0)
	if r.ended() || c == ',' || psBlank(r.text[r.at:]) > 0 || c == '>' && in&psName == 0 {
		return
	}
	if in&psName != 0 && (c == '(' || c == '{') {
		return
	}
	r.take(psGlued, in, r.text[r.at:r.at+r.step()])
}

// blanks steps over blanks, comments and continued lines, and over the ends of
// lines if lines is set. A # within a word is no comment: whoever calls this
// has seen the end of a word.
func (r *psReader) blanks(lines bool) {
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
			n := psBlank(r.text[r.at:])
			if n == 0 {
				return
			}
			r.at += n
		}
	}
}

// bare returns the unit's text: the pieces of the source with one blank where
// it has blanks, without those marked as output if output is false.
func (r *psReader) unitText(pieces []piece, output bool) string {
	slices.SortStableFunc(pieces, func(a, b piece) int { return a.start - b.start })
	return collapse(r.source.join(pieces, output))
}

// collapse replaces lines' ends and tabs outside of quotes by one blank.
func collapse(text string) string {
	if !strings.ContainsAny(text, "\t\n\r") {
		return text
	}
	var b strings.Builder
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			for i+1 < len(text) && strings.IndexByte(" \t\r\n", text[i+1]) >= 0 {
				i++
			}
			c = ' '
		}
		b.WriteByte(c)
	}
	return b.String()
}
