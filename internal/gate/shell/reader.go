package shell

import (
	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/risk"
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

// Bash is Reader.Bash by the catalogue of this binary.
func Bash(command string) Analysis { return Reader{}.Bash(command) }

// PowerShell is Reader.PowerShell by the catalogue of this binary.
func PowerShell(command string) Analysis { return Reader{}.PowerShell(command) }

// CompileDeny is Reader.CompileDeny by the catalogue of this binary.
func CompileDeny(pattern string) (DenyPattern, bool) { return Reader{}.CompileDeny(pattern) }

// Arg is one word of a command; see argv.Arg.
type Arg = argv.Arg

// Hazard is what in a command only a rule that names it covers; see risk.Hazard.
type Hazard = risk.Hazard

// KindExec is the kind of a hazard that runs another program or loads code.
const KindExec = risk.KindExec
