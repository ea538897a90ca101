package shell

import (
	"strings"
	"unicode/utf8"
)

// unquoteANSI decodes the text of $'…' as the bash manual describes under
// "ANSI-C Quoting". A NUL ends the text, as it does in bash.
func unquoteANSI(text string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		c := text[i]
		i++
		if c != '\\' || i == len(text) {
			out = append(out, c)
			continue
		}
		c = text[i]
		i++
		if k := strings.IndexByte("abeEfnrtv", c); k >= 0 {
			out = append(out, "\a\b\x1b\x1b\f\n\r\t\v"[k])
			continue
		}
		var code rune
		var n int
		switch {
		case strings.IndexByte(`\'"?`, c) >= 0:
			out = append(out, c)
			continue
		case '0' <= c && c <= '7':
			code, n = digits(text[i-1:], 8, 3)
			i += n - 1
			out, n = append(out, byte(code)), 1
		case c == 'x':
			if code, n = digits(text[i:], 16, 2); n > 0 {
				out = append(out, byte(code))
			}
			i += n
		case c == 'u':
			if code, n = digits(text[i:], 16, 4); n > 0 {
				out = utf8.AppendRune(out, code)
			}
			i += n
		case c == 'U':
			if code, n = digits(text[i:], 16, 8); n > 0 {
				out = utf8.AppendRune(out, code)
			}
			i += n
		case c == 'c' && i < len(text):
			out = append(out, text[i]&0x1f)
			code, n = rune(text[i]&0x1f), 1
			i++
		}
		if n == 0 { // not an escape after all: both characters stand
			out = append(out, '\\', c)
		} else if code == 0 {
			return string(out[:len(out)-1])
		}
	}
	return string(out)
}

// digits reads up to most digits of a base at the start of text and returns
// their value and how many there are.
func digits(text string, base rune, most int) (value rune, n int) {
	for n < len(text) && n < most {
		d := hexDigit(text[n])
		if d >= base {
			break
		}
		value = value*base + d
		n++
	}
	return value, n
}

func hexDigit(c byte) rune {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0')
	case 'a' <= c && c <= 'f':
		return rune(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return rune(c-'A') + 10
	default:
		return 255
	}
}
