package clue

import "strings"

// Value is what follows a name: bytes start to end of the text, without the
// quotes around it. Quote is the quote, or 0.
type Value struct {
	Start, End int
	Quote      byte
	// Cut: it may go on after End.
	Cut bool
}

// ReadValue reads the value that begins at s[i]. It knows the quotes of shells
// and programming languages, and quotes escaped within others.
func ReadValue(s string, i int) Value {
	i = SkipQuotePrefix(s, i)
	if i >= len(s) {
		return Value{Start: i, End: i}
	}
	escapes := 0
	for i+escapes < len(s) && s[i+escapes] == '\\' {
		escapes++
	}
	if q := i + escapes; q < len(s) && IsQuote(s[q]) {
		if v, ok := readQuoted(s, q, escapes); ok {
			return v
		}
		return Value{Start: q, End: q} // it closes what the name stands in: no value
	}
	near := s[:min(len(s), i+maxBare)]
	end := bareStop(near, i)
	if end == len(near) && end < len(s) {
		return Value{Start: i, End: end, Cut: true}
	}
	return bareEnd(s, i, end)
}

// IsQuote reports the quotes of shells and programming languages.
func IsQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// SkipQuotePrefix passes over b", r', f", @', $' and the like.
func SkipQuotePrefix(s string, i int) int {
	for n := range 3 {
		if i+n >= len(s) {
			return i
		}
		switch c := s[i+n]; {
		case IsQuote(c) && c != '`':
			return i + n
		case strings.IndexByte("bBrRfFuU@$", c) < 0:
			return i
		}
	}
	return i
}

// How far a value may reach, in bytes: in quotes, and without.
const (
	MaxValue = 4 << 10
	maxBare  = 512
)

// readQuoted reads up to the quote that answers the one at s[q]. It says no if
// that one rather closes a quotation: a blank or the end follows it, or only a
// closing sign with no answer nearby.
func readQuoted(s string, q, escapes int) (Value, bool) {
	quote := s[q]
	i := q + 1
	s = s[:min(len(s), q+MaxValue)]
	if i >= len(s) || IsSpace(s[i]) {
		return Value{}, false
	}
	if s[i] == quote && escapes == 0 { // "" or the start of """
		if i+1 < len(s) && s[i+1] == quote {
			end := strings.Index(s[q+3:], s[q:q+3])
			if end < 0 {
				end = len(s) - q - 3
			}
			return Value{Start: q + 3, End: q + 3 + end, Quote: quote}, true
		}
		return Value{Start: i, End: i, Quote: quote}, true
	}
	end := -1
	for j := i; j < len(s) && s[j] != '\n'; j++ {
		if s[j] == '\\' && quote != '\'' && escapes == 0 {
			j++
			continue
		}
		if s[j] == quote && (escapes == 0 || s[j-1] == '\\') {
			end = j
			break
		}
	}
	closing := strings.IndexByte(";|&),}]>:", s[i]) >= 0
	switch {
	case end < 0 && closing:
		return Value{}, false
	case end < 0:
		end = lineEnd(s, i)
		return Value{Start: i, End: end, Quote: quote, Cut: end-q == MaxValue}, true
	case closing && strings.ContainsAny(s[i:end], " \t"):
		return Value{}, false
	}
	if escapes > 0 {
		end = max(i, end-escapes)
	}
	return Value{Start: i, End: end, Quote: quote}, true
}

func lineEnd(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s)
}

// bareStop returns where an unquoted value ends: at a blank, a quote or an
// operator of the shell, or at a separator before the next name=value.
func bareStop(s string, i int) int {
	start := i
	for i < len(s) {
		switch c := s[i]; {
		case IsSpace(c), IsQuote(c) && c != '`', c == ';', c == '|', c == '<' && i > start, c == '>':
			return i
		case c == '<':
			i = skipTo(s, i, '>')
			continue
		case c == '`':
			if i > start {
				return i
			}
			i = skipTo(s, i, '`')
			continue
		case c == '\\' && i+1 < len(s) && strings.IndexByte("nrt\"'`\n", s[i+1]) >= 0:
			return i
		case c == '\\' && i+1 < len(s):
			i++
		case c == '$' && i+1 < len(s) && (s[i+1] == '(' || s[i+1] == '{'):
			i = SkipNested(s, i+1)
			continue
		case c == '{' && i+1 < len(s) && s[i+1] == '{':
			i = SkipNested(s, i)
			continue
		case c == '/' && i > start && NameFollows(s, i+1): // the right side of s/name=.*/name=value/
			return i
		case c == '&' || c == ',':
			if i+1 >= len(s) || s[i+1] == c || IsSpace(s[i+1]) || IsQuote(s[i+1]) || NameFollows(s, i+1) {
				return i
			}
		}
		i++
	}
	return min(i, len(s))
}

// bareEnd leaves closing brackets that nothing opened, and the end of a
// sentence or of a substitution (s/a/b/), out of a value.
func bareEnd(s string, start, end int) Value {
	v := s[start:end]
	for len(v) > 1 {
		last := v[len(v)-1]
		open := strings.IndexByte(")]}", last)
		if open >= 0 && strings.Count(v, "([{"[open:open+1]) < strings.Count(v, v[len(v)-1:]) || last == '.' || last == ':' {
			v = v[:len(v)-1]
			continue
		}
		break
	}
	for _, flags := range []string{"/", "/g", "/i", "/gi"} { // s/a/b/g
		v = strings.TrimSuffix(v, flags)
	}
	return Value{Start: start, End: start + len(v)}
}

// skipTo returns the offset after the next c, or of the next blank.
func skipTo(s string, i int, c byte) int {
	for j := i + 1; j < len(s) && j < i+MaxName; j++ {
		if s[j] == c {
			return j + 1
		}
		if s[j] == '\n' {
			break
		}
	}
	return i + 1
}

// SkipNested returns the offset after the bracket that closes the one at s[i],
// or i+1 if none does nearby.
func SkipNested(s string, i int) int {
	depth := 0
	for j := i; j < len(s) && j < i+1024; j++ {
		switch s[j] {
		case '(', '{':
			depth++
		case ')', '}':
			if depth--; depth == 0 {
				return j + 1
			}
		}
	}
	return i + 1
}

// NameFollows tells whether s[i:] begins with name=value.
func NameFollows(s string, i int) bool {
	j := i
	for j < len(s) && j < i+MaxName && (IsAlnum(s[j]) || strings.IndexByte("_-.[]%", s[j]) >= 0) {
		j++
	}
	if j == i || j+1 >= len(s) || s[j] != '=' {
		return false
	}
	return s[j+1] != '=' && !IsSpace(s[j+1]) && !IsQuote(s[j+1])
}
