package risk

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/script"
)

// checkAwk reads the programs of an awk command: those of -e, else the first
// operand when no file holds it. Under gawk's --sandbox awk itself refuses what
// is looked for.
func checkAwk(c *call) {
	given := false
	for _, s := range c.seen {
		switch s.name {
		case "-S", "--sandbox":
			return
		case "-e", "--source":
			given = true
			c.awkProgram(s.arg, s.value)
		case "-f", "--file", "-E", "--exec":
			given = true
		}
	}
	if !given && len(c.operands) > 0 {
		c.awkProgram(c.operands[0], c.args[c.operands[0]].Text)
	}
}

func (c *call) awkProgram(i int, program string) {
	if program != "" && argv.OnlyHoles(program) {
		c.add(i, "program", KindExec, "cannot be read, so it may write files and run commands")
		return
	}
	r := script.ReadAwk(program)
	if r.Runs != "" {
		c.add(i, r.Runs, KindExec, "runs a command from the awk program")
	}
	if r.Writes {
		c.add(i, ">", KindWrite, "writes a file from the awk program")
	}
	if r.Loads {
		c.add(i, "@", KindExec, "loads or calls what the awk program names")
	}
}

// plainMawkOption tells the arguments of mawk's -W that run nothing.
func plainMawkOption(value string) bool {
	switch value {
	case "version", "v", "help", "usage", "u", "dump", "d", "interactive", "i", "posix", "traditional", "sprintf", "posix_space":
		return true
	}
	return false
}

// checkSed reads the scripts of a sed command: those of -e, else the first
// operand. Under --sandbox sed itself refuses what is looked for.
func checkSed(c *call) {
	var pieces []int // words that hold the scripts of -e
	var script strings.Builder
	file, length := false, false
	for _, s := range c.seen {
		switch s.name {
		case "-l": // GNU takes the next word as a length, whatever it is; BSD takes none
			length = true
		case "--sandbox":
			if !length {
				return
			}
		case "-e", "--expression":
			pieces = append(pieces, s.arg)
			script.WriteString(s.value)
			script.WriteByte('\n')
		case "-f", "--file":
			file = true
		}
	}
	if len(pieces) > 0 {
		c.sedScript(script.String(), pieces...)
	}
	if file || len(pieces) > 0 {
		return
	}
	for n, i := range c.operands {
		script := c.args[i].Text
		c.sedScript(script, i)
		if n > 0 || !length && strings.Trim(script, "0123456789") != "" {
			break // the first may be the length after -l, so the next word counts too
		}
	}
}

// sedScript reads a script that the words at the indices make up together.
func (c *call) sedScript(text string, words ...int) {
	if text != "" && strings.Trim(text, argv.Hole+"\n") == "" && argv.HasHole(text) {
		c.add(words[0], "script", KindExec, "cannot be read, so it may write files and run commands")
		return
	}
	r := script.ReadSed(text)
	i := words[len(words)-1]
	for _, word := range words {
		if strings.Contains(c.args[word].Text, r.Line) {
			i = word
			break
		}
	}
	if r.Writes {
		c.add(i, "w", KindWrite, "writes a file from the sed script")
	}
	if r.Runs {
		c.add(i, "e", KindExec, "runs a command from the sed script")
	}
}
