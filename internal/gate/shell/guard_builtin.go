package shell

import "strings"

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
	for _, i := range c.operands {
		name, _, assigns := strings.Cut(c.args[i].Text, "=")
		name = strings.TrimSuffix(name, "+")
		if why, ok := assignmentHazard(name); ok && assigns {
			c.addFlag(i, name+"=", KindExec, why)
		}
	}
}
