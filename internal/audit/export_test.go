package audit

import "context"

// Spans merges ranges and returns what tells whether a number is in them.
func Spans(list [][2]int64) func(n int64) bool { return spans(list).merged().have }

// FollowEvery is Follow that looks so often.
var FollowEvery = followEvery

// Index makes the index worth while when it is so many entries behind, and
// builds it in transactions of so many entries.
func (r *Reader) Index(behind, batch int64) { r.indexing.behind, r.indexing.batch = behind, batch }

// Indexed is the last entry that the index covers, 0 without one.
func (r *Reader) Indexed(ctx context.Context) int64 {
	s := r.snapshot(ctx)
	if s == nil {
		return 0
	}
	return s.Seq
}
