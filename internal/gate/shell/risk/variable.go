package risk

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// plainVariable reports whether a name can be read and is that of a harmless
// variable.
func plainVariable(known *catalog.Catalog, name string) bool {
	name, _, _ = strings.Cut(name, "[")
	_, bad := known.Variable(name)
	return !bad && strings.IndexByte(name, 0) < 0
}

const setsVariable = "sets a variable by which later programs run others"

// checkVariableNames finds builtins that put what they read into a variable which
// later programs go by, and those whose names cannot be read.
func checkVariableNames(c *call) {
	checkSubscripts(c)
	for n, i := range c.operands {
		if c.program == "getopts" && n == 0 || c.program == "printf" {
			continue
		}
		name, _, _ := strings.Cut(c.args[i].Text, "=")
		if strings.IndexByte(name, 0) < 0 && !plainVariable(c.known, name) {
			c.addFlag(i, name+"=", KindExec, setsVariable)
		}
	}
}

const evaluates = "evaluates the subscript of a variable's name, which may run a command"

// checkSubscripts finds `a[$(command)]` where bash takes a variable's name.
func checkSubscripts(c *call) {
	for i := range c.args {
		if subscript(c.args[i].Text) {
			c.add(i, "[…]", KindExec, evaluates)
		}
	}
}

func subscript(word string) bool {
	_, rest, ok := strings.Cut(word, "[")
	return ok && (strings.Contains(rest, "$(") || strings.ContainsAny(rest, "`"))
}

// checkDeclaration finds variables that change what later programs do.
func checkDeclaration(c *call) {
	checkSubscripts(c)
	prints := c.has("-f", "-F", "-p")
	for _, i := range c.operands {
		name, _, assigns := strings.Cut(c.args[i].Text, "=")
		name = strings.TrimSuffix(name, "+")
		if !prints && !c.args[i].Literal && strings.ContainsAny(name, "{"+argv.Hole+"*?[") && !plainSubscript(name) {
			c.addOperand(i, KindExec, "sets variables whose names cannot be told")
			continue
		}
		if why, ok := c.known.Variable(name); ok && assigns {
			c.addFlag(i, name+"=", KindExec, why)
		}
	}
}

// plainSubscript reports a literal name with a subscript that is an expansion.
func plainSubscript(name string) bool {
	bare, _, ok := strings.Cut(name, "[")
	return ok && bare != "" && !strings.ContainsAny(bare, "{"+argv.Hole+"*?")
}
