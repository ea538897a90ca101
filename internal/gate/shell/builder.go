package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
	"github.com/pigate/pigate/internal/gate/shell/memory"
	"github.com/pigate/pigate/internal/gate/shell/model"
	"github.com/pigate/pigate/internal/gate/shell/pwsh"
	"github.com/pigate/pigate/internal/gate/shell/wrap"
)

// builder gathers what is found in one command line and the texts within it.
type builder struct {
	known  *catalog.Catalog
	out    model.Analysis
	units  []unit
	nested int // bytes of shell text read within the line
	texts  int // and how many such texts
	split  int // words read by a textual split

	named  map[string]string // the text of aliases, by "alias " and their name
	memory memory.State
	vars   memory.Doubts
	held   []held // literal values that hold commands

	functions map[string]function // that the line defines
	defining  string              // the one whose body is being read
	calls     int                 // of them that were followed
	calling   int                 // and are being followed
	// candidates counts the words of commands that a wrapper may run.
	candidates int

	current int // the unit whose words are being read, -1 for none

	aliases bool            // views name commands by all their PowerShell aliases
	power   *pwsh.Variables // of the PowerShell text that is read, nil in others
	wide    bool            // the line changes what patterns match

	// refused says why the syntax tree is not to be trusted after all.
	refused string

	root   source
	parser *bash.Parser
}

// newBuilder returns a builder for one command line.
func newBuilder(known *catalog.Catalog) *builder {
	return &builder{known: known, parser: bash.NewParser(), units: make([]unit, 0, 4)}
}

// unit is a unit with what only its making needs.
type unit struct {
	model.Unit
	function string     // in whose body it stands, "" if in none
	reads    []argv.Arg // the file that is its input
	body     int        // length of Text without the bodies of here-documents
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
	outer *wrap.Feed
	// supply is what is added to the words of each command in the text, nil if
	// nothing is.
	supply *wrap.Supply
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

// expander expands the words of the text.
func (s *source) expander() memory.Expander {
	b := s.b
	return memory.Expander{State: &b.memory, Text: s.text,
		IsFunction: func(name string) bool { return b.functions[name].body != nil },
		IsAlias:    func(name string) bool { return b.named["alias "+name] != "" }}
}

// span translates offsets of the text to offsets of the command line.
func (s *source) span(start, end int) (int, int) {
	if s.depth > 0 {
		return s.start, s.end
	}
	return start, end
}

// add appends a unit and returns its index.
func (b *builder) add(u unit) int {
	u.function = b.defining
	b.units = append(b.units, u)
	return len(b.units) - 1
}

// refuse notes that bash may read the text otherwise than the parser did.
func (b *builder) refuse(why string) {
	if b.refused == "" {
		b.refused = why
	}
}

// drop takes back unit i, and moves up those added after it.
func (b *builder) drop(i int) {
	b.units = append(b.units[:i], b.units[i+1:]...)
	for k := i; k < len(b.units); k++ {
		if u := &b.units[k]; u.Parent > i {
			u.Parent--
		}
	}
	uses := b.vars.Uses
	b.vars.Uses = uses[:0]
	for _, u := range uses {
		if u.Unit > i {
			u.Unit--
		} else if u.Unit == i {
			continue
		}
		b.vars.Uses = append(b.vars.Uses, u)
	}
	for _, list := range [][]Redirection{b.out.Redirections, b.out.Inputs} {
		for k := range list {
			if r := &list[k]; r.Unit > i {
				r.Unit--
			} else if r.Unit == i {
				r.Unit = -1
			}
		}
	}
}

// opaque marks a unit, keeping the first reason.
func (b *builder) opaque(i int, why string) {
	if u := &b.units[i]; u.Opaque == "" {
		u.Opaque = why
	}
}

// finish completes the units.
func (b *builder) finish() model.Analysis {
	b.out.Units = make([]model.Unit, len(b.units))
	for i := range b.units {
		u := &b.units[i]
		u.Known = b.known
		if u.reads != nil && u.Words != nil { // `cat < f` reads what `cat f` reads
			u.Calls, u.Fed = append(u.Calls, slices.Concat(u.Words, u.reads)), true
		}
		u.Views = u.Spellings(u.body, b.aliases || u.PowerShell)
		if u.Transparent && len(u.Hazards) > 0 {
			u.Transparent = false
		}
		f := b.functions[u.function]
		u.Idle = f.followed && !f.missed
		u.Open, u.Wide = len(u.Calls) > 0 || !argv.IsSure(u.Words), b.wide
		b.out.Units[i] = u.Unit
	}
	return b.out
}

// The bounds within which a command line is read, beside those of every text.
// Beyond them it is unparsed.
const (
	// maxTexts is how deep shell text may hold shell text.
	maxTexts = 8
	// maxNestedBytes and maxNestedTexts bound the shell text that is read
	// inside one line.
	maxNestedBytes = 4 * argv.MaxLength
	maxNestedTexts = 1000
	// maxCandidates bounds the words of all commands that wrappers may run when
	// it cannot be told which. They ask anyway.
	maxCandidates = 1024
	// maxSteps is how much of the way to a unit Unit.Via tells.
	maxSteps = 6
	// A textual split shows deny rules this many different pieces, this many
	// words of each, and this many words in all. What it serves asks anyway.
	maxPieces     = 4096
	maxPieceWords = 256
	maxSplitWords = 16384
)

// inside returns the source for shell text found in a word of s, or nil when
// the line holds more text within text than is read.
func (s *source) inside(text string, start, end int) *source {
	b := s.b
	b.nested += len(text)
	b.texts++
	if s.depth >= maxTexts || b.nested > maxNestedBytes || b.texts > maxNestedTexts {
		b.out.Unparsed = "the command holds too much shell text within shell text"
		return nil
	}
	n := &source{b: b, text: text, depth: s.depth + 1, elsewhere: s.elsewhere}
	n.start, n.end = s.span(start, end)
	return n
}
