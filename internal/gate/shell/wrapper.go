package shell

import (
	"strings"
	"sync"
)

// noCommand is the number of operands of a wrapper that is given a command by
// its options alone.
const noCommand = 1 << 30

// mode is how a wrapper is given what it runs.
type mode uint8

const (
	argv   mode = iota // the words after its own are the command
	joined             // these words, joined by spaces, are shell text
	apart              // each of these words is shell text
)

// wrapper is a program, or one of its subcommands, that runs another command
// given in its arguments. The tables are written from the programs' manuals.
type wrapper struct {
	// programs are base names, separated by blanks.
	programs string
	// sub is the subcommand: words separated by blanks, each with alternatives
	// separated by |. Global options before it are stepped over.
	sub string
	// short are the short options as getopt takes them: a letter, followed by
	// : when it takes a value and by :: when the value must be attached.
	short string
	// long are the long options without dashes, separated by blanks, with = at
	// the end when they take a value and =? when it must be attached.
	long string
	// loose tells that options not listed take no value; valued, that long ones
	// take one. With neither, an option not listed makes the command uncertain.
	loose, valued bool
	// before is the number of operands before the command.
	before int
	// after tells that options may also follow these operands.
	after bool
	// dashes tells that there is a command only after "--".
	dashes bool
	// assigns tells that NAME=value words may stand before the command.
	assigns bool
	// lone tells that "-" alone is an option.
	lone bool
	// mode is how the command is given.
	mode mode
	// texts are options whose value is shell text, words are options after
	// which all that is left is the command, apply those whose value is the
	// program with the rest as its arguments. All with dashes.
	texts, command, program string
	// splits are options whose value is split into words that stand before the
	// rest, expands those whose value the shell expands.
	splits, expands string
	// holders are options that name the text in whose place input stands.
	holders string
	// input tells that its input becomes arguments of the command.
	input bool
	// quits are options with which nothing is run.
	quits string
	// stdin tells that without a command it runs what its input holds; shells
	// lists the options with which it does.
	stdin  bool
	shells string
	// remote tells that the command runs on another machine or in another root.
	remote bool
	// runner tells that it runs a program of a project.
	runner bool
	// shown tells that what it runs is most often a script of the project, which
	// needs no rule of its own; deny rules see it.
	shown bool
	// transparent tells that the wrapper needs no rule of its own.
	transparent bool
	// named is the program that the words after the subcommand are given to.
	named string
	// run names a reading of its own, in place of the one by this table.
	run reading
}

// wrapping is a wrapper made ready for look-ups.
type wrapping struct {
	*wrapper
	path  [][]string // of the subcommand
	known map[string]wrapOption
}

// wrapOption is one option of a wrapper.
type wrapOption struct {
	value taking
	use   optionUse
}

// optionUse is what an option of a wrapper means for the command.
type optionUse uint8

const (
	plainUse   optionUse = iota
	textUse              // its value is shell text
	commandUse           // what follows is the command
	programUse           // its value is the program
	quitUse              // nothing is run
	shellUse             // a shell is run
	splitUse             // its value is split into words
	expandUse            // its value is expanded
	holderUse            // its value is a placeholder
	fileUse              // the input is another file
	fewUse               // the command gets only so much of the input
)

// tool is what is known of a program.
type tool struct {
	wrappers   []*wrapping // by subcommand
	subscripts bool        // it evaluates subscripts in its arguments
}

var noTool tool

// toolOf looks a program up.
func toolOf(program string) *tool {
	if t := tools()[program]; t != nil {
		return t
	}
	return &noTool
}

var tools = sync.OnceValue(func() map[string]*tool {
	all := map[string]*tool{}
	of := func(program string) *tool {
		if all[program] == nil {
			all[program] = &tool{}
		}
		return all[program]
	}
	for _, family := range [][]wrapper{prefixWrappers, privilegeWrappers, shellWrappers, remoteWrappers, toolWrappers} {
		for i := range family {
			w := family[i].ready()
			for _, program := range strings.Fields(w.programs) {
				t := of(program)
				t.wrappers = append(t.wrappers, w)
			}
		}
	}
	for _, program := range strings.Fields(subscriptBuiltins) {
		of(program).subscripts = true
	}
	return all
})

// ready makes the tables of one wrapper.
func (w *wrapper) ready() *wrapping {
	r := &wrapping{wrapper: w, known: map[string]wrapOption{}}
	for _, step := range strings.Fields(w.sub) {
		r.path = append(r.path, strings.Split(step, "|"))
	}
	for i := 0; i < len(w.short); i++ {
		if w.short[i] == ' ' {
			continue
		}
		name, value := "-"+w.short[i:i+1], takesNone
		switch rest := w.short[i+1:]; {
		case strings.HasPrefix(rest, "::"):
			value = takesAttached
			i += 2
		case strings.HasPrefix(rest, ":"):
			value = takesAny
			i++
		}
		r.known[name] = wrapOption{value: value}
	}
	for _, name := range strings.Fields(w.long) {
		value := takesNone
		if bare, ok := strings.CutSuffix(name, "=?"); ok {
			name, value = bare, takesAttached
		} else if bare, ok := strings.CutSuffix(name, "="); ok {
			name, value = bare, takesAny
		}
		r.known["--"+name] = wrapOption{value: value}
	}
	r.use(w.texts, takesAny, textUse)
	r.use(w.program, takesAny, programUse)
	r.use(w.command, takesNone, commandUse)
	r.use(w.quits, takesNone, quitUse)
	r.use(w.shells, takesNone, shellUse)
	r.use(w.splits, takesAny, splitUse)
	r.use(w.expands, takesAny, expandUse)
	for _, name := range strings.Fields(w.holders) {
		r.known[name] = wrapOption{r.known[name].value, holderUse}
	}
	if w.input {
		r.use("-a --arg-file", takesAny, fileUse)
		r.use("-n -L --max-args", takesAny, fewUse)
	}
	return r
}

func (w *wrapping) use(names string, value taking, use optionUse) {
	for _, name := range strings.Fields(names) {
		w.known[name] = wrapOption{value, use}
	}
}

// find returns the option that name spells, also by an unambiguous
// abbreviation.
func (w *wrapping) find(name string) (wrapOption, bool) {
	if o, ok := w.known[name]; ok {
		return o, true
	}
	var found wrapOption
	n := 0
	if strings.HasPrefix(name, "--") && len(name) > 2 {
		for full, o := range w.known {
			if strings.HasPrefix(full, name) {
				found = o
				n++
			}
		}
	}
	return found, n == 1
}

// taking is whether an option takes a value.
type taking uint8

const (
	takesNone     taking = iota
	takesAttached        // only in the same word
	takesAny             // in the same word, or the next word
)

// reading is a way of reading a wrapper's words that a table cannot tell.
type reading uint8

const (
	runsTable reading = iota
	runsSandbox
	runsShell
	runsTrap
	runsSourced
	runsFind
	runsFd
	runsParallel
	runsBatch
	runsCmd
	runsPowerShell
	runsKeys
	runsRunuser
	runsExpression
	runsStart
	runsGroup
	runsCapsh
	runsCargoWatch
)
