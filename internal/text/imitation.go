package text

import (
	"fmt"
	"strings"
	"unicode"
)

// imitations are letters of other scripts that look like ASCII letters, from
// Unicode's list of confusables (UTS 39), those that fonts draw alike.
var imitations = func() map[rune]rune {
	all := map[rune]rune{}
	for _, pair := range [...]struct{ others, ascii string }{
		{"\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u0475\u04cf\u0461", "aeopcyxijshdqwvlw"},                                    // Cyrillic
		{"\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0406\u0408\u0405\u0500\u051a\u051c\u04c0", "ABEKMHOPCTYXIJSDQWI"},                      // Cyrillic capitals
		{"\u03bf\u03bd\u03c1\u03b9\u03b1\u03c5\u03f2\u03f3\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7", "ovpiaucjABEZHIKMNOPTYX"}, // Greek
		{"\u0585\u057d\u0578\u0570\u0566\u0581\u0563\u0561", "ounhqgqw"},                                                                                                   // Armenian
		{"\u0131\u0251\u0261\u01c0\u1d0f\u1d04\u1d20\u1d21\u1d22\u0269", "iaglocvwzi"},                                                                                     // Latin, small capitals
	} {
		ascii := []rune(pair.ascii)
		for i, c := range []rune(pair.others) {
			all[c] = ascii[i]
		}
	}
	for c := rune(0); c < 26; c++ { // fullwidth
		all[0xff41+c], all[0xff21+c] = 'a'+c, 'A'+c
	}
	for i, c := range []rune("ivxlcdm") { // roman numerals
		all[[]rune{0x2170, 0x2174, 0x2179, 0x217c, 0x217d, 0x217e, 0x217f}[i]] = c
	}
	for k := rune(0); k < 13; k++ { // mathematical alphabets, capitals and small letters of each
		for c := rune(0); c < 26; c++ {
			all[0x1d400+k*52+c], all[0x1d41a+k*52+c] = 'A'+c, 'a'+c
		}
	}
	return all
}()

// Imitated is a letter that is drawn like another one.
type Imitated struct {
	Letter, Like rune
}

// String says it in words.
func (i Imitated) String() string {
	return fmt.Sprintf("holds U+%04X, which imitates the letter %c", i.Letter, i.Like)
}

// Imitation returns the first letter that imitates an ASCII letter in a word
// which, with it, looks like a word of ASCII: one with ASCII letters in it too, or
// one of such letters alone. Words of another script, and letters with accents,
// are none.
func Imitation(s string) (found Imitated, ok bool) {
	for _, word := range strings.FieldsFunc(s, func(c rune) bool { return !unicode.IsLetter(c) }) {
		ascii, like, other := 0, 0, 0
		var first rune
		for _, c := range word {
			switch {
			case c < 0x80:
				ascii++
			case imitations[c] != 0:
				if like++; first == 0 {
					first = c
				}
			default:
				other++
			}
		}
		if like > 0 && (ascii > 0 || other == 0 && like > 1) {
			return Imitated{first, imitations[first]}, true
		}
	}
	return Imitated{}, false
}

// Imitations returns the text with ASCII letters in the place of those that
// imitate them.
func Imitations(s string) string {
	return strings.Map(func(c rune) rune {
		if like := imitations[c]; like != 0 {
			return like
		}
		return c
	}, s)
}
