package wrap

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
	"github.com/pigate/pigate/internal/gate/shell/model"
)

// enter returns the index after the subcommand path, 0 when args is another
// subcommand. first is the index of the first word that is no global option.
func (w *Wrapper) enter(args []argv.Arg, first int) int {
	if len(w.path) == 0 && w.Bins {
		return w.enterBin(args, first)
	}
	if len(w.path) == 0 {
		return 1
	}
	i, at := first, w.command.Program()
	for k, step := range w.path {
		if k > 0 {
			i = argv.SkipOptions(at, args, i)
		}
		if i >= len(args) || !slices.Contains(step, args[i].Text) {
			return 0
		}
		at = at.Subs[args[i].Text]
		i++
	}
	return i
}

// MaxWrappers is how many wrappers may stand before one command.
const MaxWrappers = 24

// Host is the command line in which a wrapper stands. It gets what the wrapper is
// found to run.
type Host interface {
	// Unit is the wrapper's own unit, until something else is told to the host.
	Unit() *model.Unit
	// Words takes the words of a command that the wrapper runs, Text the text of a
	// shell, and PowerShell that of PowerShell, which runs in the shell around it if
	// here is set. Step says how it is reached.
	Words(c *Call, args []argv.Arg)
	Text(c *Call, text argv.Arg, step string)
	PowerShell(c *Call, text argv.Arg, here bool)
	// Opaque notes why what the wrapper runs cannot be told.
	Opaque(why string)
}

// Line is what a command line tells of the wrapper's surroundings.
type Line interface {
	// Input is what feeds a descriptor of the wrapper, "" being its standard input.
	Input(fd string) Input
	// HoldsBlank reports a variable whose value may hold a blank.
	HoldsBlank(variable string) bool
	// Assign notes that the wrapper sets a variable for what it runs.
	Assign(name, value string, a argv.Arg)
	// Expand reads text that the wrapper expands.
	Expand(a argv.Arg)
	// Split returns the words of a text, false when there is too much of it.
	Split(text string, a argv.Arg) ([]argv.Arg, bool)
	// Candidate reports that one more command may be tried that the wrapper could
	// run, and how many words it has.
	Candidate(words int) bool
}

// Call is a wrapper while its words are read.
type Call struct {
	*Wrapper
	// Args are its words, the program first; Rest is the index of the next one.
	Args []argv.Arg
	Rest int
	// Depth is how many wrappers stand before what it runs, and Step how that is
	// reached.
	Depth int
	Step  string
	// Supply is what is added to the commands of the text it runs, nil if nothing
	// is; Given is what that text has as $0, $1, ….
	Supply *Supply
	Given  []argv.Arg

	host       Host
	line       Line
	catalogue  *catalog.Catalog
	stmt       *syntax.Stmt // the statement that it is, nil if there is none
	pipe       *syntax.Stmt // the statement that writes into it
	program    *argv.Arg    // the program named by an option
	found      bool         // something it runs was found
	tried      int          // index of the word where it was found
	unsure     bool
	shellAsked bool   // an option asks for a shell
	holder     string // the placeholder for what is read from the input
	file       bool   // the input that is meant is another file
	few        bool   // the command gets the input by pieces
	wide       bool   // an option of a shell changes what patterns match
}

// start reads the words and lists what the wrapper runs.
func (r *Call) start() {
	r.Step = r.host.Unit().Program
	for k, rest := 0, r.Args[1:r.Rest]; k < len(r.path) && len(rest) > 0; rest = rest[1:] {
		if slices.Contains(r.path[k], rest[0].Text) {
			r.Step += " " + rest[0].Text
			k++
		}
	}
	if r.Depth > MaxWrappers {
		r.host.Opaque("it stands behind too many wrappers")
		return
	}
	if r.Program != "" {
		at := r.Args[r.Rest-1]
		r.program = &argv.Arg{Text: r.Program, Literal: true, Quoted: true, Start: at.Start, End: at.End}
	}
	r.read()
	u := r.host.Unit()
	if r.found {
		u.Wrapper = true
		u.Runner = r.Runner
		u.Transparent = r.Transparent && !r.unsure && bareProgram(u)
	}
	if r.unsure {
		u.Wrapper = true
		r.host.Opaque("the command it runs cannot be told")
		r.candidates()
	}
}

