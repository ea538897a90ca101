package argv

// MaxGuesses bounds the ways in which one command is read, and the words of
// each; MaxTries all the ways of a line.
const (
	MaxGuesses = 64
	MaxTries   = 1000
)
