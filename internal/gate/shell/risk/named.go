package risk

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/pwsh"
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
	if h.Word == "" && strings.HasSuffix(h.Flag, "=") { // a variable set in front of the program
		return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, h.Flag) })
	}
	if h.Form == FormProgram {
		if len(words) == 0 {
			return false
		}
		name, literal := glob.Compile(words[0]).Literal()
		return literal && pwsh.Cmdlet(argv.ProgramName(name)) == h.Flag
	}
	if len(words) < 2 || h.Word == "" {
		return false
	}
	words = words[1:]
	switch h.Form {
	case formSub:
		return holdsInOrder(words, strings.Fields(h.Flag))
	case FormWord:
		return slices.ContainsFunc(words, func(w string) bool { return isLiteral(w, h.Word) })
	case formFlag:
		return slices.ContainsFunc(words, func(w string) bool {
			return w == h.Flag || strings.HasSuffix(h.Flag, "=") && strings.HasPrefix(w, h.Flag) && glob.Match(w, h.Word)
		})
	case formOperand:
		return slices.ContainsFunc(words, h.operandNamed)
	default:
		return h.optionNamed(words)
	}
}

// isLiteral reports whether a rule's word, without wildcards, is the text.
func isLiteral(word, text string) bool {
	literal, ok := glob.Compile(word).Literal()
	return ok && literal == text
}

// operandNamed reports whether one word of a rule means the written operand.
func (h Hazard) operandNamed(word string) bool {
	if isLiteral(word, h.Word) {
		return true
	}
	return strings.Trim(word, `*?.\`) != "" && !strings.Contains(h.Word, "..") && glob.Match(word, h.Word)
}

// optionNamed reads the rule's words by the table the hazard comes from and
// looks for the same entry.
func (h Hazard) optionNamed(words []string) bool {
	if h.owner == nil || h.opt == nil {
		return false
	}
	c := &call{args: make([]argv.Arg, len(words)), table: h.owner, rule: true}
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
		return named.opt == h.opt && (!named.given || !h.given || glob.Match(named.value, h.value))
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
// splits a command, and removes the quotes. The words are patterns of glob.
func patternWords(pattern string) []string {
	var list []string
	var word []byte
	open, quote := false, ""
	for pattern != "" {
		char, wild, rest := glob.Next(pattern)
		pattern = rest
		switch {
		case wild:
			word, open = append(word, char...), true
		case char == `\` && quote != "'" && pattern != "":
			next, wild, rest := glob.Next(pattern)
			open = true
			switch {
			case quote == `"` && !strings.Contains("$`\"\\", next):
				word = append(word, `\\`...)
				continue
			case wild:
				word = append(word, next...)
			default:
				word = append(word, glob.Escape(next)...)
			}
			pattern = rest
		case quote != "" && char == quote:
			quote = ""
		case quote == "" && (char == "'" || char == `"`):
			quote, open = char, true
		case quote == "" && (char == " " || char == "\t" || char == "\n"):
			if open {
				list, word, open = append(list, string(word)), word[:0], false
			}
		default:
			word, open = append(word, glob.Escape(char)...), true
		}
	}
	if open {
		list = append(list, string(word))
	}
	return list
}
