package redact

import (
	"context"
	"github.com/pigate/pigate/internal/audit/redact/clue"
	"strings"
)

var (
	keyBegin = clue.Pattern(`-{4,5} ?BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY|SECRET KEY)(?: BLOCK)? ?-{4,5}`)
	keyEnd   = clue.Pattern(`-{4,5} ?END [A-Z0-9 ]{0,40}(?:PRIVATE KEY|SECRET KEY)(?: BLOCK)? ?-{4,5}`)
	keyBody  = clue.Pattern(`^(?:[A-Za-z0-9+/=]{16}|(?:Proc-Type|DEK-Info|Version|Comment|Subject):)`)
	puttyKey = clue.Pattern(`Private-Lines: ?\d+\s+([A-Za-z0-9+/=\s]{16,})`)
)

// maxKey is how far a private key may reach, in bytes.
const maxKey = 64 << 10

// privateKeys finds whole blocks of private keys, also with their line ends
// written as \n. A first line with no key after it is none, and a key whose
// last line is missing ends with what looks like a key.
func privateKeys(_ context.Context, s string) []clue.Span {
	var found []clue.Span
	if strings.Contains(s, "BEGIN ") {
		begins, ends := keyBegin().FindAllStringIndex(s, -1), keyEnd().FindAllStringIndex(s, -1)
		for i, at := range begins {
			body := at[1]
			if !keyBody().MatchString(skipLineEnds(s[body:min(len(s), body+256)])) {
				continue
			}
			limit := min(len(s), body+maxKey)
			if i+1 < len(begins) {
				limit = min(limit, begins[i+1][0])
			}
			for len(ends) > 0 && ends[0][0] < body {
				ends = ends[1:]
			}
			end := bodyEnd(s, body, limit)
			if len(ends) > 0 && ends[0][0] < limit {
				end = ends[0][1]
			}
			found = append(found, clue.Span{Start: at[0], End: end, Kind: "private-key", Rank: clue.ByShape})
		}
	}
	if strings.Contains(s, "Private-Lines:") {
		for _, at := range puttyKey().FindAllStringSubmatchIndex(s, -1) {
			found = append(found, clue.Span{Start: at[2], End: at[3], Kind: "private-key", Rank: clue.ByShape})
		}
	}
	return found
}

// skipLineEnds passes over what stands between the lines of a key: line ends,
// also written out, and the quotes and commands of several echo lines.
func skipLineEnds(s string) string {
	for {
		t := strings.TrimLeft(s, " \t\r\n\\\"'+,;>")
		for _, sign := range []string{"n", "r"} {
			if strings.HasPrefix(t, sign) && strings.HasSuffix(s[:len(s)-len(t)], `\`) {
				t = t[1:]
			}
		}
		if t == s {
			return s
		}
		s = t
	}
}

// bodyEnd is where the letters of a key with no last line end.
func bodyEnd(s string, i, limit int) int {
	for i < limit && (clue.IsAlnum(s[i]) || strings.IndexByte("+/=\r\n\\", s[i]) >= 0) {
		i++
	}
	return i
}