// candidates shows deny rules what the command may be when the wrapper's own
// words cannot be told from it.
func (r *Call) candidates() {
	left := 4
	for k := r.tried + 1; k < len(r.Args) && left > 0; k++ {
		if a := r.Args[k]; a.Text != "" && a.Text[0] != '-' && a.Text[0] != 0 {
			if !r.line.Candidate(len(r.Args) - k) {
				return
			}
			r.words(r.Args[k:])
			left--
		}
	}
}

// read reads the words in the wrapper's own way.
func (r *Call) read() {
	switch r.Reader {
	case "sandbox":
		r.sandbox()
	case "shell", "foreign-shell":
		r.shell()
	case "trap":
		r.trap()
	case "sourced":
		r.sourced()
	case "find":
		r.findExec()
	case "fd":
		r.fd()
	case "parallel":
		r.parallel()
	case "at":
		r.batch()
	case "cmd":
		r.cmd()
	case "powershell":
		r.powershell()
	case "tmux-keys":
		r.keys()
	case "runuser":
		r.runuser()
	case "expression":
		r.expression()
	case "start-process":
		r.startProcess()
	case "sg":
		r.group()
	case "capsh":
		r.capsh()
	case "cargo-watch":
		r.cargoWatch()
	default:
		r.options()
	}
}

// bareProgram reports that the unit begins with the plain name of its program:
// no assignments, no path to who knows what.
func bareProgram(u *model.Unit) bool {
	for _, dir := range []string{"", "/bin/", "/usr/bin/"} {
		if rest, ok := strings.CutPrefix(u.Text, dir); ok && strings.HasPrefix(rest, u.Program+" ") {
			return true
		}
	}
	return false
}

// Run finds what a command runs, by the catalogue, and tells it to the host. The
// statement that the command is, and the one that writes into it, are nil where
// they are not told; depth is how many wrappers stand before the command. It
// reports a command that changes what patterns match.
func Run(known *catalog.Catalog, host Host, line Line, args []argv.Arg, program string, stmt, pipe *syntax.Stmt, depth int) (wide bool) {
	p := known.Lookup(program)
	list := wrappersOf(known, p)
	if list == nil {
		return false
	}
	r := Call{host: host, line: line, catalogue: known, stmt: stmt, pipe: pipe, Args: args, Depth: depth + 1}
	first := argv.SkipGlobal(known, program, args, 1)
	exact := slices.Contains(p.Names, program)
	for _, w := range list {
		if !exact && (w.Transparent || w.Shown) {
			continue // nice2 need not be nice, and its rule must not be spared
		}
		if r.Rest = w.enter(args, first); r.Rest > 0 {
			r.Wrapper = w
			r.start()
			return r.wide
		}
	}
	return false
}

// NewCall is a wrapper of which nothing is known but how what it runs is reached,
// and the number of wrappers before that.
func NewCall(runs *catalog.Runs, args []argv.Arg, step string, depth int) *Call {
	return &Call{Wrapper: &Wrapper{Runs: runs}, Args: args, Step: step, Depth: depth}
}

// words tells the host a command that the wrapper runs as it is.
func (r *Call) words(args []argv.Arg) {
	if len(args) == 0 {
		return
	}
	if len(argv.WrittenArgs(args)) == 0 {
		r.host.Opaque("the command it runs comes from input")
		return
	}
	r.found = true
	r.host.Words(r, args)
}

// text tells the host shell text that the wrapper runs.
func (r *Call) text(a argv.Arg, step string) {
	r.found = true
	r.host.Text(r, a, step)
}

// psText tells the host text of PowerShell.
func (r *Call) psText(a argv.Arg, here bool) {
	r.found = true
	if a.Text == "-" {
		r.stdinText()
		return
	}
	r.host.PowerShell(r, a, here)
}

// nothing handles a wrapper without a command in its words.
func (r *Call) nothing() {
	if r.program != nil {
		r.words([]argv.Arg{*r.program})
		return
	}
	if (r.Stdin || r.shellAsked) && !r.found {
		r.stdinText()
	}
}

// inner handles the command that begins at the next word.
func (r *Call) inner() {
	r.tried = r.Rest
	args := r.Args[r.Rest:]
	if r.program != nil {
		args = append([]argv.Arg{*r.program}, args...)
	}
	if len(args) == 0 {
		r.nothing()
		return
	}
	switch r.As {
	case catalog.AsWords:
		if r.Feeds {
			r.supplied(args)
			return
		}
		r.words(args)
	case catalog.AsText:
		r.text(bash.JoinArgs(args), r.Step)
	case catalog.AsTexts:
		for _, a := range args {
			r.text(a, r.Step)
		}
	}
}
