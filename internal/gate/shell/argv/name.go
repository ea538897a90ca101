package argv

import (
	"strings"
	"unicode"
)

// Nameless says why the first word of a command names no program that a rule
// could be trusted to mean; "" when it does.
func Nameless(a Arg) string {
	if !a.Literal {
		return "the program name is not literal"
	}
	for i := 0; i < len(a.Text); i++ {
		if c := a.Text[i]; c < ' ' || c >= 0x7f {
			if strings.ContainsFunc(a.Text, Unseen) {
				return "the program name holds characters that cannot be seen"
			}
			break
		}
	}
	return ""
}

// Unseen reports a character without a shape of its own: controls, marks of
// direction, joiners, odd spaces and bytes that are not UTF-8.
func Unseen(r rune) bool {
	return r == unicode.ReplacementChar || !unicode.IsPrint(r) && r != ' '
}

// programSuffixes are what Windows lets stand after the name of a program.
var programSuffixes = []string{".exe", ".cmd", ".bat", ".com", ".ps1"}

// ProgramName returns the name of a program without its path or module, in
// lower case and without the suffix that a program has on Windows.
func ProgramName(word string) string {
	name := word[strings.LastIndexByte(word, '/')+1:]
	if at := strings.LastIndexByte(name, '\\'); at+1 < len(name) {
		name = name[at+1:]
	}
	for i := 0; i < len(name); i++ {
		if c := name[i]; 'A' <= c && c <= 'Z' || c >= 0x80 {
			name = strings.ToLower(name)
			break
		}
	}
	for _, suffix := range programSuffixes {
		if bare, ok := strings.CutSuffix(name, suffix); ok {
			return bare
		}
	}
	return name
}
