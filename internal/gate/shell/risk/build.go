package risk

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

const buildsThere = "writes outside the project"

// makefileInside reports whether a build file is one of the project's, not the
// standard input or an address.
func makefileInside(name string) bool {
	return name != "-" && !strings.HasPrefix(name, "/dev/") && !strings.Contains(name, "://") && !strings.HasPrefix(name, "oci:") &&
		!strings.HasPrefix(name, "git@") && insideFile(name)
}

// inputOrBuildFile is makefileInside, or the standard input.
func inputOrBuildFile(name string) bool { return name == "-" || makefileInside(name) }

// cmakeVariable reports whether "NAME=value" or "NAME:TYPE=value" names no
// program by its path and no script.
func cmakeVariable(setting string) bool {
	name, value, _ := strings.Cut(strings.ToLower(setting), "=")
	if argv.HasHole(name) {
		return false
	}
	if strings.Contains(name, "toolchain") || strings.Contains(name, "_code") || strings.Contains(name, "include") && strings.Contains(name, "project") {
		return insideFile(value) && !strings.Contains(name, "_code")
	}
	for _, part := range [...]string{"_compiler", "_launcher", "_command", "_program", "_linker"} {
		if strings.Contains(name, part) && !strings.HasSuffix(name, "_commands") {
			return bareName(value) && !strings.ContainsAny(value, " ;")
		}
	}
	return true
}

// checkMake finds text that make hands to a shell as it reads a variable.
func checkMake(c *call) {
	for _, i := range c.operands {
		if w := c.args[i].Text; strings.Contains(w, "$(") || strings.Contains(w, "${") || strings.Contains(w, "!=") {
			c.add(i, "$(…)", KindExec, "is evaluated by make, which may run commands")
		}
	}
}

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

// checkGoInstall finds a program that is fetched from elsewhere.
func checkGoInstall(c *call) {
	for _, i := range c.operands {
		if strings.ContainsRune(c.args[i].Text, '@') {
			c.addOperand(i, KindExec, "fetches and installs a program")
		}
	}
}

// goTools are the tools that come with go and run nothing else.
var goTools = oneOf(strings.Fields("addr2line asm buildid cgo compile covdata cover dist doc fix link nm objdump pack pprof preprofile trace vet test2json")...)

// checkGoTool finds tools that are not go's own: a path, or a tool of the module.
func checkGoTool(c *call) {
	if len(c.operands) > 0 && !goTools(c.text(0)) && !argv.BeginsHole(c.text(0)) {
		c.addOperand(c.operands[0], KindExec, "runs a tool that is not go's own")
	}
}

// checkTest2JSON finds a program that go tool test2json runs.
func checkTest2JSON(c *call) {
	if len(c.operands) > 0 {
		c.addOperand(c.operands[0], KindExec, "runs the named program")
	}
}
