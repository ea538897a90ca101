package shell

import "strings"

// checkEd finds the file that ed opens: its commands come from the input.
func checkEd(c *call) {
	if len(c.operands) > 0 {
		c.addOperand(c.operands[0], KindExec, "is edited by commands from the input, which can run programs")
	}
}

// isNumber reports whether a value is digits alone.
func isNumber(value string) bool { return strings.Trim(value, "0123456789") == "" }

// vimReads reports whether an editor's command is a line number or a search.
func vimReads(command string) bool {
	if command == "" || strings.Trim(command, "0123456789$") == "" {
		return true
	}
	return command[0] == '/' && !strings.ContainsAny(command, "|\n\x00")
}
