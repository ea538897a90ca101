package shell

import "strings"

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
		if n > 0 && !harmlessFile(c.args[i].Text) {
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
