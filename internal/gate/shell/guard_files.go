package shell

import "strings"

// checkSplit finds a place outside the project where split writes the pieces.
func checkSplit(c *call) {
	if len(c.operands) > 1 && !insideFile(c.text(1)) {
		c.addOperand(c.operands[1], KindWrite, "is where it writes the pieces")
	}
}

// checkTee finds the files that tee writes.
func checkTee(c *call) {
	for _, i := range c.operands {
		if !harmlessFile(c.args[i].Text) {
			c.addOperand(i, KindWrite, "is a file it writes")
		}
	}
}

// checkChmod finds modes that let a program run with its owner's rights.
func checkChmod(c *call) {
	mode := c.text(0)
	if strings.Contains(mode, "s") && strings.ContainsAny(mode, "+=") ||
		len(mode) == 4 && strings.IndexByte("234567", mode[0]) >= 0 && strings.Trim(mode, "01234567") == "" {
		c.addOperand(c.operands[0], KindState, "lets the file run with its owner's rights")
	}
}

// lessMove reports whether a command less starts with only moves: +F, +G, +/text, +100.
func lessMove(command string) bool {
	command = strings.TrimPrefix(command, "+")
	if command == "" {
		return true
	}
	if command[0] == '/' || command[0] == '?' {
		return !strings.ContainsAny(command, "\r\n\x00")
	}
	return strings.Trim(command, "0123456789FGg%") == ""
}

// checkExif finds -TAG=value, by which exiftool rewrites a file.
func checkExif(c *call) {
	for _, s := range c.seen {
		if s.given && strings.HasPrefix(c.args[s.arg].Text, "-") && strings.Contains(c.args[s.arg].Text, "=") {
			c.add(s.arg, s.name, KindWrite, "changes a tag in the file")
		}
	}
}
