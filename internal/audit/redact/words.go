package redact

import (
	"strings"

	"github.com/pigate/pigate/internal/audit/redact/clue"
)

// word is one word of a command line: bytes start to end of the text, with its
// quotes, and what it says without them.
type word struct {
	start, end int
	text       string
	// op: it is an operator, such as a redirection.
	op bool
}

// command is the words of one simple command. piped tells that its standard
// input is what the command before it writes.
type command struct {
	words []word
	piped bool
}

// maxDepth is how deep quoted command lines within command lines are read.
const maxDepth = 5

// commands cuts a text into simple commands as a shell would, but with no
// errors: whatever the text is, each word of it comes out. Command lines in
// quotes and substitutions come out as commands of their own.
func commands(s string) []command {
	l := lexer{s: s}
	l.lex(0, len(s), 0)
	return l.done
}

type lexer struct {
	s    string
	done []command
	// within are the commands around a substitution, which go on after it.
	within []outer
	cur    command
	inner  [][2]int
}

// outer is a command with a substitution, and the sign that opened that.
type outer struct {
	command command
	open    byte
}

// lex reads s[from:to].
func (l *lexer) lex(from, to, depth int) {
	l.cur, l.within, l.inner = command{}, l.within[:0], nil
	unpaired := [256]bool{}
	for i := from; i < to; {
		switch c := l.s[i]; {
		case clue.IsSpace(c) && c != '\n':
			i++
		case c == '\\' && i+1 < to && (l.s[i+1] == '\n' || depth > 0 && isLineEnd(l.s[i+1])):
			i += 2
		case c == '\n' || c == ';' || c == '&' || c == '|':
			i = l.separator(i, to)
		case c == '(' || c == '`' && !l.inBackquotes():
			l.within, l.cur = append(l.within, outer{l.cur, c}), command{}
			i++
		case c == ')' || c == '`':
			l.leave(i)
			i++
		case c == '<' || c == '>':
			i = l.redirection(i, to)
		default:
			i = l.word(i, to, depth, &unpaired)
		}
	}
	for len(l.within) > 0 {
		l.leave(to)
	}
	l.finish()
	if depth == maxDepth {
		return
	}
	for _, part := range l.inner {
		l.lex(part[0], part[1], depth+1)
	}
}

func (l *lexer) inBackquotes() bool {
	n := len(l.within)
	return n > 0 && l.within[n-1].open == '`'
}

func (l *lexer) finish() {
	if len(l.cur.words) > 0 {
		l.done = append(l.done, l.cur)
	}
	l.cur = command{}
}

// leave ends a substitution: the command around it goes on, with an operator
// where the substitution was.
func (l *lexer) leave(i int) {
	l.finish()
	if n := len(l.within); n > 0 {
		l.cur, l.within = l.within[n-1].command, l.within[:n-1]
		l.cur.words = append(l.cur.words, word{i, i, "$()", true})
	}
}

func (l *lexer) separator(i, to int) int {
	pipe := l.s[i] == '|'
	if l.s[i] == '&' && (clue.ByteAt(l.s, i-1) == '>' || i+1 < to && l.s[i+1] == '>') {
		return i + 1 // 2>&1, &>file
	}
	l.finish()
	n := i + 1
	if n < to && l.s[n] == l.s[i] && l.s[i] != '\n' {
		n, pipe = n+1, false
	} else if pipe && n < to && l.s[n] == '&' {
		n++
	}
	l.cur.piped = pipe
	return n
}

func (l *lexer) redirection(i, to int) int {
	n := i + 1
	for n < to && n < i+3 && l.s[n] == l.s[i] {
		n++
	}
	if l.s[i] == '<' && n == i+1 && n < to && l.s[n] == '(' {
		return n // process substitution
	}
	if n < to && (l.s[n] == '&' || l.s[n] == '|') {
		n++
	}
	l.cur.words = append(l.cur.words, word{i, n, l.s[i:n], true})
	return n
}

// word reads the word that begins at i. unpaired remembers the quotes that
// have no answer in the rest of the text, such as apostrophes: they are
// letters.
func (l *lexer) word(i, to, depth int, unpaired *[256]bool) int {
	start, quoted := i, false
scan:
	for i < to {
		c := l.s[i]
		switch {
		case clue.IsSpace(c) || strings.IndexByte(";&|()`<>", c) >= 0:
			break scan
		case c == '\\' && depth > 0 && i+1 < to && isLineEnd(l.s[i+1]):
			break scan
		case c == '\\':
			quoted = true
			i = min(i+2, to)
		case (c == '"' || c == '\'') && !unpaired[c]:
			end := closing(l.s[:to], i)
			if end < 0 {
				unpaired[c] = true
				i++
				continue
			}
			quoted = true
			if strings.ContainsAny(l.s[i+1:end], " \t\n") {
				l.inner = append(l.inner, [2]int{i + 1, end})
			}
			i = end + 1
		default:
			i++
		}
	}
	w := word{start: start, end: i, text: l.s[start:i]}
	if quoted {
		w.text = unquote(w.text)
	}
	l.cur.words = append(l.cur.words, w)
	return i
}

// isLineEnd: within quotes, \n and \r are line ends more often than letters.
func isLineEnd(c byte) bool { return c == 'n' || c == 'r' }

// closing finds the quote that answers the one at s[i], or -1.
func closing(s string, i int) int {
	quote := s[i]
	ansi := quote == '\'' && clue.ByteAt(s, i-1) == '$'
	for j := i + 1; j < len(s); j++ {
		if s[j] == '\\' && (quote == '"' || ansi) {
			j++
			continue
		}
		if s[j] == quote {
			return j
		}
	}
	return -1
}

// unquote returns what a word says: quotes removed, backslashes too.
func unquote(s string) string {
	text, _ := spell(s)
	return string(text)
}

// spell returns what a word says and where each byte of that stands in it.
func spell(s string) (text []byte, at []int) {
	emit := func(i int) { text, at = append(text, s[i]), append(at, i) }
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
			emit(i)
		case c == '"' || c == '\'':
			end := closing(s, i)
			if end < 0 {
				emit(i)
				continue
			}
			for i++; i < end; i++ {
				if c == '"' && s[i] == '\\' && i+1 < end && s[i+1] == '"' {
					i++
				}
				emit(i)
			}
		default:
			emit(i)
		}
	}
	return text, at
}

// from returns the bytes of the text that say w.text[k:], without the quotes
// around them.
func (w word) from(s string, k int) (start, end int) {
	return w.part(s, k, len(w.text))
}

// part does the same for w.text[k:to].
func (w word) part(s string, k, to int) (start, end int) {
	if k >= to {
		return w.end, w.end
	}
	raw := s[w.start:w.end]
	start, end = w.start+k, w.start+to
	if len(raw) != len(w.text) {
		_, at := spell(raw)
		start, end = w.start+at[k], w.start+at[to-1]+1
	}
	for start < end && isQuoting(s[start]) {
		start++
	}
	for end > start && isQuoting(s[end-1]) {
		end--
	}
	return start, end
}

func isQuoting(c byte) bool { return c == '"' || c == '\'' || c == '\\' }
