package suggest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/rule"
)

// candidate is a rule that could be drafted.
type candidate struct {
	rule rule.Rule
	// covers are the pieces that the rule covers, sorted.
	covers []int32
	// words and depth are the words of one covered command, and how many of them
	// the rule names.
	wild  bool
	class class
	// wide is what is added to the risk of the class for what the wildcard leaves
	// open.
	wide float64

	proof
}

func (c *candidate) risk() float64 { return min(0.99, classes[c.class].risk+c.wide) }

// candidates lists the rules that could cover pieces that were seen, without any
// that could never be drafted, in the order of their texts.
func candidates(known knowledge, p *pieces, seen func(id int32) bool) []*candidate {
	byText := map[string]*candidate{}
	add := func(text string, covers []int32, wild bool, c class, wide float64) {
		if byText[text] != nil {
			return
		}
		r, err := rule.Parse(text)
		if err != nil || r.Whole && strings.Contains(text, ":") {
			return
		}
		r.Effect, r.File = rule.Allow, "-"
		byText[text] = &candidate{rule: r, covers: covers, wild: wild, class: c, wide: wide}
	}
	commands, files, tools := newTrie(known), newTree(), newServers()
	for i, x := range p.list {
		id := int32(i)
		if !seen(id) {
			continue
		}
		switch x.kind {
		case shellPiece:
			commands.add(id, x, add)
		case editPiece:
			files.add(id, x.text, add)
		case mcpPiece:
			tools.add(id, x.text, p.free[x.text], add)
		case toolPiece:
			if c, ok := toolClass(x.text); ok {
				if c == looks && p.free[x.text] {
					c = unknown
				}
				add(x.text, []int32{id}, true, c, 0)
			}
		}
	}
	commands.candidates(add)
	files.candidates(add)
	tools.candidates(add)
	list := make([]*candidate, 0, len(byText))
	for _, c := range byText {
		slices.Sort(c.covers)
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b *candidate) int { return cmp.Compare(a.rule.Text, b.rule.Text) })
	return list
}

// adder takes a candidate: its text, what it covers, whether it holds a
// wildcard, its class and what its width adds to the risk.
type adder func(text string, covers []int32, wild bool, c class, wide float64)
