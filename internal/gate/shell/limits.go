package shell

import (
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

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
