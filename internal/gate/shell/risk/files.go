package risk

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// checkTar finds an archive on another machine, which tar reaches by running a
// remote shell, and a place outside the project where tar unpacks.
func checkTar(c *call) {
	if c.has("-x") || c.hasLong("--extract") || c.hasLong("--get") {
		for _, s := range c.seen {
			if (s.name == "-C" || s.name == "--directory" || s.name == "--one-top-level") && !insideFile(s.value) {
				c.addFlag(s.arg, s.name, KindWrite, "unpacks to another place")
			}
		}
	}
	if c.has("--force-local") {
		return
	}
	for _, s := range c.seen {
		if s.name != "-f" && s.name != "--file" {
			continue
		}
		host, _, remote := strings.Cut(s.value, ":")
		if remote && host != "" && !strings.Contains(host, "/") {
			c.add(s.arg, s.value, KindExec, "runs a remote shell to reach the archive")
		}
	}
}

// checkZip finds -TT, which zip reads as one option among its clusters.
func checkZip(c *call) {
	for i := range c.args {
		w := c.args[i].Text
		if len(w) > 2 && w[0] == '-' && w[1] != '-' && strings.Contains(w, "TT") {
			c.addFlag(i, "-TT", KindExec, "runs a command as a test of the archive")
		}
	}
}

// checkSplit finds a place outside the project where split writes the pieces.
func checkSplit(c *call) {
	if len(c.operands) > 1 && !insideFile(c.text(1)) {
		c.addOperand(c.operands[1], KindWrite, "is where it writes the pieces")
	}
}

// checkTee finds the files that tee writes.
func checkTee(c *call) {
	for _, i := range c.operands {
		if !argv.HarmlessFile(c.args[i].Text) {
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
		return !strings.ContainsAny(command, "\r\n"+argv.Hole)
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
	return ok && strings.ContainsAny(text, "$@") && strings.ContainsAny(rest, ";"+argv.Hole)
}

// exifFormat reports whether a format is written out, and no file's name, and
// holds no code.
func exifFormat(value string) bool {
	return strings.ContainsAny(value, "$") && !holdsPerl(value) && strings.IndexByte(value, 0) < 0
}

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
	return command[0] == '/' && !strings.ContainsAny(command, "|\n"+argv.Hole)
}

// checkDC finds a command of the shell in what dc is given: one behind an
// exclamation mark that does not belong to a comparison.
func checkDC(c *call) {
	for _, s := range c.seen {
		_, rest, ran := strings.Cut(strings.NewReplacer("!<", "", "!>", "", "!=", "").Replace(s.value), "!")
		if ran && rest != "" {
			c.add(s.arg, "!", KindExec, "runs a command")
		}
	}
}

// checkTeX finds commands of a document given as an operand which run programs
// or write files.
func checkTeX(c *call) {
	for _, i := range c.operands {
		for _, command := range [...]string{`\write18`, `\input|`, `\directlua`, `\openout`, `\ShellEscape`} {
			if strings.Contains(c.args[i].Text, command) {
				c.add(i, command, KindExec, "runs a program or writes a file from the document")
				break
			}
		}
	}
}

// secondOperandWrites finds the output file of uniq and xxd, which follows the
// input and, for old uniq, a number of characters (+1).
func secondOperandWrites(c *call) {
	for n, i := range c.operands {
		if n > 0 && !argv.HarmlessFile(c.args[i].Text) {
			c.addOperand(i, KindWrite, "is the file it writes its output to")
		}
	}
}

// checkMiller finds verbs and functions of miller that write and run.
func checkMiller(c *call) {
	for n, i := range c.operands {
		w := c.args[i].Text
		switch {
		case n < 1 && len(c.operands) > 1 && (w == "tee" || w == "split" || w == "case"):
			c.addOperand(i, KindWrite, "writes files")
		case strings.Contains(w, "system(") || strings.Contains(w, "exec(") || strings.Contains(w, `| "`):
			c.add(i, "exec", KindExec, "runs a command from the expression")
		case (strings.Contains(w, "tee") || strings.Contains(w, "emit") || strings.Contains(w, "print") || strings.Contains(w, "dump")) && strings.Contains(w, `> `):
			c.add(i, ">", KindWrite, "writes a file from the expression")
		}
	}
}
