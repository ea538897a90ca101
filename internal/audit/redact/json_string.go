package redact

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// unescape returns what the inside of a JSON string says, and for each of its
// bytes, and its end, where that begins in s. What is no character becomes the
// replacement character, as in encoding/json.
func unescape(s string) (string, []int) {
	var text []byte
	var at []int
	put := func(said string, from int) {
		for range len(said) {
			at = append(at, from)
		}
		text = append(text, said...)
	}
	for i := 0; i < len(s); {
		n := unitLen(s, i)
		if unit := s[i : i+n]; n == 1 && unit[0] < utf8.RuneSelf {
			put(unit, i)
		} else {
			var said string
			if err := json.Unmarshal([]byte(`"`+unit+`"`), &said); err != nil {
				said = string(utf8.RuneError)
			}
			put(said, i)
		}
		i += n
	}
	return string(text), append(at, len(s))
}

// unitLen is the length of the character, or of the escape, at s[i].
func unitLen(s string, i int) int {
	if s[i] != '\\' {
		_, n := utf8.DecodeRuneInString(s[i:])
		return n
	}
	if i+1 < len(s) && s[i+1] != 'u' {
		return 2
	}
	n := 6
	if len(s)-i >= 12 && strings.HasPrefix(s[i+6:], `\u`) && isSurrogate(s[i+2:i+6]) {
		n = 12
	}
	return min(n, len(s)-i)
}

// isSurrogate tells whether four hexadecimal digits are the first half of a
// character.
func isSurrogate(hex string) bool {
	return (hex[0] == 'd' || hex[0] == 'D') && strings.IndexByte("89abAB", hex[1]) >= 0
}
