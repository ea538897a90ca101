package clue

import (
	"context"
	"slices"
)

// Detector finds secrets in a text. It may stop when the context is over, and
// what it returned then is not used.
type Detector func(ctx context.Context, s string) []Span

// The ranks of a span: of two that overlap, the kind of the higher one stays.
const (
	ByGuess = iota // a value that may be one by a rule for all kinds
	ByPlace        // a value that its place makes a secret
	ByShape        // a form that only secrets have
)

// Span is a secret found: bytes Start to End of a text.
type Span struct {
	Start, End int
	Kind       string
	Rank       int
}

// Merge sorts spans and joins those that overlap or touch.
func Merge(spans []Span) []Span {
	spans = slices.DeleteFunc(spans, func(s Span) bool { return s.Start >= s.End })
	if len(spans) < 2 {
		return spans
	}
	slices.SortFunc(spans, func(a, b Span) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return b.End - a.End
	})
	out := spans[:1]
	for _, s := range spans[1:] {
		last := &out[len(out)-1]
		if s.Start > last.End {
			out = append(out, s)
			continue
		}
		if s.Rank > last.Rank {
			last.Kind, last.Rank = s.Kind, s.Rank
		}
		last.End = max(last.End, s.End)
	}
	return out
}
