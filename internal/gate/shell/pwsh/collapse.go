package pwsh

import (
	"strings"
)

// Collapse replaces lines' ends and tabs outside of quotes by one blank.
func Collapse(text string) string {
	if !strings.ContainsAny(text, "\t\n\r") {
		return text
	}
	var b strings.Builder
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			for i+1 < len(text) && strings.IndexByte(" \t\r\n", text[i+1]) >= 0 {
				i++
			}
			c = ' '
		}
		b.WriteByte(c)
	}
	return b.String()
}
