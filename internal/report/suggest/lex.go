package suggest

import "strings"

// words splits the text of a command, whose blanks outside quotes are single
// spaces, into its words as they are written, quotes included. Quotes,
// substitutions and parentheses hold a word together.
func words(text string) []string {
	var list []string
	start, depth := 0, 0
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote == '\'':
			if c == '\'' {
				quote = 0
			}
		case c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"' || c == '`':
			quote = c
		case c == '(' || c == '{':
			depth++
		case c == ')' || c == '}':
			depth = max(0, depth-1)
		case c == ' ' && depth == 0:
			list = append(list, text[start:i])
			start = i + 1
		}
	}
	return append(list, text[start:])
}

// literal reports that a word means itself: nothing in it is quoted, expanded
// or a wildcard of the shell or of a rule.
func literal(word string) bool {
	return word != "" && !strings.ContainsAny(word, "'\"`$\\*?[]{}()<>|&;!#~ \t\r\n") && !strings.HasPrefix(word, "~")
}

// plain reports that a word looks like the name of a subcommand: letters, digits
// and a few marks between them.
func plain(word string) bool {
	for i := 0; i < len(word); i++ {
		c := word[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || (c < '0' || c > '9') && !strings.ContainsRune("-_:.", rune(c))) {
			return false
		}
	}
	return word != ""
}

// assignment reports that a word sets a variable.
func assignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	if !ok || name == "" {
		return false
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// longest is the length of the longest text, in bytes, that a rule is drafted
// with.
const longest = 200

// draftable reports that a rule could be written for a command at all: it begins
// with the literal name of a program.
func draftable(text string) bool {
	program, _, _ := strings.Cut(text, " ")
	return literal(program) && !assignment(program)
}

// writable reports that the whole text can be written as a rule: it is one line,
// not too long, and holds no body of a here-document.
func writable(text string) bool {
	return len(text) <= longest && !strings.ContainsAny(text, "\n\r\x00") && !strings.Contains(text, "<<")
}
