package redact

import (
	"context"
	"encoding/base64"
	"github.com/pigate/pigate/internal/audit/redact/clue"
	"strings"
)

// Runs of base64 shorter than minEncoded hold no secret with its announcement.
// Lines of at least wrapped letters may go on in the next.
const (
	minEncoded = 40
	wrapped    = 60
)

// encoded finds base64 whose text holds a secret, such as a private key in a
// kubeconfig. It is masked whole. What is encoded twice is not found.
func encoded(ctx context.Context, s string) []clue.Span {
	var found []clue.Span
	for i := 0; i < len(s); {
		if !isBase64(s[i]) {
			i++
			continue
		}
		run, end := base64Run(s, i)
		if len(run) >= minEncoded && holdsSecret(ctx, run) {
			found = append(found, clue.Span{Start: i, End: end, Kind: "encoded-secret", Rank: clue.ByShape})
		}
		i = end
	}
	return found
}

func isBase64(c byte) bool {
	return clue.IsAlnum(c) || c == '+' || c == '/' || c == '-' || c == '_'
}

// base64Run returns the letters of base64 that begin at s[i], over line ends,
// and where they end.
func base64Run(s string, i int) (run string, end int) {
	var lines []string
	for {
		start := i
		for i < len(s) && isBase64(s[i]) {
			i++
		}
		lines = append(lines, s[start:i])
		n := i
		for n < len(s) && s[n] == '\r' {
			n++
		}
		if i-start < wrapped || n+1 >= len(s) || s[n] != '\n' || !isBase64(s[n+1]) {
			break
		}
		i = n + 1
	}
	for n := 0; n < 2 && i < len(s) && s[i] == '='; n++ {
		i++
	}
	if len(lines) == 1 {
		return lines[0], i
	}
	return strings.Join(lines, ""), i
}

// holdsSecret tells whether base64 says a text with a secret in it.
func holdsSecret(ctx context.Context, run string) bool {
	if len(run)%4 == 1 {
		run = run[:len(run)-1]
	}
	encoding := base64.RawStdEncoding
	if strings.ContainsAny(run, "-_") {
		encoding = base64.RawURLEncoding
	}
	raw, err := encoding.DecodeString(run)
	if err != nil || !clue.IsPrintable(string(raw)) {
		return false
	}
	text := string(raw)
	for _, find := range []clue.Detector{privateKeys, tokens, urls, assignments} {
		if len(find(ctx, text)) > 0 {
			return true
		}
	}
	return false
}
