package shell

import (
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/catalog"
)

// builder gathers what is found in one command line and the texts within it.
type builder struct {
	known   *catalog.Catalog
	out     Analysis
	scratch []Unit  // where out.Units grow
	small   *small  // memory of a short command's result
	words   int     // about how many words the line has
	args    []Arg   // the latest words; units hold parts of it
	pieces  []piece // scratch of unitText
	nested  int     // bytes of shell text read within the line
	texts   int     // and how many such texts
	split   int     // words read by a textual split

	named  map[string]string // the text of aliases, by "alias " and their name
	memory memory
	vars   variables

	functions map[string]function // that the line defines
	defining  string              // the one whose body is being read
	calls     int                 // of them that were followed
	calling   int                 // and are being followed
	tries     int                 // ways read and guesses made
	// candidates counts the words of commands that a wrapper may run.
	candidates int

	current int // the unit whose words are being read, -1 for none

	aliases bool         // views name commands by all their PowerShell aliases
	power   *psVariables // of the PowerShell text that is read, nil in others
	wide    bool         // the line changes what patterns match

	// refused says why the syntax tree is not to be trusted after all.
	refused string

	root   source
	parser *syntax.Parser
	reader strings.Reader
}

// builders are kept for reuse, with the parser and its buffers.
var builders = sync.Pool{New: func() any { return &builder{parser: newParser()} }}

// release gives the builder back. Nothing it returned is kept.
func (b *builder) release() {
	kept := builder{parser: b.parser}
	if cap(b.pieces) <= 256 {
		kept.pieces = b.pieces[:0]
	}
	if cap(b.scratch) <= 256 {
		kept.scratch = b.scratch[:0]
	}
	*b = kept
	builders.Put(b)
}

// small holds the result of a short command in one piece of memory.
type small struct {
	units [1]Unit
	views [2]string
	args  [6]Arg
}

// room makes sure that n words can be added without moving those before.
func (b *builder) room(n int) {
	switch {
	case cap(b.args)-len(b.args) >= n:
	case b.small == nil && b.args == nil && b.words <= len(small{}.args):
		b.small = new(small)
		b.args = b.small.args[:0]
	default:
		b.args = make([]Arg, 0, max(n, min(b.words, 96), 8))
	}
}

// source is one shell text: the command line itself or a text within it.
type source struct {
	b    *builder
	text string
	// depth is how many texts hold this one. Spans of what is found in a text
	// within the line are the span of the word that holds it.
	depth      int
	start, end int
	// elsewhere marks text that runs on another machine or in a folder that
	// cannot be told, so that no target of a redirection in it is literal.
	elsewhere bool
	// testing marks the words between [[ and ]].
	testing bool
	// piped is the statement that writes into the one read next, if any.
	piped *syntax.Stmt
	// outer is the input of the commands in the text that have none of their
	// own, nil when it is not told.
	outer *feed
	// supply is what is added to the words of each command in the text, nil if
	// nothing is.
	supply *supply
}

// place is where in a command line something is found.
type place struct {
	via      string
	parent   int
	wrappers int // how many wrappers stand before it
	steps    int // in via
}

// within returns the place one step further in.
func (p place) within(step string) place {
	if p.steps++; p.steps > maxSteps {
		return p
	}
	if p.via != "" {
		step = p.via + " › " + step
	}
	p.via = step
	return p
}

// under returns the place of what unit i runs.
func (p place) under(i int, step string) place {
	p = p.within(step)
	p.parent = i
	return p
}

// span translates offsets of the text to offsets of the command line.
func (s *source) span(start, end int) (int, int) {
	if s.depth > 0 {
		return s.start, s.end
	}
	return start, end
}

// add appends a unit and returns its index.
func (b *builder) add(u Unit) int {
	u.function = b.defining
	b.out.Units = append(b.out.Units, u)
	return len(b.out.Units) - 1
}

// refuse notes that bash may read the text otherwise than the parser did.
func (b *builder) refuse(why string) {
	if b.refused == "" {
		b.refused = why
	}
}

// drop takes back unit i, and moves up those added after it.
func (b *builder) drop(i int) {
	b.out.Units = append(b.out.Units[:i], b.out.Units[i+1:]...)
	for k := i; k < len(b.out.Units); k++ {
		if u := &b.out.Units[k]; u.Parent > i {
			u.Parent--
		}
	}
	uses := b.vars.uses
	b.vars.uses = uses[:0]
	for _, u := range uses {
		if u.unit > i {
			u.unit--
		} else if u.unit == i {
			continue
		}
		b.vars.uses = append(b.vars.uses, u)
	}
	for k := range b.out.Redirections {
		if r := &b.out.Redirections[k]; r.Unit > i {
			r.Unit--
		} else if r.Unit == i {
			r.Unit = -1
		}
	}
}

// opaque marks a unit, keeping the first reason.
func (b *builder) opaque(i int, why string) {
	if u := &b.out.Units[i]; u.Opaque == "" {
		u.Opaque = why
	}
}

// finish completes the units and moves them out of the scratch.
func (b *builder) finish() Analysis {
	var units []Unit
	var views []string
	if n := len(b.out.Units); n == 1 && b.small != nil {
		units, views = b.small.units[:], b.small.views[:0]
	} else {
		units, views = make([]Unit, n), make([]string, 0, n+n/2)
	}
	copy(units, b.out.Units)
	clear(b.out.Units)
	b.scratch, b.out.Units = b.out.Units[:0], units
	for i := range units {
		u := &units[i]
		u.known = b.known
		if u.reads != nil && u.words != nil { // `cat < f` reads what `cat f` reads
			u.called = append(u.called, slices.Concat(u.words, u.reads))
		}
		first := len(views)
		views = u.appendViews(views)
		if b.aliases || u.power {
			views = u.appendAliases(views)
		}
		u.Views = views[first:len(views):len(views)]
		if u.Transparent && len(u.Hazards) > 0 {
			u.Transparent = false
		}
		f := b.functions[u.function]
		u.idle = f.followed && !f.missed
		u.open, u.wide = len(u.called) > 0 || !isSure(u.words), b.wide
	}
	return b.out
}
