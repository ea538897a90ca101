package shell

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
)

// NamedBy reports whether pattern, an allow rule's text without its scope,
// names the hazard so that the rule means it. An option is named by any of its
// spellings, alone or in a cluster: `find * -delete`, `sed -ni *`. When the rule
// gives the option a value, this hazard's value must match it: `curl -o out.*`
// does not name `-o /etc/passwd`. A subcommand is named by its words
// (`git config *`), a written operand by a pattern word with literal text in it
// (`tee /tmp/*`), a variable by its name (`GIT_PAGER=cat *`), a script only by
// the whole script. `git *` names nothing.
func (h Hazard) NamedBy(pattern string) bool {
	words := patternWords(pattern)
	if h.word == "" && strings.HasSuffix(h.Flag, "=") { // a variable set in front of the program
		return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, h.Flag) })
	}
	if h.form == formProgram {
		return len(words) > 0 && psCmdlet(programName(unescaped(words[0]))) == h.Flag
	}
	if len(words) < 2 || h.word == "" {
		return false
	}
	words = words[1:]
	switch h.form {
	case formSub:
		return holdsInOrder(words, strings.Fields(h.Flag))
	case formWord:
		return slices.ContainsFunc(words, func(w string) bool { return unescaped(w) == h.word })
	case formFlag:
		return slices.ContainsFunc(words, func(w string) bool {
			return w == h.Flag || strings.HasSuffix(h.Flag, "=") && strings.HasPrefix(w, h.Flag) && globMatch(w, h.word)
		})
	case formOperand:
		return slices.ContainsFunc(words, h.operandNamed)
	default:
		return h.optionNamed(words)
	}
}

// operandNamed reports whether one word of a rule means the written operand.
func (h Hazard) operandNamed(word string) bool {
	if unescaped(word) == h.word {
		return true
	}
	return strings.Trim(word, `*?.\`) != "" && !strings.Contains(h.word, "..") && globMatch(word, h.word)
}

// optionNamed reads the rule's words by the table the hazard comes from and
// looks for the same entry.
func (h Hazard) optionNamed(words []string) bool {
	if h.owner == nil || h.opt == nil {
		return false
	}
	c := &call{args: make([]Arg, len(words)), table: h.owner, rule: true}
	for i, w := range words {
		c.args[i].Text = h.owner.openEnded(w)
	}
	for i := 0; i < len(words); {
		if w := c.args[i].Text; len(w) > 1 && w[0] == '-' && w != "--" {
			i = c.option(i)
		} else {
			c.operand(i)
			i++
		}
	}
	return slices.ContainsFunc(c.hazards, func(named Hazard) bool {
		return named.opt == h.opt && (!named.given || !h.given || globMatch(named.value, h.value))
	})
}

// openEnded turns a rule's word "--output*" into "--output=*".
func (t *table) openEnded(word string) string {
	bare, ok := strings.CutSuffix(word, "*")
	if !ok {
		return word
	}
	for at := t; at != nil; at = at.outer() {
		if s := at.names[bare]; s != nil && len(bare) > 2 {
			if s.value == catalog.NoValue {
				return bare
			}
			return bare + "=*"
		}
	}
	return word
}

// holdsInOrder reports whether words holds each wanted word, in order.
func holdsInOrder(words, wanted []string) bool {
	for _, w := range words {
		if len(wanted) > 0 && w == wanted[0] {
			wanted = wanted[1:]
		}
	}
	return len(wanted) == 0
}

// patternWords splits a rule's pattern at blanks outside quotes, as the shell
// splits a command, and removes the quotes. In the words a backslash marks the
// next byte as literal where it could be a wildcard or a backslash itself.
func patternWords(pattern string) []string {
	var out []string
	var word []byte
	open := false
	var quote byte
	for i := 0; i < len(pattern); {
		b, wild, next := patternByte(pattern, i)
		i = next
		switch {
		case wild:
			word, open = append(word, b), true
		case b == '\\' && quote != '\'' && i < len(pattern):
			escaped, wild, next := patternByte(pattern, i)
			if quote == '"' && strings.IndexByte("$`\"\\", escaped) < 0 {
				word, open = appendLiteral(word, b), true
				break
			}
			i, open = next, true
			if word = appendLiteral(word, escaped); wild {
				word = append(word[:len(word)-2], escaped)
			}
		case quote != 0 && b == quote:
			quote = 0
		case quote == 0 && (b == '\'' || b == '"'):
			quote, open = b, true
		case quote == 0 && (b == ' ' || b == '\t' || b == '\n'):
			if open {
				out = append(out, string(word))
				word, open = word[:0], false
			}
		default:
			word, open = appendLiteral(word, b), true
		}
	}
	if open {
		out = append(out, string(word))
	}
	return out
}

// patternByte reads one byte of a rule's pattern: * and ? are wild, \*, \? and
// \\ are literal, any other backslash is itself.
func patternByte(pattern string, i int) (b byte, wild bool, next int) {
	b = pattern[i]
	if b == '\\' && i+1 < len(pattern) && strings.IndexByte(`*?\`, pattern[i+1]) >= 0 {
		return pattern[i+1], false, i + 2
	}
	return b, b == '*' || b == '?', i + 1
}

// appendLiteral appends a byte that stands for itself.
func appendLiteral(word []byte, b byte) []byte {
	if strings.IndexByte(`*?\`, b) >= 0 {
		word = append(word, '\\')
	}
	return append(word, b)
}

// unescaped removes the backslashes of a rule's word. A word with a wildcard in
// it becomes "", which equals no word of a command that matters.
func unescaped(word string) string {
	if !strings.ContainsAny(word, `\*?`) {
		return word
	}
	var b strings.Builder
	for i := 0; i < len(word); i++ {
		switch word[i] {
		case '*', '?':
			return ""
		case '\\':
			if i+1 < len(word) {
				i++
			}
		}
		b.WriteByte(word[i])
	}
	return b.String()
}

// globMatch matches text against a rule's word: * is any text, ? one byte, a
// backslash makes the next byte literal. It takes time proportional to the
// product of both lengths at worst.
func globMatch(pattern, text string) bool {
	p, t, star, mark := 0, 0, -1, 0
	for t < len(text) {
		if p < len(pattern) && pattern[p] == '*' {
			star, mark = p, t
			p++
			continue
		}
		if width, ok := globByte(pattern, p, text[t]); ok {
			p += width
			t++
			continue
		}
		if star < 0 {
			return false
		}
		mark++
		p, t = star+1, mark
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// globByte reports whether the pattern at p takes b, and how wide that piece is.
func globByte(pattern string, p int, b byte) (width int, ok bool) {
	switch {
	case p >= len(pattern):
		return 0, false
	case pattern[p] == '?':
		return 1, true
	case pattern[p] == '\\' && p+1 < len(pattern):
		return 2, pattern[p+1] == b
	default:
		return 1, pattern[p] == b
	}
}
