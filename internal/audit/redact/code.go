package redact

import (
	"context"
	"github.com/pigate/pigate/internal/audit/redact/clue"
	"regexp"
)

// phrases are secrets in the words of languages, each with the letters, in
// lower case, that must be there for it to be tried. The last group is the
// secret.
var phrases = []struct {
	hint  string
	regex func() *regexp.Regexp
	kind  string
	// drawn: what looks like a word is no secret.
	drawn bool
}{
	// SQL
	{"identified", clue.Pattern(`(?i)\bidentified\s+(?:with\s+\S+\s+)?(?:by|as)\s+(?:password\s+)?\\?['"]([^'"\\]+)`), "password", false},
	{"password", clue.Pattern(`(?i)\b(?:user|role|login)\b[^;\n]*?\bpassword(?:\s+|\s*[=(]\s*)N?\\?['"]([^'"\\]+)`), "password", false},
	{"password", clue.Pattern(`(?i)\b(?:with|set|encrypted)\s+(?:encrypted\s+)?password(?:\s+|\s*[=(]\s*)(?:for\s+\S+\s*=\s*)?(?:password\s*\(\s*)?\\?['"]([^'"\\]+)`), "password", false},
	{"password(", clue.Pattern(`(?i)\bpassword\(\s*\\?['"]([^'"\\]+)`), "password", false},
	// Programs: a user and a password as two arguments
	{"auth", clue.Pattern(`(?i)\b\w*auth\w*\s*=?\s*\(\s*\\?['"][^'"]*['"]\s*,\s*\\?['"]([^'"\\]{3,})`), "password", false},
	{"credential", clue.Pattern(`(?i)credentials?\(\s*['"][^'"]*['"]\s*,\s*['"]([^'"]{3,})`), "password", false},
	{"login", clue.Pattern(`(?i)\.login\(\s*\\?['"][^'"]*['"]\s*,\s*\\?['"]([^'"\\]{3,})`), "password", false},
	{"setpassword", clue.Pattern(`(?i)\bset_?password\(\s*\\?['"]([^'"\\]{3,})`), "password", false},
	{"user(", clue.Pattern(`(?i)create_?(?:super)?user\((?:\s*\\?['"][^'"]*['"]\s*,){1,2}\s*\\?['"]([^'"\\]{3,})`), "password", false},
	{"crypt(", clue.Pattern(`(?i)crypt\(\s*b?\\?['"]([^'"\\]{3,})`), "password", false},
	{"hash", clue.Pattern(`(?i)(?:password_hash|hashpw|generate_password_hash|hash::make|hash_password)\(\s*b?\\?['"]([^'"\\]{3,})`), "password", false},
	{"securestring", clue.Pattern(`(?i)\bconvertto-securestring\s+(?:-\w+\s+)*['"]([^'"]+)`), "password", false},
	// A name and a value as two fields
	{"value", clue.Pattern(`(?i)\b(?:name|key|variable)\\?["']?\s*[:=]\s*\\?["']?([\w.-]{2,})\\?["']?[\s,;]+\\?["']?(?:value|val|body)\\?["']?\s*[:=]\s*\\?(?:["']([^"'\\\n]+)|([^\s"',}\\]+))`), "", false},
	// netrc
	{"login", clue.Pattern(`(?i)\blogin\s+\S+\s+password\s+([^\s"'\\]+)`), "password", false},
	// pgpass
	{"pgpass", clue.Pattern(`[\w.*-]+:(?:\d{1,5}|\*):[\w*-]+:[\w*@.-]+:([^\s"':]+)`), "password", false},
	// expect
	{"send", clue.Pattern(`\bsend(?:\s+--)?\s+\\?["{]([^"\\{}\s]{6,})\\{1,2}[rn]`), "password", true},
}

var phraseWords = func() *clue.Keywords {
	var hints []string
	for _, p := range phrases {
		hints = append(hints, p.hint)
	}
	return clue.NewKeywords(hints)
}()

// phrased finds secrets by the phrases.
func phrased(_ context.Context, s string) []clue.Span {
	stretches := make([][]clue.Span, len(phrases))
	phraseWords.Each(clue.LowerASCII(s), func(p, at int) {
		stretches[p] = clue.AddStretch(stretches[p], s, at)
	})
	var found []clue.Span
	for i, p := range phrases {
		for _, part := range stretches[i] {
			text := s[part.Start:part.End]
			for _, at := range p.regex().FindAllStringSubmatchIndex(text, -1) {
				start, end := lastGroup(at)
				kind := p.kind
				if kind == "" {
					kind = pairKind(text[at[2]:at[3]], text[start:end])
				}
				if v := text[start:end]; kind == "" || clue.Plain(v) || p.drawn && !clue.LooksDrawn(v) || clue.IsNumber(v) && len(v) < 4 {
					continue
				}
				found = append(found, clue.Span{Start: part.Start + start, End: part.Start + end, Kind: kind, Rank: clue.ByPlace})
			}
		}
	}
	return found
}

// pairKind is the kind of a value that stands beside its name as a field of
// its own, or "" if the name does not tell.
func pairKind(label, v string) string {
	n := clue.ReadName(label)
	if n.Strength == clue.Strong || n.Strength == clue.Weak && clue.Random(v, 16) {
		return n.Kind
	}
	return ""
}

func lastGroup(at []int) (start, end int) {
	for g := len(at) - 2; g > 0; g -= 2 {
		if at[g] >= 0 {
			return at[g], at[g+1]
		}
	}
	return at[0], at[1]
}

// shapes are the detectors beside the rules of gitleaks.
var shapes = []clue.Detector{privateKeys, tokens, urls, otherAddresses, headers, assignments, arguments, phrased, encoded}
