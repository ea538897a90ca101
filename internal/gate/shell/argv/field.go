package argv

import (
	"strings"
)

// HasField reports whether list, separated by blanks, holds the word.
func HasField(list, word string) bool {
	if word == "" {
		return false
	}
	for rest := list; ; {
		k := strings.Index(rest, word)
		if k < 0 {
			return false
		}
		end := k + len(word)
		if (k == 0 || rest[k-1] == ' ') && (end == len(rest) || rest[end] == ' ') {
			return true
		}
		rest = rest[end:]
	}
}

// IsNameByte reports a byte that the name of a variable may hold.
func IsNameByte(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// IsAssignment reports a word of the form NAME=value or NAME+=value.
func IsAssignment(word string) bool {
	for i := 0; i < len(word); i++ {
		switch c := word[i]; {
		case c == '=':
			return i > 0
		case c == '+':
			return i > 0 && i+1 < len(word) && word[i+1] == '='
		case !IsNameByte(c) || i == 0 && '0' <= c && c <= '9':
			return false
		}
	}
	return false
}

// QuoteWords writes words so that the shell reads them back.
func QuoteWords(args []Arg) string {
	var b strings.Builder
	for i, a := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		text := AsVariable(a.Text)
		if a.Literal && (text == "" || strings.ContainsAny(text, " \t\n\"'\\$`;&|()<>*?[]{}#~!")) {
			text = "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
		}
		b.WriteString(text)
	}
	return b.String()
}

// JoinWords returns the texts of the program and the words with blanks between.
func JoinWords(program string, args []Arg) string {
	n := len(program)
	for _, a := range args {
		n += 1 + len(a.Text)
	}
	var b strings.Builder
	b.Grow(n)
	b.WriteString(program)
	for _, a := range args {
		b.WriteByte(' ')
		b.WriteString(a.Text)
	}
	return b.String()
}
