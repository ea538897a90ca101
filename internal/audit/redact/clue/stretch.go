package clue

// An expression runs on the stretches around its keywords only: so much before
// one, as much as a name or the beginning of a phrase needs, and so much after,
// and on to the end of the word. A short text is one stretch.
const (
	shortText     = 2 << 10
	beforeKeyword = 160
	AfterKeyword  = 256
	MaxToken      = 16 << 10
)

// AddStretch adds the stretch around a keyword at s[at] to a list in order,
// joined to the last one where they meet.
func AddStretch(list []Span, s string, at int) []Span {
	n := len(list)
	if n > 0 && min(len(s), at+AfterKeyword) <= list[n-1].End {
		return list
	}
	if len(s) <= shortText {
		return []Span{{Start: 0, End: len(s)}}
	}
	end := min(len(s), at+AfterKeyword)
	for end < len(s) && end-at < MaxToken && !IsSpace(s[end]) {
		end++
	}
	start := max(0, at-beforeKeyword)
	if n > 0 && start <= list[n-1].End {
		list[n-1].End = end
		return list
	}
	return append(list, Span{Start: start, End: end})
}
