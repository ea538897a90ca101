package redact

import (
	"context"
	"github.com/pigate/pigate/internal/audit/redact/clue"
	"regexp"
	"strings"
)

// urls finds the passwords and tokens before the @ of addresses with a scheme.
func urls(_ context.Context, s string) []clue.Span {
	var found []clue.Span
	for from := 0; ; {
		n := strings.Index(s[from:], "://")
		if n < 0 {
			return found
		}
		start := from + n + len("://")
		from = start
		if v, ok := userinfo(s, start); ok {
			found = append(found, v)
		}
	}
}

const maxUserinfo = 2 << 10

// userinfo returns the secret before the last @ of the authority that begins
// at s[i]. A password may hold unescaped slashes, although it should not.
func userinfo(s string, i int) (clue.Span, bool) {
	end := authorityEnd(s, i)
	at := strings.LastIndexByte(s[i:end], '@')
	if at < 0 {
		if at = oddPassword(s, i, end); at < 0 {
			return clue.Span{}, false
		}
	}
	text := s[i : i+at]
	if colon := colonIn(text); colon >= 0 {
		password := text[colon+1:]
		if clue.Plain(password) {
			return clue.Span{}, false
		}
		return clue.Span{Start: i + colon + 1, End: i + at, Kind: "url-password", Rank: clue.ByShape}, true
	}
	if clue.Plain(text) || !clue.Random(text, 16) {
		return clue.Span{}, false
	}
	return clue.Span{Start: i, End: i + at, Kind: "url-token", Rank: clue.ByShape}, true
}

// colonIn finds the first colon that is not within a reference.
func colonIn(s string) int {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '$' && i+1 < len(s) && (s[i+1] == '{' || s[i+1] == '('):
			i = clue.SkipNested(s, i+1) - 1
		case s[i] == ':':
			return i
		}
	}
	return -1
}

func authorityEnd(s string, i int) int {
	limit := min(len(s), i+maxUserinfo)
	for i < limit {
		switch c := s[i]; {
		case c == '$' && i+1 < limit && (s[i+1] == '(' || s[i+1] == '{'):
			i = clue.SkipNested(s, i+1)
			continue
		case c == '/', c == '?', c == '#', clue.IsSpace(c), clue.IsQuote(c), c == '\\', c == ',' && i+1 < limit && clue.IsQuote(s[i+1]):
			return min(i, limit)
		}
		i++
	}
	return min(i, limit)
}

// oddPassword looks for an @ past the authority when the part before its first
// slash reads user:word, where a host would have user:number.
func oddPassword(s string, i, end int) int {
	colon := strings.IndexByte(s[i:end], ':')
	if colon < 0 || clue.ByteAt(s, i) == '[' {
		return -1
	}
	if port := s[i+colon+1 : end]; port == "" || clue.IsNumber(port) || !clue.LooksDrawn(port+"/x0") {
		return -1
	}
	word := i
	for word < min(len(s), i+maxUserinfo) && !clue.IsSpace(s[word]) && !clue.IsQuote(s[word]) {
		word++
	}
	return strings.LastIndexByte(s[i:word], '@')
}

// Passwords in addresses of other forms, each with the letters that must be
// there for it to be tried.
var addresses = []struct {
	hint  string
	regex func() *regexp.Regexp
	kind  string
}{
	{"@tcp(", clue.Pattern(`[\w.-]+:([^@\s"']+)@tcp\(`), "url-password"},
	{"@unix(", clue.Pattern(`[\w.-]+:([^@\s"']+)@unix\(`), "url-password"},
	{"jdbc:oracle", clue.Pattern(`jdbc:oracle:\w+:[\w.-]+/([^@\s"']+)@`), "url-password"},
	{"hooks.slack", clue.Pattern(`hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_+-]{20,})`), "webhook"},
	{"/api/webhooks/", clue.Pattern(`discord(?:app)?\.com/api/webhooks/\d{8,}/([\w-]{20,})`), "webhook"},
	{"/webhook", clue.Pattern(`(?:outlook\.office|webhook\.office|logic\.azure)[\w.]*/webhook\w*/([\w@/-]{40,})`), "webhook"},
	{"hooks.zapier", clue.Pattern(`hooks\.zapier\.com/hooks/catch/([\w/]{8,})`), "webhook"},
	{"maker.ifttt", clue.Pattern(`maker\.ifttt\.com/[\w/-]*/key/([\w-]{16,})`), "webhook"},
	{"/bot", clue.Pattern(`/bot\d{5,16}:([\w-]{30,})`), "telegram-bot-api-token"},
}

// otherAddresses finds secrets in addresses that urls does not read.
func otherAddresses(_ context.Context, s string) []clue.Span {
	var found []clue.Span
	for _, a := range addresses {
		if !strings.Contains(s, a.hint) {
			continue
		}
		for _, at := range a.regex().FindAllStringSubmatchIndex(s, -1) {
			if !clue.Plain(s[at[2]:at[3]]) {
				found = append(found, clue.Span{Start: at[2], End: at[3], Kind: a.kind, Rank: clue.ByShape})
			}
		}
	}
	return append(found, logins(s)...)
}

// logins finds the passwords of words that are user:password@host and nothing
// else, as many programs for remote machines take them.
func logins(s string) []clue.Span {
	var found []clue.Span
	for i := 0; i < len(s); i++ {
		if s[i] != '@' {
			continue
		}
		start, end := i, i
		if i > 0 && isQuoting(s[i-1]) {
			start, end = i-1, i-1
		}
		for start > 0 && i-start < 128 && s[start-1] > ' ' && strings.IndexByte("/:,;&|<>(){}\"'@", s[start-1]) < 0 {
			start--
		}
		v := s[start:end]
		if start > 0 && end < i && s[start-1] == s[end] {
			start--
		}
		if clue.ByteAt(s, start-1) != ':' || !clue.LooksDrawn(v) || clue.Plain(v) || !clue.IsAlnum(clue.ByteAt(s, start-2)) {
			continue
		}
		if isHost(s, i+1) {
			found = append(found, clue.Span{Start: end - len(v), End: end, Kind: "url-password", Rank: clue.ByPlace})
		}
	}
	return found
}

// isHost tells whether a host, with a port or without, and nothing else of a
// word begins at s[i].
func isHost(s string, i int) bool {
	end := i
	for end < len(s) && end-i < 256 && (clue.IsAlnum(s[end]) || s[end] == '.' || s[end] == '-') {
		end++
	}
	switch after := clue.ByteAt(s, end); {
	case end == i || strings.HasPrefix(s[i:end], "sha256"):
		return false
	case after == ':':
		return clue.IsDigit(clue.ByteAt(s, end+1))
	default:
		return after == 0 || after == '/' || clue.IsSpace(after) || clue.IsQuote(after)
	}
}
