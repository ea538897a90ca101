package suggest

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/rule"
)

// trie holds commands by their words.
type trie struct {
	known knowledge
	root  *node
}

// node is where the commands below begin with the same words.
type node struct {
	words    []string // from the root
	children map[string]*node
	order    []string // of the children, as they came
	// ends are the pieces that end here; below those that a wildcard here would
	// cover.
	ends, below []int32
	// least is the greatest depth that a command below asks for, 0 if one of them
	// refuses any wildcard.
	least int
	class class
}

func newTrie(known knowledge) *trie { return &trie{known, &node{children: map[string]*node{}}} }

// most is how many words of a command are looked at.
const most = 12

// add files a command, and offers its exact text.
func (t *trie) add(id int32, x piece, add adder) {
	list := words(x.text)
	c := x.class(t.known)
	if writable(x.text) && t.known.whole(list) {
		add(rule.Shell+":"+glob.Escape(x.text), []int32{id}, false, c, 0)
	}
	if x.exact {
		return // a wildcard does not cover a guarded flag
	}
	least := t.known.depth(list, x.shape)
	at := t.root
	for i, word := range list[:min(len(list), most)] {
		next := at.children[word]
		if next == nil {
			next = &node{words: list[: i+1 : i+1], children: map[string]*node{}, least: least, class: c}
			at.children[word], at.order = next, append(at.order, word)
		}
		at = next
		at.below = append(at.below, id)
		at.class = max(at.class, c)
		if least == 0 || at.least == 0 {
			at.least = 0
		} else {
			at.least = max(at.least, least)
		}
	}
	at.ends = append(at.ends, id)
}

// candidates offers a rule with a wildcard at each node where commands part.
func (t *trie) candidates(add adder) { t.root.candidates(add) }

func (n *node) candidates(add adder) {
	for _, word := range n.order {
		n.children[word].candidates(add)
	}
	k := len(n.words)
	branches := len(n.children)
	if len(n.ends) > 0 {
		branches++
	}
	if k == 0 || n.least == 0 || k < n.least || branches < 2 && k > n.least {
		return
	}
	for _, word := range n.words {
		if !literal(word) {
			return
		}
	}
	prefix := strings.Join(n.words, " ")
	add(rule.Shell+":"+glob.Escape(prefix)+" *", n.below, true, n.class, 0.05)
}
