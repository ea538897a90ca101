package shell

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
	"github.com/pigate/pigate/internal/gate/shell/deny"
	"github.com/pigate/pigate/internal/gate/shell/model"
	"github.com/pigate/pigate/internal/gate/shell/risk"
	"github.com/pigate/pigate/internal/gate/shell/wrap"
)

// Reader reads command lines, and the patterns of deny rules, by what a catalogue
// knows of programs. It may be used by several goroutines.
type Reader struct {
	// Known is the catalogue in force; nil is that of this binary.
	Known *catalog.Catalog
}

func (r Reader) known() *catalog.Catalog {
	if r.Known == nil {
		return catalog.Default()
	}
	return r.Known
}

// Bash reads a command line as bash would. It never fails: what cannot be read
// is told by Analysis.Unparsed. The time it takes is proportional to the text,
// which is not parsed when it exceeds argv.MaxLength or argv.MaxDepth.
func (r Reader) Bash(command string) model.Analysis { return r.analyse(command, (*builder).bash) }

// analyse runs one of the readers. The parser is not ours, and a fault in it
// must not end the gate: the command is unparsed then.
func (r Reader) analyse(command string, read func(*builder, string) model.Analysis) (a model.Analysis) {
	defer func() {
		if fault := recover(); fault != nil {
			a = model.Analysis{Unparsed: "it makes the analysis fail"}
		}
	}()
	return read(newBuilder(r.known()), command)
}

func (b *builder) bash(command string) model.Analysis {
	if problem := bash.Measure(command); problem != "" {
		b.unparsed(command, problem)
		return b.finish()
	}
	b.wide = strings.Contains(command, "GLOBIGNORE")
	b.root, b.current = source{b: b, text: command}, -1
	if err := b.read(&b.root, place{parent: -1}); err != nil {
		b.refuse(err.Error())
	}
	b.settle()
	b.dashNames()
	if b.refused != "" { // what the parser found still counts for deny rules
		b.unparsed(command, b.refused)
	}
	return b.finish()
}

// Bash is Reader.Bash by the catalogue of this binary.
func Bash(command string) model.Analysis { return Reader{}.Bash(command) }

// PowerShell is Reader.PowerShell by the catalogue of this binary.
func PowerShell(command string) model.Analysis { return Reader{}.PowerShell(command) }

// CompileDeny compiles the pattern of a deny rule to match by meaning; see
// deny.Compile.
func (r Reader) CompileDeny(pattern string) (DenyPattern, bool) {
	return deny.Compile(r.known(), pattern)
}

// CompileDeny is Reader.CompileDeny by the catalogue of this binary.
func CompileDeny(pattern string) (DenyPattern, bool) { return Reader{}.CompileDeny(pattern) }

// Arg is one word of a command; see argv.Arg.
type Arg = argv.Arg

// Hazard is what in a command only a rule that names it covers; see risk.Hazard.
type Hazard = risk.Hazard

// KindExec is the kind of a hazard that runs another program or loads code.
const KindExec = risk.KindExec

// The parts of what is read, as package model has them.
type (
	// Analysis is what a command line would do.
	Analysis = model.Analysis
	// Unit is one simple command of it.
	Unit = model.Unit
	// Redirection is one output redirection of it.
	Redirection = model.Redirection
	// Variant is one way in which the words of a unit may read.
	Variant = model.Variant
	// OpenText is a set of texts that begin with the same word.
	OpenText = model.OpenText
)

// DenyPattern is the pattern of a deny rule; see deny.Pattern.
type DenyPattern = deny.Pattern

// CompileRun compiles the pattern of a deny rule that names a runner with the
// program it runs, so that the rule holds through every other runner too:
// `npx prisma migrate *` matches what `pnpm prisma migrate reset` runs. It
// returns false for a pattern that names no such program, or names it with a
// version.
func (r Reader) CompileRun(pattern string) (DenyPattern, bool) {
	program, _, _ := strings.Cut(pattern, " ")
	if strings.ContainsAny(pattern, "'\"$`\\<>|&;(){}#\n") || !wrap.MayRun(r.known(), argv.ProgramName(program)) {
		return DenyPattern{}, false
	}
	units := r.Bash(pattern).Units
	for i := len(units) - 1; i > 0; i-- {
		u := &units[i]
		if !u.Ran || len(u.Words) == 0 {
			continue
		}
		first, rest, _ := strings.Cut(u.Text, " ")
		if name := u.Words[0].Text; name != first {
			if strings.HasPrefix(first, name) {
				return DenyPattern{}, false // a version is named
			}
			first = name
		}
		p, ok := r.CompileDeny(strings.TrimSpace(first + " " + rest))
		return p.OfRunner(), ok
	}
	return DenyPattern{}, false
}
