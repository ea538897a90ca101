package bash

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// The bounds of what the parser is given, beside those of every text.
const (
	// maxChain is the longest row of operators within one arithmetic
	// expression; each may nest the expression one level deeper.
	maxChain = 500
	// maxKeywords is how often "if", "while", "until" and "time" may stand in a
	// text; each may nest what follows one level deeper.
	maxKeywords = 2000
)

// Measure scans text once. Bash and the parser disagree about NUL bytes and the
// two control characters that bash uses itself, about carriage returns, which
// bash takes for a part of the word, about a backslash at the very end, and about
// one at the end of a comment, after which the parser goes on in the next line.
// Brackets in quotes count: an opening one as a level, and a closing one hides a
// level, which costs at least three bytes a level, so that MaxLength still bounds
// the nesting. It returns why the text must not be given to the parser, "" if it may.
func Measure(text string) (problem string) {
	if len(text) > argv.MaxLength {
		return "the command is too long to be read"
	}
	if n := len(text) - len(strings.TrimRight(text, `\`)); n%2 == 1 {
		return "it ends in a backslash"
	}
	depth, keywords := 0, 0
	var chains *[argv.MaxDepth + 2]int // operators in each open bracket, counted where they nest
	comment := false                   // a # that may begin a comment stands in the line
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case 0:
			return "it holds a NUL byte"
		case '\r':
			return "it holds a carriage return"
		case 1, 0x7f: // bash marks quoted characters with them
			return "it holds a control character"
		case ' ', '\t':
			if i > 1 && strings.IndexByte("fel", text[i-1]) >= 0 && endsInKeyword(text[:i]) {
				if keywords++; keywords > maxKeywords {
					return "the command is nested too deeply to be read"
				}
			}
		case '#':
			comment = comment || i == 0 || !isWordByte(text[i-1])
		case '\n':
			if comment && text[i-1] == '\\' {
				return "a comment ends in a backslash"
			}
			comment = false
		case '(', '{', '[':
			if depth++; depth > argv.MaxDepth {
				return "the command is nested too deeply to be read"
			}
			arithmetic := opensArithmetic(text, i)
			if arithmetic && chains == nil {
				chains = new([argv.MaxDepth + 2]int)
			}
			if chains != nil {
				if inside := chains[depth-1] > 0 && text[i] != '{'; arithmetic || inside {
					chains[depth] = 1
				} else {
					chains[depth] = 0
				}
			}
		case ')', '}', ']':
			depth = max(depth-1, 0)
		case '!', '-', '+', '~', '?', '=', '*':
			if chains != nil && chains[depth] > 0 {
				if chains[depth]++; chains[depth] > maxChain {
					return "the command holds too long an expression to be read"
				}
			}
		}
	}
	return ""
}

// endsInKeyword reports a text whose last word opens a command that others can
// stand in.
func endsInKeyword(text string) bool {
	return strings.HasSuffix(text, "if") || strings.HasSuffix(text, "while") || strings.HasSuffix(text, "until") || strings.HasSuffix(text, "time")
}

// opensArithmetic reports whether the bracket at i may begin an arithmetic
// expression: `((`, `$[`, a subscript, or the slice of a parameter.
func opensArithmetic(text string, i int) bool {
	if i == 0 {
		return false
	}
	before := text[i-1]
	switch text[i] {
	case '(':
		return before == '('
	case '[':
		return before == '$' || argv.IsNameByte(before)
	case '{':
		return before == '$'
	default:
		return false
	}
}

// isWordByte reports a byte after which a # is part of a word.
func isWordByte(c byte) bool {
	return c > ' ' && strings.IndexByte(";&|()<>`{}", c) < 0
}
