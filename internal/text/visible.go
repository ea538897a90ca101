// Package text prepares text for a terminal: what is hostile in it shows, and
// lines have a width.
package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns s as one line that shows on any terminal exactly what it
// holds: control characters (escape sequences among them), bidirectional
// marks, zero-width and invisible characters, unusual blanks, private-use
// characters and bytes that are no UTF-8 are written as escapes such as
// \n, \u{202e} or \x{ff}. Ordinary text comes back as it is.
func Visible(s string) string { return visible(s, false) }

// VisibleLines is Visible for text of several lines: newlines stay, tabs become
// four blanks.
func VisibleLines(s string) string { return visible(s, true) }

func visible(s string, lines bool) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x{%02x}`, s[i])
		case r == '\n' && lines:
			b.WriteByte('\n')
		case r == '\t' && lines:
			b.WriteString("    ")
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case hidden(r):
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// blanks are characters that take place but show nothing and are not spaces
// by their Unicode category.
var blanks = map[rune]bool{
	'\u034f': true, '\u115f': true, '\u1160': true, '\u17b4': true, '\u17b5': true,
	'\u2800': true, '\u3164': true, '\uffa0': true, '\ufffc': true,
}

// hidden reports whether a character would not show as itself.
func hidden(r rune) bool {
	if r < 0x7f {
		return r < ' '
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp, unicode.Zs,
		unicode.Variation_Selector) || blanks[r] || !unicode.IsGraphic(r)
}
