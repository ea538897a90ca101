package redact

// An expression runs on the stretches around its keywords only: so much before
// one, as much as a name or the beginning of a phrase needs, and so much after,
// and on to the end of the word. A short text is one stretch.
const (
	shortText     = 2 << 10
	beforeKeyword = 160
	afterKeyword  = 256
	maxToken      = 16 << 10
)

// addStretch adds the stretch around a keyword at s[at] to a list in order,
// joined to the last one where they meet.
func addStretch(list []span, s string, at int) []span {
	n := len(list)
	if n > 0 && min(len(s), at+afterKeyword) <= list[n-1].end {
		return list
	}
	if len(s) <= shortText {
		return []span{{start: 0, end: len(s)}}
	}
	end := min(len(s), at+afterKeyword)
	for end < len(s) && end-at < maxToken && !isSpace(s[end]) {
		end++
	}
	start := max(0, at-beforeKeyword)
	if n > 0 && start <= list[n-1].end {
		list[n-1].end = end
		return list
	}
	return append(list, span{start: start, end: end})
}
