package bash

import (
	"strings"

	"mvdan.cc/sh/v3/expand"
)

// ANSI decodes the text of $'…' and of printf's formats, and reports
// whether all shells decode it alike: it holds no escape that takes more of
// what follows in one than in another, and none that ends the text.
func ANSI(text string) (decoded string, ok bool) {
	if strings.IndexByte(text, '\\') < 0 {
		return text, true
	}
	wide := false // it names characters by number, which the locale may not have
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		if i++; i == len(text) {
			return "", false
		}
		switch c := text[i]; {
		case strings.IndexByte(`\'"abfnrtvEe?`, c) >= 0:
		case c >= '0' && c <= '7':
			if !isOctal(text[i:]) {
				return "", false
			}
		case c == 'x' || c == 'u' || c == 'U':
			if wide = wide || c != 'x'; !isHex(text[i+1:]) {
				return "", false
			}
		default:
			return "", false
		}
	}
	decoded, _, err := expand.Format(&expand.Config{}, text, nil)
	if err != nil || strings.IndexByte(decoded, 0) >= 0 || wide && !IsASCII(decoded) {
		return "", false
	}
	return decoded, true
}

// isOctal reports a number of at most three digits that fits in a byte.
func isOctal(text string) bool {
	return len(text) < 3 || text[0] <= '3' || text[1] < '0' || text[1] > '7' || text[2] < '0' || text[2] > '7'
}

func isHex(text string) bool {
	return text != "" && strings.IndexByte("0123456789abcdefABCDEF", text[0]) >= 0
}

// IsASCII reports a text of ASCII alone.
func IsASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 })
}
