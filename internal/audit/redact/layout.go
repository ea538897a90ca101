package redact

import (
	"sort"

	"github.com/pigate/pigate/internal/audit/redact/clue"
)

// layout is a text with stand-ins for its secrets, of the length of masks, and
// the way back from its offsets to those of the original.
type layout struct {
	text string
	// at[i] is where the stand-in of spans[i] begins in text.
	at    []int
	spans []clue.Span
}

// original translates spans of the layout's text. What begins or ends within a
// stand-in takes in the whole secret.
func (l layout) original(found []clue.Span) []clue.Span {
	for i := range found {
		found[i].Start = l.back(found[i].Start, false)
		found[i].End = l.back(found[i].End, true)
	}
	return found
}

func (l layout) back(offset int, isEnd bool) int {
	// The last stand-in that begins before the offset (at it, for a start).
	i := sort.Search(len(l.at), func(i int) bool {
		if isEnd {
			return l.at[i] >= offset
		}
		return l.at[i] > offset
	}) - 1
	if i < 0 {
		return offset
	}
	if after := offset - l.at[i] - maskLen(l.spans[i].Kind); after >= 0 {
		return l.spans[i].End + after
	}
	if isEnd {
		return l.spans[i].End
	}
	return l.spans[i].Start
}
