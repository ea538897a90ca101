package argv

// MaxGuesses bounds the ways in which one command is read, and the words of
// each; MaxTries all the ways of a line.
const (
	MaxGuesses = 64
	MaxTries   = 1000
)

// The bounds within which a text is read. Beyond them it is not: readers are
// recursive, their time grows steeply with nesting, and a deep enough text would
// exhaust the stack, which no recover can catch.
const (
	// MaxLength is the longest command text, in bytes, that is parsed.
	MaxLength = 32 << 10
	// MaxDepth is the deepest nesting of brackets, quotes and substitutions that is
	// parsed.
	MaxDepth = 100
)
