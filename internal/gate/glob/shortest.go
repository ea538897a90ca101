package glob

import (
	"encoding/binary"
	"slices"
	"strings"
)

// maxAlike is how many texts are tried that put the patterns in one state, and
// maxSteps how many states are visited at all.
const (
	maxAlike = 8
	maxSteps = 1 << 18
)

// others are characters that stand for all that no pattern names.
const others = "xyz0123456789abcdefghijklmnopqrstuvw"

// Shortest calls found with texts that every pattern of one list matches and none
// of another, the shortest first, until it returns false; letter case counts. For
// all texts that no pattern can tell apart a few stand. whole reports that the
// search came to its end: when nothing was found then, there is no such text. The
// patterns are finite automata, and the search walks their product.
func Shortest(all, none []Pattern, found func(text string) bool) (whole bool) {
	s := newProduct(all, none)
	type node struct {
		states [][]int
		text   string
	}
	queue, visits := []node{{s.start(), ""}}, map[string]int{}
	for steps := 0; len(queue) > 0; steps++ {
		if steps == maxSteps {
			return false
		}
		now := queue[0]
		queue = queue[1:]
		if s.accepts(now.states) && !found(now.text) {
			return false
		}
		for _, c := range s.symbols {
			next := s.walk.step(now.states, c)
			if !s.alive(next) {
				continue
			}
			key := s.key(next)
			if visits[key] == maxAlike {
				continue
			}
			visits[key]++
			char := rune(c)
			if c == someOther {
				char = s.other
			}
			queue = append(queue, node{next, now.text + string(char)})
		}
	}
	return true
}

// product are several patterns, walked together.
type product struct {
	walk    walk
	symbols []symbol
	other   rune
	of      []int // the pattern that each reading is one of
	wanted  int   // the first so many patterns must match, the others must not
}

func newProduct(all, none []Pattern) *product {
	s := &product{wanted: len(all)}
	for i, p := range slices.Concat(all, none) {
		for _, reading := range p.readings() {
			s.walk.p = append(s.walk.p, reading)
			s.of = append(s.of, i)
		}
	}
	s.symbols = symbols(s.walk.p)
	slices.SortFunc(s.symbols, func(a, b symbol) int { return rank(a) - rank(b) })
	for _, c := range others {
		if !slices.Contains(s.symbols, symbol(c)) {
			s.other = c
			break
		}
	}
	if s.other == 0 { // every one is named: what it stands for is named too
		s.other = 'é'
	}
	return s
}

// rank puts letters before what has a meaning in a command.
func rank(s symbol) int {
	switch {
	case s == someOther:
		return 1 << 21
	case s >= 'a' && s <= 'z':
		return int(s)
	case strings.ContainsRune("-./_", rune(s)):
		return 1<<9 + int(s)
	}
	return 1<<10 + int(s)
}

func (s *product) start() [][]int {
	states := make([][]int, len(s.walk.p))
	for i, tokens := range s.walk.p {
		states[i] = closure(tokens, []int{0})
	}
	return states
}

// alive reports that every wanted pattern can match still.
func (s *product) alive(states [][]int) bool {
	return s.every(states, func(_ []symbol, list []int) bool { return len(list) > 0 })
}

// accepts reports that the text until here is one that is looked for.
func (s *product) accepts(states [][]int) bool {
	for i, list := range states {
		if s.of[i] >= s.wanted && slices.Contains(list, len(s.walk.p[i])) {
			return false
		}
	}
	return s.every(states, func(tokens []symbol, list []int) bool { return slices.Contains(list, len(tokens)) })
}

// every reports that of each wanted pattern a reading is so.
func (s *product) every(states [][]int, is func(tokens []symbol, list []int) bool) bool {
	for n := range s.wanted {
		any := false
		for i, list := range states {
			any = any || s.of[i] == n && is(s.walk.p[i], list)
		}
		if !any {
			return false
		}
	}
	return true
}

func (s *product) key(states [][]int) string {
	var b []byte
	for _, list := range states {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, at := range list {
			b = binary.AppendUvarint(b, uint64(at))
		}
	}
	return string(b)
}
