package argv

import (
	"slices"
)

// Variants are the lists of words that the shell may make of a command's words.
func Variants(args []Arg) [][]Arg {
	n := 0
	for k := range args {
		if m := args[k].Detail; m != nil {
			n = max(n, len(m.Ways))
		}
	}
	if n == 0 {
		return [][]Arg{args}
	}
	out := make([][]Arg, n)
	for w := range out {
		list := make([]Arg, 0, len(args))
		for _, a := range args {
			if a.Detail == nil || w >= len(a.Detail.Ways) {
				list = append(list, a)
				continue
			}
			list = append(list, a.Detail.Ways[w]...)
		}
		out[w] = list
	}
	return slices.CompactFunc(out, func(a, b []Arg) bool {
		return slices.EqualFunc(a, b, func(x, y Arg) bool { return x.Text == y.Text && x.Literal == y.Literal })
	})
}

// IsSure reports words that are known to the last character.
func IsSure(args []Arg) bool {
	return !slices.ContainsFunc(args, func(a Arg) bool { return !a.Sure() })
}
