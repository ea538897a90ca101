package shell

import "strings"

// perlModule reports whether -M or -m names just a module and what to import.
func perlModule(value string) bool {
	return strings.IndexFunc(value, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(":_=,-", r))
	}) < 0
}

// checkDotnet finds a program in the place of a subcommand.
func checkDotnet(c *call) {
	if first := c.text(0); strings.HasSuffix(strings.ToLower(first), ".dll") || strings.HasSuffix(strings.ToLower(first), ".exe") {
		c.addOperand(c.operands[0], KindExec, "is the program that it runs")
	}
}
