package shelltest

import (
	"math/rand/v2"
	"strings"
)

// Generator draws command lines. Two of the same seed and lists draw the same
// ones. It is not safe for use by several goroutines.
type Generator struct {
	rnd      *rand.Rand
	commands []string
	found    []string
	passed   []string
}

// survivors is how many passed lines a generator remembers.
const survivors = 500

// NewGenerator makes a generator whose mutations start from the commands, and
// whose neighbours are those of lines that ran the marker once. There must be
// one at least of each.
func NewGenerator(seed uint64, commands, found []string) *Generator {
	return &Generator{rnd: rand.New(rand.NewPCG(seed, 0x7a6170)), commands: commands, found: found}
}

// Passed tells the generator that a line which holds the marker passed, so that
// it starts from there too. What it draws depends on what it is told.
func (g *Generator) Passed(text string) {
	if len(g.passed) < survivors {
		g.passed = append(g.passed, text)
	} else {
		g.passed[g.rnd.IntN(survivors)] = text
	}
}

// Sample draws the next command line. It is valid UTF-8, as all is that comes
// from an agent.
func (g *Generator) Sample() Sample {
	var s Sample
	switch n := g.rnd.IntN(100); {
	case n < 14:
		s = g.hereDocument()
	case n < 30:
		s = g.nesting()
	case n < 50:
		s = g.mutation()
	case n < 59:
		s = g.neighbour()
	case n < 74 && len(g.passed) > 0:
		s = g.survivor()
	default:
		s = g.construct()
	}
	if g.oneIn(8) {
		s.Text = g.seamed(s.Text)
	}
	if g.oneIn(25) {
		s.Text = g.pick(modes) + g.pick([]string{"\n", "\n", "; "}) + s.Text
	}
	s.Text = strings.ToValidUTF8(s.Text, "\ufffd")
	return s
}

// seamed puts one or two seams into the text, or leaves out a byte.
func (g *Generator) seamed(text string) string {
	for n := 1 + g.rnd.IntN(2); n > 0 && text != ""; n-- {
		at := g.rnd.IntN(len(text))
		if g.oneIn(6) {
			text = text[:at] + text[at+1:]
		} else {
			text = text[:at] + g.pick(seams) + text[at:]
		}
	}
	return text
}

func (g *Generator) pick(list []string) string { return list[g.rnd.IntN(len(list))] }

// oneIn reports true in one of n draws.
func (g *Generator) oneIn(n int) bool { return g.rnd.IntN(n) == 0 }

// construct draws a context, an opener, fillers and a form of the marker.
func (g *Generator) construct() Sample {
	c := contexts[g.rnd.IntN(len(contexts))]
	switch g.rnd.IntN(20) {
	case 0:
		c = bashOnly
	case 1:
		c = inShells
	}
	text, opener := g.opened()
	text = strings.ReplaceAll(g.pick(c.frames), "%", text)
	if g.oneIn(10) { // a context in a context
		text = strings.ReplaceAll(g.pick(contexts[g.rnd.IntN(len(contexts))].frames), "%", g.pick([]string{"$(" + text + "\n)", text, "`" + text + "`"}))
	}
	if g.oneIn(12) {
		text = g.mutated(text)
	}
	return Sample{text, Construct, Kind{c.name, opener}}
}

// opened draws text for the hole of a frame, and the name of what opens it.
func (g *Generator) opened() (text, opener string) {
	text = g.filled()
	switch n := g.rnd.IntN(10); {
	case n < 3:
		return text, "nothing"
	case n < 8:
		op := g.pick(operators)
		return "${" + g.pick(names) + op + text + "}", "${x" + op + "}"
	}
	b := brackets[g.rnd.IntN(len(brackets))]
	return b[0] + text + b[1], b[0]
}

// filled draws the marker, as a command or as data, among fillers.
func (g *Generator) filled() string {
	var text string
	switch n := g.rnd.IntN(12); {
	case n < 2:
		return g.pick(spellings)
	case n < 5:
		text = g.pick(plain)
	case n < 8:
		text = strings.ReplaceAll(g.pick(forms[:plainForms]), "%", Marker)
	default:
		text = strings.ReplaceAll(g.pick(forms), "%", g.pick(spellings))
	}
	for g.oneIn(2) {
		text = strings.ReplaceAll(g.pick(fillers), "@", text)
	}
	return text
}
