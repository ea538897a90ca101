package redact

import (
	"context"
	"encoding/base64"
	"strings"
)

// readHeader reads the value of a header: to the quote that ends what it
// stands in, or to the end of the line.
func readHeader(s string, i int) value {
	i = skipQuotePrefix(s, i)
	for i < len(s) && (isQuote(s[i]) || s[i] == '\\') {
		i++
	}
	end := i
	limit := min(len(s), i+maxValue)
	for end < limit && s[end] != '\n' && s[end] != '"' && s[end] != '\'' && s[end] != '`' {
		if s[end] == '\\' && end+1 < limit && strings.IndexByte("nr\"'", s[end+1]) >= 0 {
			break
		}
		end++
	}
	return value{start: i, end: end, quote: '"'}
}

// schemes are the first words of an Authorization header.
var schemes = wordSet("bearer basic digest token apikey key negotiate ntlm oauth hawk bot ssws splunk " +
	"sharedkey sharedaccesssignature genie pve api-key api-token aws4-hmac-sha256 hmac jwt dpop signature")

// credentials returns the secret part of the value of an Authorization header:
// what follows the scheme, or all of it.
func credentials(s string, v value) []span {
	text := strings.TrimRight(s[v.start:v.end], " \t\r\\")
	scheme, rest, two := strings.Cut(text, " ")
	known := schemes[strings.ToLower(strings.TrimSuffix(scheme, ":"))]
	if !two {
		if known || plain(text) || !looksDrawn(text) {
			return nil
		}
		return []span{{v.start, v.start + len(text), "authorization", byPlace}}
	}
	rest = strings.TrimLeft(rest, " \t")
	start := v.start + len(text) - len(rest)
	if !known && !isIdentifier(strings.ReplaceAll(scheme, "-", "")) { // a credential and then something else
		rest, start = scheme, v.start
	}
	// Only parameters (name=value) go on after a blank.
	if i := strings.IndexAny(rest, " \t"); i >= 0 && !strings.Contains(rest, "=") {
		rest = rest[:i]
	}
	if plain(rest) || !known && !looksDrawn(rest) {
		return nil
	}
	return []span{{start, start + len(rest), "authorization", byPlace}}
}

var (
	cookie = pattern(`(?i)\bcookie["']?\s{0,4}[:=]\s{0,4}["']?([^"'\n]+)`)
	crumb  = pattern(`([^=;\s]+)=([^;\s&]+)`)

	headerWords = newKeywords([]string{"bearer", "token", "basic", "cookie"})
	// crumbs are the attributes of cookies.
	crumbs = wordSet("path expires max-age domain samesite priority")
)

// headers finds credentials in the words of HTTP wherever they stand.
func headers(_ context.Context, s string) []span {
	var found, stretches []span
	headerWords.each(lowerASCII(s), func(word, at int) {
		kind := headerWords.words[word]
		if kind == "cookie" {
			stretches = addStretch(stretches, s, at)
		} else if c, ok := afterScheme(s, at, kind); ok {
			found = append(found, c)
		}
	})
	for _, part := range stretches {
		for _, at := range cookie().FindAllStringSubmatchIndex(s[part.start:part.end], -1) {
			found = append(found, cookies(s, part.start+at[2], part.start+at[3])...)
		}
	}
	return found
}

// afterScheme returns the credential after the word of a scheme at s[at].
func afterScheme(s string, at int, scheme string) (span, bool) {
	if before := byteAt(s, at-1); isAlnum(before) || before == '_' || before == '-' {
		return span{}, false
	}
	i := at + len(scheme)
	start := skipBlanks(s, i)
	if strings.HasPrefix(s[i:], "%20") {
		start = i + 3
	} else if start == i {
		return span{}, false
	}
	if scheme != "basic" && isQuote(byteAt(s, start)) {
		start++
	}
	end := start
	for end < len(s) && (isAlnum(s[end]) || strings.IndexByte("._~+/=-", s[end]) >= 0) {
		end++
	}
	v := s[start:end]
	ok := len(v) >= 8 && !plain(v)
	switch scheme {
	case "basic":
		ok = ok && isUserPass(v)
	case "bearer":
		ok = ok && (random(v, 12) || looksDrawn(v))
	default:
		ok = ok && random(v, 12)
	}
	return span{start, end, "authorization", byPlace}, ok
}

// cookies returns the values of cookies in s[start:end].
func cookies(s string, start, end int) []span {
	var found []span
	for _, at := range crumb().FindAllStringSubmatchIndex(s[start:end], -1) {
		key, v := s[start+at[2]:start+at[3]], s[start+at[4]:start+at[5]]
		if crumbs[strings.ToLower(key)] || len(v) < 6 || plain(v) || isNumber(v) {
			continue
		}
		found = append(found, span{start + at[4], start + at[5], "cookie", byPlace})
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
	return i >= 0 && i+1 < len(text) && isPrintable(string(text))
}

func isPrintable(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 && !isSpace(s[i]) || s[i] >= 0x7f {
			return false
		}
	}
	return true
}
