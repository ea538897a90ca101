package bash

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// DashRuns reports that dash would run a program that the text of an expression
// begins with.
func DashRuns(text string) bool {
	if strings.HasPrefix(text, "$") || strings.HasPrefix(text, "`") {
		return !plainDollar(text) // the output or the value is the program
	}
	n := strings.IndexFunc(text, func(r rune) bool { return r > 127 || !argv.IsNameByte(byte(r)) })
	if n < 0 {
		n = len(text)
	}
	if !syntax.ValidName(text[:n]) {
		return false
	}
	rest := strings.TrimLeft(text[n:], " \t")
	if rest == "" || strings.IndexByte("&|;)\n", rest[0]) >= 0 {
		return true // the name alone
	}
	operator, _, _ := strings.Cut(rest, " ")
	glued := len(rest) == len(text)-n
	return !glued && strings.Trim(operator, "=<>+-/%^!?:,") != ""
}

// plainDollar reports $name, ${name} and ${#name} with whatever follows.
func plainDollar(word string) bool {
	if word[0] != '$' {
		return false
	}
	name, braced := strings.CutPrefix(word[1:], "{")
	name = strings.TrimPrefix(name, "#")
	end := strings.IndexFunc(name, func(r rune) bool { return r > 127 || !argv.IsNameByte(byte(r)) })
	if end < 0 {
		end = len(name)
	}
	return end > 0 && (!braced || strings.HasPrefix(name[end:], "}"))
}

// Operators lists the offsets in text, outside of quotes, after which a command
// begins, and reports a bracket that opens a group after a word.
func Operators(text string) (cuts []int, group bool) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\\':
			i++
		case '\'', '"', '`':
			if i = quoteEnd(text, i); i < 0 {
				return cuts, group
			}
		case '$':
			if strings.HasPrefix(text[i+1:], "(") {
				if i = closingBracket(text, i+1, true); i < 0 {
					return cuts, group
				}
			}
		case '(':
			if before := strings.TrimRight(text[:i], " \t!("); before != "" && strings.IndexByte("|&;\n", before[len(before)-1]) >= 0 {
				cuts = append(cuts, i+1) // a subshell
			} else {
				group = true
			}
		case '|', '&', ';', '\n':
			if i+1 < len(text) && text[i+1] == c {
				i++
			}
			cuts = append(cuts, i+1)
		}
	}
	return cuts, group
}
