// Package shelltest writes command lines that hide a marker command in every
// place a shell could find one, and lets real shells run them among stubs. It
// is for tests alone.
package shelltest

// Marker is the command that no rule of a test allows. It stands where a
// command could hide, and also where it is plain data.
const Marker = "zap"

// Kind names the family of a command line: where the hole of its frame stands,
// and what opens the text in the hole.
type Kind struct {
	Context, Opener string
}

func (k Kind) String() string { return k.Context + " × " + k.Opener }

// Source is how a command line was made.
type Source int

// The sources of command lines.
const (
	Construct    Source = iota // a context of the grammar with something in it
	HereDocument               // here-documents whose end is in doubt
	Nesting                    // quotes, expansions and brackets in each other
	RealCommand                // a command that somebody wrote, mostly changed
	Neighbour                  // near to what ran the marker once
	Survivor                   // near to what passed with the marker in it
)

// Sources are all sources.
var Sources = []Source{Construct, HereDocument, Nesting, RealCommand, Neighbour, Survivor}

func (s Source) String() string {
	return [...]string{"constructs", "here-documents", "nestings", "real commands", "neighbours", "survivors"}[s]
}

// Sample is one generated command line.
type Sample struct {
	Text   string
	Source Source
	Kind   Kind
}
