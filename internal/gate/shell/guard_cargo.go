package shell

import (
	"strings"
)

// checkCargoScript finds a file that cargo compiles and runs.
func checkCargoScript(c *call) {
	if name := c.text(0); strings.HasSuffix(name, ".rs") || strings.HasSuffix(name, ".toml") || strings.ContainsAny(name, "/\\") {
		c.addOperand(c.operands[0], KindExec, "compiles and runs a script")
	}
}

// ownWords is the index of the first word after --, or the number of words.
func (c *call) ownWords() int {
	for i := range c.args {
		if c.args[i].Text == "--" {
			return i + 1
		}
	}
	return len(c.args)
}

// checkOwnerListing lets cargo owner pass where it lists the owners and changes none.
func checkOwnerListing(c *call) {
	if (c.has("--list") || c.has("-l")) && !c.has("-a", "--add", "-r", "--remove", "--index", "--registry") {
		c.dropSubs()
	}
}

// checkCompilerWords reads what cargo passes on to the compiler.
func checkCompilerWords(c *call) {
	compiler := "rustc"
	if c.path() == "rustdoc" {
		compiler = "rustdoc"
	}
	c.delegate(tableOf(c.known, c.known.Lookup(compiler)), c.ownWords())
}

// checkTestWords reads what cargo passes on to the tests.
func checkTestWords(c *call) {
	for i := c.ownWords(); i < len(c.args); i++ {
		if w := c.args[i].Text; w == "--logfile" || strings.HasPrefix(w, "--logfile=") {
			c.addFlag(i, "--logfile", KindWrite, "writes a log file")
		}
	}
}

// checkVendor finds a folder outside the project that is filled.
func checkVendor(c *call) {
	for _, i := range c.operands {
		if !insideFile(c.args[i].Text) {
			c.addOperand(i, KindWrite, buildsThere)
		}
	}
}
