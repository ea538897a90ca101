package memory

import (
	"github.com/pigate/pigate/internal/gate/shell/bash"
)

// Doubts is what one line does with variables, as far as it decides whether
// bash evaluates text a second time: the value of a name in arithmetic is an
// expression itself, whose subscripts may run commands.
type Doubts struct {
	Doubtful map[string]bool // names that are set to what may be no plain number
	Written  []Written       // literal values, and names whose value is copied
	Uses     []Use
}

// Written is a literal value of a variable. Its text is an expression of other
// variables, perhaps.
type Written struct{ name, text string }

// Use is a place where the value of a variable is evaluated.
type Use struct {
	Unit   int
	Name   string
	Always bool // whatever the value
}

// GivenByShell are variables that the shell sets to text of the line or of its
// input.
var GivenByShell = map[string]bool{"_": true, "REPLY": true, "MAPFILE": true, "OPTARG": true, "BASH_REMATCH": true, "BASH_COMMAND": true,
	"BASH_ARGV": true, "BASH_ARGV0": true, "BASH_EXECUTION_STRING": true, "READLINE_LINE": true}

// Spread finds the variables whose value names or copies a doubtful one.
func (v *Doubts) Spread() {
	if v.Doubtful == nil {
		v.Doubtful = map[string]bool{}
	}
	into := map[string][]string{}
	for _, w := range v.Written {
		bash.EachName(w.text, func(name, _ string) { into[name] = append(into[name], w.name) })
	}
	var next []string
	for name := range v.Doubtful {
		next = append(next, name)
	}
	for name := range GivenByShell {
		next = append(next, name)
	}
	for len(next) > 0 {
		name := next[len(next)-1]
		next = next[:len(next)-1]
		for _, to := range into[name] {
			if !v.Doubtful[to] {
				v.Doubtful[to] = true
				next = append(next, to)
			}
		}
	}
}

// Write notes that a variable is given a text that may name or copy others.
func (v *Doubts) Write(name, text string) { v.Written = append(v.Written, Written{name, text}) }
