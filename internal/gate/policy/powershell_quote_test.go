package policy

import (
	"math/rand"
	"strings"
	"testing"
)

// powershellState is a second reading of quotes and comments, character by
// character as PowerShell's tokenizer does it, to judge the reader by.
type powershellState struct {
	text string
	at   int
	stop int // where the question is
}

// What stands at a place of a text.
const (
	standsUnknown = iota // the text is broken, or this reading is too coarse
	standsCode
	standsQuoted   // in double quotes
	standsVerbatim // in single quotes or a comment
)

// standing says what stands at a place of the text.
func standing(text string, at int) int {
	s := powershellState{text: text, stop: at}
	return s.code()
}

func (s *powershellState) has(marks ...string) int {
	for _, m := range marks {
		if strings.HasPrefix(s.text[s.at:], m) {
			return len(m)
		}
	}
	return 0
}

func (s *powershellState) single() int { return s.has("'", "\u2018", "\u2019", "\u201a", "\u201b") }
func (s *powershellState) double() int { return s.has("\"", "\u201c", "\u201d", "\u201e") }

func (s *powershellState) code() int {
	fresh, odd := true, false // a token begins here; whether it does is not sure
	for s.at < len(s.text) {
		if s.at >= s.stop {
			return standsCode
		}
		n, found := 1, standsCode
		switch c := s.text[s.at]; {
		case c == '`':
			n = 2
		case s.has("<#", "#") > 0 && odd:
			return standsUnknown
		case s.has("<#") > 0 && fresh:
			found = s.until("#>")
			n = 0
		case c == '#' && fresh:
			found = s.until("\n")
			n = 0
		case c == '@' && fresh && s.here():
			s.at++
			verbatim := s.single() > 0
			end := strings.Index(s.text[s.at:], "\n"+string(s.text[s.at])+"@")
			if end < 0 || s.text[s.at] >= 0x80 {
				return standsUnknown
			}
			if s.at+end > s.stop {
				if verbatim {
					return standsVerbatim
				}
				return standsQuoted
			}
			s.at += end
			n = 3
		case s.single() > 0:
			found = s.string(s.single, false)
			n = 0
		case s.double() > 0:
			found = s.string(s.double, true)
			n = 0
		case s.has("${") > 0:
			found = s.until("}")
			n = 0
		}
		if found != standsCode {
			return found
		}
		fresh = n == 1 && strings.IndexByte(" \t\n;|&(){},", s.text[s.at]) >= 0
		odd = n == 0 || n == 3 || n == 1 && s.text[s.at] == ')'
		s.at += n
	}
	return standsCode
}

// here reports a here-string: only blanks may follow its quote in the line.
func (s *powershellState) here() bool {
	return s.at+2 < len(s.text) && strings.IndexByte("'\"", s.text[s.at+1]) >= 0 && strings.HasPrefix(strings.TrimLeft(s.text[s.at+2:], " \t"), "\n")
}

// until steps behind an end mark.
func (s *powershellState) until(end string) int {
	k := strings.Index(s.text[s.at:], end)
	if k < 0 && end == "\n" {
		k = len(s.text) - s.at - 1
	}
	if k < 0 {
		return standsUnknown
	}
	if s.at+k+len(end) > s.stop {
		return standsVerbatim
	}
	s.at += k + len(end)
	return standsCode
}

// string steps behind a string, into whose subexpressions it looks.
func (s *powershellState) string(quote func() int, expands bool) int {
	inside := standsVerbatim
	if expands {
		inside = standsQuoted
	}
	for s.at += quote(); s.at < len(s.text); {
		if s.at >= s.stop {
			return inside
		}
		n := quote()
		switch {
		case n > 0:
			s.at += n
			if n = quote(); n == 0 {
				return standsCode
			}
			s.at += n
		case expands && s.text[s.at] == '`':
			s.at += 2
		case expands && s.has("${") > 0:
			if s.until("}") != standsCode {
				return standsUnknown
			}
		case expands && s.has("$(") > 0:
			start, depth := s.at, 0
			for s.at++; s.at < len(s.text); s.at++ {
				if c := s.text[s.at]; c == '(' {
					depth++
				} else if c == ')' {
					depth--
				} else if s.has("`\"", "\"\"", "“", "”", "„") > 0 {
					return standsUnknown
				}
				if depth == 0 {
					break
				}
			}
			if s.at >= len(s.text) {
				return standsUnknown
			}
			s.at++
			if s.stop > start && s.stop < s.at {
				return standing(s.text[start+2:s.at-1], s.stop-start-2)
			}
		default:
			s.at++
		}
	}
	return standsUnknown
}

// TestPowerShellQuotesHideNothing: a command that stands outside of quotes and
// comments is seen by a deny rule, or the line asks.
func TestPowerShellQuotesHideNothing(t *testing.T) {
	p := preciseRules(t, "*", "Remove-Item *")
	opened := []string{`"a`, `b"`, `'a`, `b'`, `"`, `'`, "“", "’", `""`, `''`, "`", "$(", ")", "@(", "(", "{", "}", "@'\n", "\n'@", "@\"\n", "\n\"@", "#", " #", "<#", "#>", " <# ", " #> ", "${", "$x", "$"}
	whole := []string{`"a"`, `'a'`, `"a $x b"`, `'it''s'`, `"say ""a"""`, "\"a`\"b\"", `"a 'b' c"`, `'a "b" c'`, "“a”", "‘a’", `$(echo a)`, `"$(echo a) b"`, `"$(echo 'a')"`, "@'\na 'b' \"c\n'@", "@\"\na \"b\" 'c\n\"@", " # a\n", " <# a #> ", "a`;b", `a#b`, `a"b"c`, `a'b'c`, ` `, `, `, `a`, "\n", `; `, ` -x `, ` | `, `echo `, `{ echo a }`, `(echo a)`}
	markers := []string{";ri x;", "; ri x\n", " && ri x ;", ";$(ri x);", "; & { ri x };", " $(ri x) "}
	passed, hidden := 0, 0
	for seed := range int64(5) {
		random := rand.New(rand.NewSource(seed))
		for range 8000 {
			var b strings.Builder
			b.WriteString("echo ")
			part := func() {
				for range random.Intn(4) {
					if random.Intn(6) == 0 {
						b.WriteString(one(random, opened))
					} else {
						b.WriteString(one(random, whole))
					}
					if random.Intn(2) == 0 {
						b.WriteByte(' ')
					}
				}
			}
			part()
			quote := one(random, []string{"", "", "'", `"`, "‘", "“", "@'\n", " # ", " <# "})
			b.WriteString(quote)
			marker := one(random, markers)
			if strings.HasSuffix(b.String(), "`") {
				b.WriteByte('a')
			}
			at := b.Len() + strings.Index(marker, "ri x")
			b.WriteString(marker)
			b.WriteString(map[string]string{"'": "'", `"`: `"`, "‘": "’", "“": "”", "@'\n": "\n'@", " # ": "\n", " <# ": " #> "}[quote])
			part()
			line := b.String()
			if powershellVerdict(p, line).Effect != Allow {
				continue
			}
			passed++
			switch standing(line, at) {
			case standsCode:
				t.Errorf("%q passes beside a deny rule for Remove-Item", line)
			case standsQuoted, standsVerbatim:
				hidden++
			}
		}
	}
	t.Logf("%d lines pass, %d of them with the command in quotes or a comment", passed, hidden)
	if passed < 3000 || hidden < 1500 {
		t.Error("too few lines pass to judge anything")
	}
}
