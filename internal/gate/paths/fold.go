package paths

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// foldCase maps every character to the smallest of those that differ from it
// by letter case only, in the composed form: what a file system that takes no
// notice of case or composition takes for one name has one fold.
func foldCase(s string) string {
	if isASCII(s) { // most are, and the rest takes a hundred times as long
		return strings.ToLower(s)
	}
	return foldAny(s)
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func foldAny(s string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return unicode.ToLower(least)
	}, norm.NFC.String(s))
}

// Composed returns the names with the composed spelling (NFC) of those that
// have another one added, which is how rules are usually written.
func Composed(names []string) []string {
	for _, name := range names {
		if composed := norm.NFC.String(name); composed != name {
			names = append(names, composed)
		}
	}
	return names
}
