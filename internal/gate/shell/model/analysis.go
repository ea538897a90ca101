package model

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/risk"
)

// Analysis is what a command line would do, as far as its text tells.
type Analysis struct {
	// Units are the simple commands that could run, each wrapper before what it
	// runs. The order says nothing about the order of execution.
	Units []Unit
	// Redirections are the output redirections of the whole line, those of
	// shell text nested in it included.
	Redirections []Redirection
	// Inputs are the files that the line reads by redirection. Of each, the
	// fields Target, Literal, Names, Start, End and Unit are set.
	Inputs []Redirection
	// Unparsed is empty, or says why the text could not be read: a syntax
	// error, too long, nested too deeply. Units then hold the pieces of a
	// cautious textual split, good for deny rules and for nothing else.
	Unparsed string
}

// Unit is one simple command found in a command line.
type Unit struct {
	// Text is what allow rules match and what is saved: the source text with
	// the blanks between words collapsed to one space and quoted text
	// untouched. It includes leading assignments, redirections and the bodies
	// of here-documents.
	Text string
	// Bare is Text without its output redirections; equal to Text when it has
	// none, or when nothing else is left.
	Bare string
	// Start and End are the byte span in the command text. Of a unit found in
	// text that a word carries (`bash -c '…'`) they are the span of that word.
	Start, End int
	// Via says how the unit is reached, for people: "" at the top level, else
	// for example "sudo", "$(…)", "find -exec" or "sudo › bash -c".
	Via string
	// Parent is the index in Analysis.Units of the wrapper that runs this unit,
	// -1 if the shell itself runs it.
	Parent int
	// Wrapper reports that the unit runs another command given in its
	// arguments or fed to it. That command is a unit of its own with this one
	// as Parent, unless Opaque says that it cannot be told.
	Wrapper bool
	// Runner reports that the unit is a wrapper which runs a program of a
	// project in the environment it prepares (npx, uv run, bundle exec, …).
	Runner bool
	// Transparent reports that the unit is a wrapper which needs no rule of its
	// own, because it does nothing but run its inner command (timeout, nice,
	// command, …). Never set when it carries assignments, redirections or
	// hazards of its own.
	Transparent bool
	// Opaque is empty, or says why no wildcard rule may allow the unit: its
	// program name is not literal, or the command a wrapper runs is not. The
	// second is the case when Wrapper is set.
	Opaque string
	// Program is the name of the program without its path, in lower case and
	// without the suffix of a program on Windows (".exe", ".cmd", …). It is empty when the name is not literal, and for
	// units without a program, such as a lone assignment.
	Program string
	// Views are the spellings that deny rules are matched against, without
	// repetitions: Text and Bare, and the words with quotes and escapes removed,
	// without leading assignments, without the program's path, without global
	// options before a subcommand. Bodies of here-documents are data and left
	// out.
	Views []string
	// Hazards are the guarded flags, assignments and redirections found.
	Hazards []risk.Hazard

	// Words are the words after leading assignments, the program first, with
	// quotes removed. They must not be changed.
	Words []argv.Arg
	// Known is the catalogue that the unit was read by.
	Known *catalog.Catalog
	// Ran reports that a runner runs it.
	Ran bool
	// PowerShell reports a command of PowerShell, whose aliases are views too.
	PowerShell bool
	// Calls are its words as calls of the function read them in whose body it
	// stands. With Idle they alone count for deny rules.
	Calls [][]argv.Arg
	Idle  bool
	// Fed reports that the last of Calls are its words with the file of its input
	// behind them.
	Fed bool
	// Open reports that not all of what the words become is in their text, Wide
	// that the line changes what patterns match.
	Open, Wide bool
}

// Covers reports whether an allow rule with this pattern, which matches the
// runner u, names the program of inner, a unit that u runs, so that the rule
// plainly means both: `npx tsc *` covers the tsc of `npx tsc -p .`, and `npx *`
// covers nothing. It is false for wrappers that are no runners.
func (u *Unit) Covers(inner *Unit, pattern string) bool {
	if !u.Runner || inner.Opaque != "" {
		return false
	}
	program, _, _ := strings.Cut(inner.Text, " ")
	at := strings.LastIndex(u.Text, inner.Text)
	return at > 0 && strings.HasPrefix(glob.Compile(pattern).LiteralPrefix(), u.Text[:at+len(program)])
}

// Redirection is one output redirection.
type Redirection struct {
	// Op is the operator without its descriptor: ">", ">>", "&>", ">&", "<>", …
	Op string
	// Target is the word after the operator with its quotes removed.
	Target string
	// Literal reports that Target names the file that gets written. It is false
	// when the word holds an expansion, and in shell text that runs on another
	// machine or in a folder which the text does not tell.
	Literal bool
	// Names are the names that a target which is not literal may be, as far as
	// the line tells; it may be others too.
	Names []string
	// Harmless reports that no file is written: a duplicated or closed
	// descriptor, /dev/null, /dev/stdout or /dev/stderr.
	Harmless bool
	// Start and End are the byte span in the command text, as for Unit.
	Start, End int
	// Unit is the index of the unit it belongs to, -1 for the redirection of a
	// compound command.
	Unit int
}
