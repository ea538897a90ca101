package script

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// Awk finds what an awk program runs, writes and loads. It tells strings,
// regular expressions and comments from code, and a > that compares from one
// that writes. An expansion (0x00) counts as an operand.
type Awk struct {
	text string
	pos  int

	depth   int    // open parentheses and brackets
	headed  []bool // for each open parenthesis: it belongs to if, while or for
	print   int    // depth of the print statement being read, -1 outside one
	operand bool   // the last token ended an operand, so that / divides
	ending  slash  // what the last token was, when awks differ on a / behind it
	regexps slash  // where this reading takes such a / for a regular expression
	met     slash  // where such a / was met
	keyword string // the last token when it was a word
	last    byte   // the last byte of the last operator or bracket, 0 after others

	Runs   string // the piece that runs a command
	Writes bool
	Loads  bool
}

// slash is a set of tokens after which some awks divide by / while others begin
// a regular expression.
type slash uint8

const (
	afterStep    slash = 1 << iota // ++ and --
	afterLength                    // length without parentheses
	afterGetline                   // getline without a variable
)

// ReadAwk reads a program in every way that awks differ in, and returns all
// that is found in any.
func ReadAwk(program string) Awk {
	all := Awk{text: program}
	all.read()
	for regexps := slash(1); regexps <= all.met; regexps++ {
		if regexps&all.met != regexps {
			continue
		}
		r := Awk{text: program, regexps: regexps}
		r.read()
		all.met |= r.met
		all.Writes = all.Writes || r.Writes
		all.Loads = all.Loads || r.Loads
		if all.Runs == "" {
			all.Runs = r.Runs
		}
	}
	return all
}

func (r *Awk) read() {
	r.print = -1
	for r.pos < len(r.text) {
		b := r.text[r.pos]
		switch {
		case argv.IsNameByte(b) || b == 0:
			r.word()
			continue
		case b == '"':
			r.pos = closing(r.text, r.pos+1, '"')
			r.operand, r.keyword, r.last, r.ending = true, "", 0, 0
			continue
		case b == '/' && r.beginsRegexp() && r.regexp():
			continue
		case b == '#':
			r.until('\n')
			continue
		case b == '\\' && strings.HasPrefix(r.text[r.pos:], "\\\n"):
			r.pos++
		case b == '\n' && (r.last == ',' || r.last == '&' || r.last == '|'):
			// awk lets a line end after these
		case b == '\n', b == ';', b == '}', b == '{':
			r.endStatement()
		case b != ' ' && b != '\t' && b != '\r':
			r.operator(b)
		}
		r.pos++
	}
}

// word reads a name, a keyword or the digits of a number, which a name may follow
// at once: 1system("x") calls a function.
func (r *Awk) word() {
	start := r.pos
	switch first := r.text[r.pos]; {
	case first == 0:
		r.pos++
	case first >= '0' && first <= '9':
		r.skip(func(b byte) bool { return b >= '0' && b <= '9' || b == '.' })
	default:
		r.skip(argv.IsNameByte)
	}
	w := r.text[start:r.pos]
	r.keyword, r.operand, r.last, r.ending = w, true, 0, 0
	switch w {
	case "length":
		r.ending = afterLength
	case "getline":
		r.ending = afterGetline
	case "print", "printf":
		r.print, r.operand = r.depth, false
	case "if", "while", "for", "else", "do", "in", "return", "delete", "exit", "case", "function", "func":
		r.operand = false
	case "system", "extension":
		if strings.HasPrefix(strings.TrimLeft(r.text[r.pos:], " \t\\\n"), "(") {
			r.Runs = w
		}
	}
}

// beginsRegexp decides whether the / here may begin a regular expression.
func (r *Awk) beginsRegexp() bool {
	if !r.operand {
		return true
	}
	r.met |= r.ending
	return r.ending&r.regexps != 0
}

// regexp skips a regular expression that begins here. It reports false when
// none does, since a line may not end within one.
func (r *Awk) regexp() bool {
	inBracket := false
	for i := r.pos + 1; i < len(r.text); i++ {
		switch b := r.text[i]; {
		case b == '\n':
			return false
		case b == '\\':
			i++
		case b == '[' && !inBracket:
			inBracket = strings.IndexByte(r.text[min(i+2, len(r.text)):], ']') >= 0
			if strings.HasPrefix(r.text[i+1:], "]") || strings.HasPrefix(r.text[i+1:], "^]") {
				i++
			}
		case b == ']':
			inBracket = false
		case b == '/' && !inBracket:
			r.pos, r.operand, r.keyword, r.last, r.ending = i+1, true, "", 0, 0
			return true
		}
	}
	return false
}

// operator reads one or two bytes of punctuation, leaving pos on the last.
func (r *Awk) operator(b byte) {
	keyword := r.keyword
	r.keyword, r.last, r.ending = "", b, 0
	next := byte(0)
	if r.pos+1 < len(r.text) {
		next = r.text[r.pos+1]
	}
	switch b {
	case '(', '[':
		r.depth++
		r.headed = append(r.headed, keyword == "if" || keyword == "while" || keyword == "for")
		r.operand = false
		return
	case ')', ']':
		r.close()
		return
	case '|':
		if next != '|' {
			r.Runs = "|"
		}
	case '>':
		r.greater(next)
	case '@':
		r.Loads = true
	case '+', '-':
		if next == b {
			r.pos++
			r.ending = afterStep
			return // after x++ comes what may follow x
		}
	}
	if next == b && b != '/' && b != '$' && b != '!' || next == '=' {
		r.pos++
	}
	r.operand = false
}

// greater decides whether > writes: it does in a print statement outside
// parentheses, and >> always does.
func (r *Awk) greater(next byte) {
	if next == '=' {
		return
	}
	if next != '>' && (r.print < 0 || r.depth != r.print) {
		return
	}
	target := strings.TrimLeft(strings.TrimLeft(r.text[r.pos:], ">"), " \t")
	for _, free := range [...]string{`"/dev/stderr"`, `"/dev/stdout"`, `"/dev/null"`, `"/dev/fd/1"`, `"/dev/fd/2"`, `"-"`} {
		if rest, ok := strings.CutPrefix(target, free); ok && endsTarget(rest) {
			return
		}
	}
	r.Writes = true
}

// endsTarget reports whether nothing is joined to the file name before rest.
func endsTarget(rest string) bool {
	rest = strings.TrimLeft(rest, " \t")
	return rest == "" || strings.IndexByte(";}\n#", rest[0]) >= 0
}

func (r *Awk) close() {
	r.operand = true
	if n := len(r.headed); n > 0 {
		r.depth--
		r.operand = !r.headed[n-1] // a statement follows if (...), so / begins a pattern
		r.headed = r.headed[:n-1]
	}
	if r.depth < r.print {
		r.print = -1
	}
}

func (r *Awk) endStatement() {
	r.print, r.operand, r.keyword, r.last = -1, false, "", 0
}

func (r *Awk) skip(part func(byte) bool) {
	for r.pos < len(r.text) && part(r.text[r.pos]) {
		r.pos++
	}
}

func (r *Awk) until(b byte) {
	for r.pos < len(r.text) && r.text[r.pos] != b {
		r.pos++
	}
}

// closing returns the index behind the next unescaped quote from at.
func closing(text string, at int, quote byte) int {
	for ; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case quote:
			return at + 1
		}
	}
	return len(text)
}
