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

// checkExif finds what exiftool's tags tell: -TAG=value and -TAG<SOURCE, by which
// it rewrites a file, and code of perl in ${TAG;code}.
func checkExif(c *call) {
	for i := range c.args {
		w := c.args[i].Text
		if holdsPerl(w) {
			c.add(i, "${…;…}", KindExec, "runs the perl code of an expression")
		}
		if len(w) < 2 || w[0] != '-' {
			continue
		}
		if at := strings.IndexAny(w[1:], "=<>"); at > 0 && c.table.names[w[:at+1]] == nil {
			c.add(i, w[:at+1], KindWrite, "changes a tag in the file, or its name")
		}
	}
}

// holdsPerl reports an expression of exiftool's with code in it.
func holdsPerl(text string) bool {
	_, rest, ok := strings.Cut(text, "{")
	return ok && strings.ContainsAny(text, "$@") && strings.ContainsAny(rest, ";\x00")
}

// exifFormat reports whether a format is written out, and no file's name, and
// holds no code.
func exifFormat(value string) bool {
	return strings.ContainsAny(value, "$") && !holdsPerl(value) && strings.IndexByte(value, 0) < 0
}
