package redact

import (
	"context"
	"encoding/base64"
	"github.com/pigate/pigate/internal/audit/redact/clue"
	"strings"
)

// readHeader reads the value of a header: to the quote that ends what it
// stands in, or to the end of the line.
func readHeader(s string, i int) clue.Value {
	i = clue.SkipQuotePrefix(s, i)
	for i < len(s) && (clue.IsQuote(s[i]) || s[i] == '\\') {
		i++
	}
	end := i
	limit := min(len(s), i+clue.MaxValue)
	for end < limit && s[end] != '\n' && s[end] != '"' && s[end] != '\'' && s[end] != '`' {
		if s[end] == '\\' && end+1 < limit && strings.IndexByte("nr\"'", s[end+1]) >= 0 {
			break
		}
		end++
	}
	return clue.Value{Start: i, End: end, Quote: '"'}
}

// schemes are the first words of an Authorization header.
var schemes = clue.WordSet("bearer basic digest token apikey key negotiate ntlm oauth hawk bot ssws splunk " +
	"sharedkey sharedaccesssignature genie pve api-key api-token aws4-hmac-sha256 hmac jwt dpop signature")

// credentials returns the secret part of the value of an Authorization header:
// what follows the scheme, or all of it.
func credentials(s string, v clue.Value) []clue.Span {
	text := strings.TrimRight(s[v.Start:v.End], " \t\r\\")
	scheme, rest, two := strings.Cut(text, " ")
	known := schemes[strings.ToLower(strings.TrimSuffix(scheme, ":"))]
	if !two {
		if known || clue.Plain(text) || !clue.LooksDrawn(text) {
			return nil
		}
		return []clue.Span{{Start: v.Start, End: v.Start + len(text), Kind: "authorization", Rank: clue.ByPlace}}
	}
	rest = strings.TrimLeft(rest, " \t")
	start := v.Start + len(text) - len(rest)
	if !known && !clue.IsIdentifier(strings.ReplaceAll(scheme, "-", "")) { // a credential and then something else
		rest, start = scheme, v.Start
	}
	// Only parameters (name=value) go on after a blank.
	if i := strings.IndexAny(rest, " \t"); i >= 0 && !strings.Contains(rest, "=") {
		rest = rest[:i]
	}
	if clue.Plain(rest) || !known && !clue.LooksDrawn(rest) {
		return nil
	}
	return []clue.Span{{Start: start, End: start + len(rest), Kind: "authorization", Rank: clue.ByPlace}}
}

var (
	cookie = clue.Pattern(`(?i)\bcookie["']?\s{0,4}[:=]\s{0,4}["']?([^"'\n]+)`)
	crumb  = clue.Pattern(`([^=;\s]+)=([^;\s&]+)`)

	headerWords = clue.NewKeywords([]string{"bearer", "token", "basic", "cookie"})
	// crumbs are the attributes of cookies.
	crumbs = clue.WordSet("path expires max-age domain samesite priority")
)

// headers finds credentials in the words of HTTP wherever they stand.
func headers(_ context.Context, s string) []clue.Span {
	var found, stretches []clue.Span
	headerWords.Each(clue.LowerASCII(s), func(word, at int) {
		kind := headerWords.Words[word]
		if kind == "cookie" {
			stretches = clue.AddStretch(stretches, s, at)
		} else if c, ok := afterScheme(s, at, kind); ok {
			found = append(found, c)
		}
	})
	for _, part := range stretches {
		for _, at := range cookie().FindAllStringSubmatchIndex(s[part.Start:part.End], -1) {
			found = append(found, cookies(s, part.Start+at[2], part.Start+at[3])...)
		}
	}
	return found
}

// afterScheme returns the credential after the word of a scheme at s[at].
func afterScheme(s string, at int, scheme string) (clue.Span, bool) {
	if before := clue.ByteAt(s, at-1); clue.IsAlnum(before) || before == '_' || before == '-' {
		return clue.Span{}, false
	}
	i := at + len(scheme)
	start := clue.SkipBlanks(s, i)
	if strings.HasPrefix(s[i:], "%20") {
		start = i + 3
	} else if start == i {
		return clue.Span{}, false
	}
	if scheme != "basic" && clue.IsQuote(clue.ByteAt(s, start)) {
		start++
	}
	end := start
	for end < len(s) && (clue.IsAlnum(s[end]) || strings.IndexByte("._~+/=-", s[end]) >= 0) {
		end++
	}
	v := s[start:end]
	ok := len(v) >= 8 && !clue.Plain(v)
	switch scheme {
	case "basic":
		ok = ok && isUserPass(v)
	case "bearer":
		ok = ok && (clue.Random(v, 12) || clue.LooksDrawn(v))
	default:
		ok = ok && clue.Random(v, 12)
	}
	return clue.Span{Start: start, End: end, Kind: "authorization", Rank: clue.ByPlace}, ok
}

// cookies returns the values of cookies in s[start:end].
func cookies(s string, start, end int) []clue.Span {
	var found []clue.Span
	for _, at := range crumb().FindAllStringSubmatchIndex(s[start:end], -1) {
		key, v := s[start+at[2]:start+at[3]], s[start+at[4]:start+at[5]]
		if crumbs[strings.ToLower(key)] || len(v) < 6 || clue.Plain(v) || clue.IsNumber(v) {
			continue
		}
		found = append(found, clue.Span{Start: start + at[4], End: start + at[5], Kind: "cookie", Rank: clue.ByPlace})
	}
	return found
}

// isUserPass tells whether v is base64 of user:password.
func isUserPass(v string) bool {
	text, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(v, "="))
	if err != nil {
		if text, err = base64.RawURLEncoding.DecodeString(strings.TrimRight(v, "=")); err != nil {
			return false
		}
	}
	i := strings.IndexByte(string(text), ':')
	return i >= 0 && i+1 < len(text) && clue.IsPrintable(string(text))
}
