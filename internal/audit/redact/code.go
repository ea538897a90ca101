package redact

import (
	"context"
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
	{"identified", pattern(`(?i)\bidentified\s+(?:with\s+\S+\s+)?(?:by|as)\s+(?:password\s+)?\\?['"]([^'"\\]+)`), "password", false},
	{"password", pattern(`(?i)\b(?:user|role|login)\b[^;\n]*?\bpassword(?:\s+|\s*[=(]\s*)N?\\?['"]([^'"\\]+)`), "password", false},
	{"password", pattern(`(?i)\b(?:with|set|encrypted)\s+(?:encrypted\s+)?password(?:\s+|\s*[=(]\s*)(?:for\s+\S+\s*=\s*)?(?:password\s*\(\s*)?\\?['"]([^'"\\]+)`), "password", false},
	{"password(", pattern(`(?i)\bpassword\(\s*\\?['"]([^'"\\]+)`), "password", false},
	// Programs: a user and a password as two arguments
	{"auth", pattern(`(?i)\b\w*auth\w*\s*=?\s*\(\s*\\?['"][^'"]*['"]\s*,\s*\\?['"]([^'"\\]{3,})`), "password", false},
	{"credential", pattern(`(?i)credentials?\(\s*['"][^'"]*['"]\s*,\s*['"]([^'"]{3,})`), "password", false},
	{"login", pattern(`(?i)\.login\(\s*\\?['"][^'"]*['"]\s*,\s*\\?['"]([^'"\\]{3,})`), "password", false},
	{"setpassword", pattern(`(?i)\bset_?password\(\s*\\?['"]([^'"\\]{3,})`), "password", false},
	{"user(", pattern(`(?i)create_?(?:super)?user\((?:\s*\\?['"][^'"]*['"]\s*,){1,2}\s*\\?['"]([^'"\\]{3,})`), "password", false},
	{"crypt(", pattern(`(?i)crypt\(\s*b?\\?['"]([^'"\\]{3,})`), "password", false},
	{"hash", pattern(`(?i)(?:password_hash|hashpw|generate_password_hash|hash::make|hash_password)\(\s*b?\\?['"]([^'"\\]{3,})`), "password", false},
	{"securestring", pattern(`(?i)\bconvertto-securestring\s+(?:-\w+\s+)*['"]([^'"]+)`), "password", false},
	// A name and a value as two fields
	{"value", pattern(`(?i)\b(?:name|key|variable)\\?["']?\s*[:=]\s*\\?["']?([\w.-]{2,})\\?["']?[\s,;]+\\?["']?(?:value|val|body)\\?["']?\s*[:=]\s*\\?(?:["']([^"'\\\n]+)|([^\s"',}\\]+))`), "", false},
	// netrc
	{"login", pattern(`(?i)\blogin\s+\S+\s+password\s+([^\s"'\\]+)`), "password", false},
	// pgpass
	{"pgpass", pattern(`[\w.*-]+:(?:\d{1,5}|\*):[\w*-]+:[\w*@.-]+:([^\s"':]+)`), "password", false},
	// expect
	{"send", pattern(`\bsend(?:\s+--)?\s+\\?["{]([^"\\{}\s]{6,})\\{1,2}[rn]`), "password", true},
}

var phraseWords = func() *keywords {
	var hints []string
	for _, p := range phrases {
		hints = append(hints, p.hint)
	}
	return newKeywords(hints)
}()

// phrased finds secrets by the phrases.
func phrased(_ context.Context, s string) []span {
	stretches := make([][]span, len(phrases))
	phraseWords.each(lowerASCII(s), func(p, at int) {
		stretches[p] = addStretch(stretches[p], s, at)
	})
	var found []span
	for i, p := range phrases {
		for _, part := range stretches[i] {
			text := s[part.start:part.end]
			for _, at := range p.regex().FindAllStringSubmatchIndex(text, -1) {
				start, end := lastGroup(at)
				kind := p.kind
				if kind == "" {
					kind = pairKind(text[at[2]:at[3]], text[start:end])
				}
				if v := text[start:end]; kind == "" || plain(v) || p.drawn && !looksDrawn(v) || isNumber(v) && len(v) < 4 {
					continue
				}
				found = append(found, span{part.start + start, part.start + end, kind, byPlace})
			}
		}
	}
	return found
}

// pairKind is the kind of a value that stands beside its name as a field of
// its own, or "" if the name does not tell.
func pairKind(label, v string) string {
	n := readName(label)
	if n.strength == strong || n.strength == weak && random(v, 16) {
		return n.kind
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
var shapes = []detector{privateKeys, tokens, urls, otherAddresses, headers, assignments, arguments, phrased, encoded}
