package shell

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
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
