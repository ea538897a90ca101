package risk

import (
	"sync"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// Kind is what a hazard would do.
type Kind = catalog.Kind

// The kinds of hazard.
const (
	KindExec  = catalog.KindExec
	KindWrite = catalog.KindWrite
	KindNet   = catalog.KindNet
	KindRead  = catalog.KindRead
	KindState = catalog.KindState
)

// Hazard is a piece of a command by which an innocent-looking program runs
// commands, writes files, reaches the network or changes state.
type Hazard struct {
	// Flag is the piece as a rule would name it: "-delete", "--output",
	// "config", "of=". Of a script it is the command within it ("w",
	// "system"), and only a rule that holds the whole script names that.
	Flag string
	// Start and End are byte offsets in the command text: the words that carry
	// the hazard, an option's value included.
	Start, End int
	// Why says what it would do, without a subject: "deletes the files it finds".
	Why string
	// Kind is what it would do in one word.
	Kind Kind

	Form  Form
	owner *table  // nil when found outside the tables
	opt   *option // the table's entry, nil for words and scripts
	value string  // what the option is given, with 0x00 for each expansion
	given bool    // the option has a value
	Word  string  // the whole argument that carries it
}

// Form is how a hazard is written, which decides how a rule names it.
type Form uint8

const (
	formOption  Form = iota // an option, with its value if it takes one
	formPrefix              // an operand that begins with the flag (of=FILE)
	formSub                 // the subcommand itself
	FormWord                // a script or other word, named only as a whole
	formOperand             // an operand, usually a file
	formFlag                // a flag outside the tables, named by itself
	FormProgram             // the program itself
)

// Find lists what in args makes an innocent-looking program run commands,
// write files, reach the network or change state. program is the lower-case
// base name ("git"), args are the words after it, already without wrappers and
// leading assignments. A program without an entry costs one look-up. A word
// that is not literal counts only where its literal part spells a guarded
// option; `grep "$x" f` passes.
func Find(known *catalog.Catalog, program string, args []argv.Arg) []Hazard {
	t := tableOf(known, known.Lookup(program))
	if t == nil || len(args) == 0 {
		return nil
	}
	c := calls.Get().(*call)
	*c = call{known: known, program: program, args: args}
	c.scan(t, 0)
	found := c.hazards
	*c = call{}
	calls.Put(c)
	return found
}

// calls are kept for reuse.
var calls = sync.Pool{New: func() any { return new(call) }}
