package pwsh

import (
	"slices"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// Path says how a command is reached: the brackets around it, the outer first.
type Path []string

// within returns the path one step further in.
func (p Path) within(step string) Path { return append(p[:len(p):len(p)], step) }

// Event is one step of the reading. Commands begin and end like brackets: what is
// met between the two stands in the command.
type Event struct {
	Kind    EventKind
	Command *Command
	Output  *Output // of OutputMet
	// Variable is the environment variable, in upper case, that EnvironmentSet
	// tells of, Text how it is written, and Start and End where.
	Variable, Text string
	Start, End     int
}

// EventKind says what an event tells.
type EventKind uint8

// The kinds of events.
const (
	CommandBegun   EventKind = iota // a command begins
	CommandEnded                    // all of it is read
	CommandDropped                  // it turned out to be none
	OutputMet                       // a redirection is read, which a later event gives to a command
	EnvironmentSet                  // the command's result goes to an environment variable
	PreferenceSet                   // the command's result goes to a preference
)

// Piece is a span of the text that belongs to a command.
type Piece struct {
	Start, End int
	Output     bool // left out where the text without its redirections is meant
}

// Command is one command of a text, or an expression whose result goes somewhere.
type Command struct {
	Path   Path
	Pieces []Piece // in the order of the text
	// Start and End are the bytes from the first piece to the last.
	Start, End int
	// Result reports an expression, Idle one that does nothing which needs a rule.
	Result, Idle bool
	Outputs      []*Output
	Piped        bool // it reads what another command writes
	// Unnamed reports that the program's name is in a variable.
	Unnamed bool
	// Readings are the words that it may get, the likeliest first; none for one
	// without a name.
	Readings []Reading
}

// Reading is one way in which the words of a command may read.
type Reading struct {
	Args []argv.Arg
	// Program is the name of the program, in lower case and in full, "" where it
	// is not told.
	Program string
	Opaque  string // why no rule may cover it, "" if one may
	Marks   []Mark
}

// Mark is a word by which a command does more than a rule for its name says.
type Mark struct {
	Arg  argv.Arg
	Flag string
	Why  string
	Kind catalog.Kind
	// Named reports that the name of the command is the mark.
	Named bool
}

// Output is one redirection: the operator, the target and whether that is
// literal, as in a redirection of the model.
type Output struct {
	Op, Target        string
	Literal, Harmless bool
	Names             []string
	Start, End        int
}

func (r *reader) emit(e Event) { *r.events = append(*r.events, e) }

// begin makes a command, which end completes.
func (r *reader) begin(p Path) *Command {
	c := &Command{Path: p}
	r.emit(Event{Kind: CommandBegun, Command: c})
	return c
}

func (r *reader) end(c *Command, pieces []Piece) {
	slices.SortStableFunc(pieces, func(a, b Piece) int { return a.Start - b.Start })
	c.Pieces = pieces
	r.emit(Event{Kind: CommandEnded, Command: c})
}
