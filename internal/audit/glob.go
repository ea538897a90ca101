package audit

import "strings"

// Glob reports whether a pattern matches the whole of a text: * is any run of
// characters, ? any one, and a backslash takes the next character as it is. All
// else, newlines and slashes too, stands for itself. It takes at most as many
// steps as the product of both lengths.
func Glob(pattern, text string) bool {
	p, t := []rune(pattern), []rune(text)
	star, mark := -1, 0 // where to go on when the last * must take one more
	i := 0
	for j := 0; j < len(t); {
		switch n := literal(p, i); {
		case i < len(p) && p[i] == '*':
			star, mark = i, j
			i++
			continue
		case i < len(p) && (p[i] == '?' || p[i+n-1] == t[j]):
			i += n
			j++
			continue
		case star < 0:
			return false
		}
		mark++
		i, j = star+1, mark
	}
	return strings.Trim(string(p[i:]), "*") == ""
}

// literal is how many characters of a pattern stand for the one at i: 2 for an
// escape, else 1.
func literal(p []rune, i int) int {
	if i+1 < len(p) && p[i] == '\\' {
		return 2
	}
	return 1
}
