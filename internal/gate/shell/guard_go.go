package shell

import "strings"

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
	if len(c.operands) > 0 && !goTools(c.text(0)) && !strings.HasPrefix(c.text(0), "\x00") {
		c.addOperand(c.operands[0], KindExec, "runs a tool that is not go's own")
	}
}

// checkTest2JSON finds a program that go tool test2json runs.
func checkTest2JSON(c *call) {
	if len(c.operands) > 0 {
		c.addOperand(c.operands[0], KindExec, "runs the named program")
	}
}
