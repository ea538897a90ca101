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
	prints := c.has("-f", "-F", "-p")
	for _, i := range c.operands {
		name, _, assigns := strings.Cut(c.args[i].Text, "=")
		name = strings.TrimSuffix(name, "+")
		if !prints && !c.args[i].Literal && strings.ContainsAny(name, "{\x00*?[") && !plainSubscript(name) {
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
	return ok && bare != "" && !strings.ContainsAny(bare, "{\x00*?")
}
