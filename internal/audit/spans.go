package audit

import (
	"cmp"
	"slices"
)

// spans are ranges of numbers, from and to.
type spans [][2]int64

// merged returns the same numbers in ranges that ascend and do not touch.
func (s spans) merged() spans {
	s = slices.Clone(s)
	slices.SortFunc(s, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	var list spans
	for _, r := range s {
		if n := len(list); n > 0 && r[0] <= list[n-1][1]+1 {
			list[n-1][1] = max(list[n-1][1], r[1])
			continue
		}
		list = append(list, r)
	}
	return list
}

// have reports whether a number is in one of the ranges, which are merged.
func (s spans) have(n int64) bool {
	i, found := slices.BinarySearchFunc(s, n, func(r [2]int64, n int64) int { return cmp.Compare(r[0], n) })
	return found || i > 0 && s[i-1][1] >= n
}
