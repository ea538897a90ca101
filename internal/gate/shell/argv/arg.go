package argv

// Arg is one word of a simple command as the program would receive it.
type Arg struct {
	// Text is the word with quotes and escapes removed. Of a word that is not
	// literal it holds the literal pieces, with each expansion replaced by the
	// byte Hole, which no real argument can contain.
	Text string
	// Literal reports that the word holds no expansion of any kind (parameter,
	// command, arithmetic, process, glob or brace), so Text is exactly what the
	// program receives.
	Literal bool
	// Quoted reports that some part of the word was quoted or escaped.
	Quoted bool
	// Start and End are byte offsets of the word in the command text.
	Start, End int

	Writes bool // it is a process substitution, whose commands write it
	ANSI   bool // some part of it is written as $'…'
	Home   bool // it begins with a tilde that the shell expands
	Splits bool // an expansion in it stands outside quotes, or is a list: it may become several words
	Tail   bool // it is not written in the line: a wrapper adds it at the end
	Fed    bool // it comes from the input and may turn out to be an option
	Listed bool // it is a further element of the list that the word before begins
	Commas bool // and joins it with a comma
	// Holder is the placeholder that each Hole stands for, "" if none.
	Holder string
	Detail *Detail // what more is known of it, nil if nothing
}

// Texts returns the texts of words.
func Texts(args []Arg) []string {
	list := make([]string, len(args))
	for i := range args {
		list[i] = args[i].Text
	}
	return list
}

// WrittenArgs returns the words that are written in the line, without the tail.
func WrittenArgs(args []Arg) []Arg {
	if n := len(args); n > 0 && args[n-1].Tail {
		return args[:n-1]
	}
	return args
}
