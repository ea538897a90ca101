package audit

// Spans merges ranges and returns what tells whether a number is in them.
func Spans(list [][2]int64) func(n int64) bool { return spans(list).merged().have }

// FollowEvery is Follow that looks so often.
var FollowEvery = followEvery
