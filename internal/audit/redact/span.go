package redact

import (
	"context"
	"slices"
	"sort"
)

// detector finds secrets in a text. It may stop when the context is over, and
// what it returned then is not used.
type detector func(ctx context.Context, s string) []span

// The ranks of a span: of two that overlap, the kind of the higher one stays.
const (
	byGuess = iota // a value that may be one by a rule for all kinds
	byPlace        // a value that its place makes a secret
	byShape        // a form that only secrets have
)

// span is a secret found: bytes start to end of a text.
type span struct {
	start, end int
	kind       string
	rank       int
}

// merge sorts spans and joins those that overlap or touch.
func merge(spans []span) []span {
	spans = slices.DeleteFunc(spans, func(s span) bool { return s.start >= s.end })
	if len(spans) < 2 {
		return spans
	}
	slices.SortFunc(spans, func(a, b span) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	out := spans[:1]
	for _, s := range spans[1:] {
		last := &out[len(out)-1]
		if s.start > last.end {
			out = append(out, s)
			continue
		}
		if s.rank > last.rank {
			last.kind, last.rank = s.kind, s.rank
		}
		last.end = max(last.end, s.end)
	}
	return out
}

// layout is a text with stand-ins for its secrets, of the length of masks, and
// the way back from its offsets to those of the original.
type layout struct {
	text string
	// at[i] is where the stand-in of spans[i] begins in text.
	at    []int
	spans []span
}

// original translates spans of the layout's text. What begins or ends within a
// stand-in takes in the whole secret.
func (l layout) original(found []span) []span {
	for i := range found {
		found[i].start = l.back(found[i].start, false)
		found[i].end = l.back(found[i].end, true)
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
	if after := offset - l.at[i] - maskLen(l.spans[i].kind); after >= 0 {
		return l.spans[i].end + after
	}
	if isEnd {
		return l.spans[i].end
	}
	return l.spans[i].start
}
