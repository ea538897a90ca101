package script

import "strings"

// PlainSQL is SQL in lower case as its keywords and names are read: identifiers
// without their quotes ("f", [f], `f`), comments and runs of blanks as one blank.
// Text in single quotes stays as it is. The comments that MySQL executes are
// none.
func PlainSQL(text string) string {
	var b strings.Builder
	blank := func() {
		if b.Len() > 0 && b.String()[b.Len()-1] != ' ' {
			b.WriteByte(' ')
		}
	}
	for i := 0; i < len(text); {
		c, rest := text[i], text[i:]
		switch {
		case c == '\'':
			n := quotedSQL(rest, '\'')
			b.WriteString(rest[:n])
			i += n
		case c == '"' || c == '`':
			n := quotedSQL(rest, c)
			b.WriteString(strings.Trim(rest[:n], string(c)))
			i += n
		case c == '[' && strings.IndexByte(rest, ']') > 0:
			n := strings.IndexByte(rest, ']')
			b.WriteString(rest[1:n])
			i += n + 1
		case strings.HasPrefix(rest, "--"), c == '#' && (i == 0 || text[i-1] == ' ' || text[i-1] == '\n'):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			i += n
			blank()
		case strings.HasPrefix(rest, "/*!"):
			i += len("/*!")
			blank()
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				n = len(rest) - 4
			}
			i += n + 4
			blank()
		case strings.IndexByte(" \t\n\v\f\r", c) >= 0:
			i++
			blank()
		default:
			b.WriteByte(c)
			i++
		}
	}
	return strings.ToLower(b.String())
}

// quotedSQL is the length of a quoted text at the start of rest, with the quotes;
// doubled quotes are one. Without an end it is the rest.
func quotedSQL(rest string, quote byte) int {
	for i := 1; i < len(rest); i++ {
		if rest[i] != quote {
			continue
		}
		if i+1 < len(rest) && rest[i+1] == quote {
			i++
			continue
		}
		return i + 1
	}
	return len(rest)
}
