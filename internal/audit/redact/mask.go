package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"github.com/pigate/pigate/internal/audit/redact/clue"
	"sort"
	"strings"
)

const (
	maskOpen  = "[secret:"
	digestLen = 8
	maxKind   = 48
)

var maskForm = clue.Pattern(`\[secret:[a-z0-9-]{1,48}:[0-9a-f]{8}\]`)

func maskLen(kind string) int { return len(maskOpen) + len(kind) + 1 + digestLen + 1 }

// digest is the same for the same secret whatever kind it was found as.
func (m *Masker) digest(secret string) string {
	mac := hmac.New(sha256.New, m.key)
	mac.Write([]byte("pigate secret\x00"))
	mac.Write([]byte(secret))
	return hex.EncodeToString(mac.Sum(nil))[:digestLen]
}

// render replaces spans, which are disjoint and in order.
func (m *Masker) render(s string, spans []clue.Span) (string, []Mask) {
	if len(spans) == 0 {
		return s, nil
	}
	var b strings.Builder
	found := make([]Mask, 0, len(spans))
	done := 0
	for _, at := range spans {
		mask := Mask{Kind: at.Kind, Digest: m.digest(s[at.Start:at.End]), Start: at.Start, End: at.End}
		found = append(found, mask)
		b.WriteString(s[done:at.Start])
		b.WriteString(mask.text())
		done = at.End
	}
	b.WriteString(s[done:])
	return b.String(), found
}

func (m Mask) text() string { return maskOpen + m.Kind + ":" + m.Digest + "]" }

// newLayout puts a mask with an empty digest in the place of each span.
func newLayout(s string, spans []clue.Span) layout {
	l := layout{text: s, spans: spans}
	if len(spans) == 0 {
		return l
	}
	var b strings.Builder
	done := 0
	for _, at := range spans {
		b.WriteString(s[done:at.Start])
		l.at = append(l.at, b.Len())
		b.WriteString(Mask{Kind: at.Kind, Digest: "00000000"}.text())
		done = at.End
	}
	b.WriteString(s[done:])
	l.text = b.String()
	return l
}

// blindText is a text whose masks are filled with a byte that no secret has.
type blindText struct {
	text  string
	masks [][]int
}

const filler = '\x01'

// blind hides the masks that a text holds already from the detectors.
func blind(s string) blindText {
	if !strings.Contains(s, maskOpen) {
		return blindText{text: s}
	}
	masks := maskForm().FindAllStringIndex(s, -1)
	if masks == nil {
		return blindText{text: s}
	}
	text := []byte(s)
	for _, at := range masks {
		for i := at[0]; i < at[1]; i++ {
			text[i] = filler
		}
	}
	return blindText{string(text), masks}
}

// outside cuts the masks out of spans. Of what is left only parts with a letter
// or digit stay, without the quotes and blanks around them, so that masking
// does not eat its way through a text by its quotes.
func (b blindText) outside(spans []clue.Span) []clue.Span {
	if b.masks == nil {
		return spans
	}
	var out []clue.Span
	for _, s := range spans {
		i := sort.Search(len(b.masks), func(i int) bool { return b.masks[i][1] > s.Start })
		if i == len(b.masks) || b.masks[i][0] >= s.End {
			out = append(out, s)
			continue
		}
		for ; i < len(b.masks) && b.masks[i][0] < s.End; i++ {
			out = b.part(out, s, s.Start, b.masks[i][0])
			s.Start = b.masks[i][1]
		}
		out = b.part(out, s, s.Start, s.End)
	}
	return out
}

func (b blindText) part(out []clue.Span, s clue.Span, start, end int) []clue.Span {
	for start < end && (isQuoting(b.text[start]) || clue.IsSpace(b.text[start])) {
		start++
	}
	for end > start && (isQuoting(b.text[end-1]) || clue.IsSpace(b.text[end-1])) {
		end--
	}
	if start >= end || !clue.HasAlnum(b.text[start:end]) {
		return out
	}
	s.Start, s.End = start, end
	return append(out, s)
}
