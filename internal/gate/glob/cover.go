package glob

import (
	"encoding/binary"
	"slices"
)

// Covers reports whether p matches every text that q matches, letter case
// counting. It is exact: a pattern is a finite automaton, and q's is walked
// along with p's made deterministic. Of what a star has swallowed p keeps only
// the last, which can do all that the ones before it can, so that the walk stays
// about as long as the product of the two patterns.
func (p Pattern) Covers(q Pattern) bool {
	_, escapes := p.escape(q)
	return !escapes
}

// escape finds a text that q matches and p does not, written backwards.
func (p Pattern) escape(q Pattern) (text []symbol, found bool) {
	w := walk{p: p.readings(), seen: map[string]bool{}}
	for _, reading := range q.readings() {
		w.q = reading
		clear(w.seen)
		w.symbols = symbols(append(w.p[:len(w.p):len(w.p)], reading))
		start := make([][]int, len(w.p))
		for i, tokens := range w.p {
			start[i] = closure(tokens, []int{0})
		}
		if text, found = w.escape(0, start); found {
			return text, true
		}
	}
	return nil, false
}

// symbol is one piece of a pattern: a character, or one of the wildcards.
type symbol rune

const (
	anyOne  symbol = -1 // `?`
	anyText symbol = -2 // `*`
	// someOther stands for all the characters that no pattern names: they are all
	// alike.
	someOther symbol = -3
)

// readings are the patterns, without the optional end, whose texts together are
// those of p.
func (p Pattern) readings() [][]symbol {
	if len(p.exact) == 0 {
		return [][]symbol{{}}
	}
	var whole []symbol
	for i, q := range p.exact {
		if i > 0 {
			whole = append(whole, anyText)
		}
		for at, r := range q.text {
			switch {
			case q.anyChar != nil && q.anyChar[at]:
				whole = append(whole, anyOne)
			default:
				whole = append(whole, symbol(r))
			}
		}
	}
	if !p.optional {
		return [][]symbol{whole}
	}
	return [][]symbol{whole, slices.Clone(whole[:len(whole)-2])}
}

// symbols are the characters that the patterns name, and one for all others.
func symbols(patterns [][]symbol) []symbol {
	list := []symbol{someOther}
	for _, tokens := range patterns {
		for _, t := range tokens {
			if t >= 0 && !slices.Contains(list, t) {
				list = append(list, t)
			}
		}
	}
	return list
}

// walk goes through the texts of q and keeps where they lead in each reading of
// p.
type walk struct {
	p       [][]symbol
	q       []symbol
	symbols []symbol
	seen    map[string]bool
}

// escape finds a text, from here on, that is q's and not p's.
func (w *walk) escape(at int, states [][]int) (text []symbol, found bool) {
	key := w.key(at, states)
	if w.seen[key] {
		return nil, false
	}
	w.seen[key] = true
	if at == len(w.q) {
		return nil, !w.accepted(states)
	}
	next, symbols := at+1, w.symbols
	switch t := w.q[at]; t {
	case anyText:
		if text, found := w.escape(at+1, states); found {
			return text, true
		}
		next = at
	case anyOne:
	default:
		symbols = []symbol{t}
	}
	for _, s := range symbols {
		if text, found := w.escape(next, w.step(states, s)); found {
			return append(text, s), true
		}
	}
	return nil, false
}

func (w *walk) key(at int, states [][]int) string {
	b := binary.AppendUvarint(nil, uint64(at))
	for _, list := range states {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, s := range list {
			b = binary.AppendUvarint(b, uint64(s))
		}
	}
	return string(b)
}

func (w *walk) accepted(states [][]int) bool {
	for i, list := range states {
		if slices.Contains(list, len(w.p[i])) {
			return true
		}
	}
	return false
}

func (w *walk) step(states [][]int, s symbol) [][]int {
	next := make([][]int, len(states))
	for i, tokens := range w.p {
		var list []int
		for _, at := range states[i] {
			if at == len(tokens) {
				continue
			}
			if t := tokens[at]; t == anyText {
				list = append(list, at)
			} else if t == anyOne || t == s {
				list = append(list, at+1)
			}
		}
		next[i] = closure(tokens, list)
	}
	return next
}

// closure adds what a star may leave out, sorts, and drops what stands before
// the last star that was reached.
func closure(tokens []symbol, list []int) []int {
	for i := 0; i < len(list); i++ {
		if at := list[i]; at < len(tokens) && tokens[at] == anyText && !slices.Contains(list, at+1) {
			list = append(list, at+1)
		}
	}
	slices.Sort(list)
	list = slices.Compact(list)
	for i := len(list) - 1; i > 0; i-- {
		if at := list[i]; at < len(tokens) && tokens[at] == anyText {
			return list[i:]
		}
	}
	return list
}
