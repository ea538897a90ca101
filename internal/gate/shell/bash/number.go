package bash

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// numericNames are parameters that the shell itself sets to numbers.
var numericNames = map[string]bool{"?": true, "#": true, "$": true, "!": true, "RANDOM": true, "SRANDOM": true, "LINENO": true,
	"SECONDS": true, "EPOCHSECONDS": true, "BASHPID": true, "UID": true, "EUID": true, "PPID": true, "OPTIND": true, "SHLVL": true}

// NumericParameter reports an expansion that is always a number: a length, the
// keys of an array, a counter of the shell.
func NumericParameter(x *syntax.ParamExp) bool {
	switch {
	case x.Length || x.Excl && x.Index != nil:
		return true
	case x.Param == nil || x.Exp != nil || x.Repl != nil || x.Slice != nil:
		return false
	}
	return numericNames[x.Param.Value]
}

// WritesNumber reports a command substitution whose last program writes
// numbers alone, whatever it reads.
func WritesNumber(known *catalog.Catalog, c *syntax.CmdSubst) bool {
	if len(c.Stmts) != 1 {
		return false
	}
	st := c.Stmts[0]
	if b, ok := st.Cmd.(*syntax.BinaryCmd); ok && b.Op == syntax.Pipe {
		st = b.Y
	}
	args := plainWords(st)
	return len(args) > 0 && numericOutput(known, args)
}

func numericOutput(known *catalog.Catalog, args []argv.Arg) bool {
	operands, text := 0, ""
	for _, a := range args[1:] {
		if !strings.HasPrefix(a.Text, "-") {
			operands++
		}
		text += " " + a.Text
	}
	text = strings.TrimPrefix(text, " ")
	switch args[0].Text {
	case "seq":
		return strings.Trim(text, "0123456789 -.") == ""
	case "wc":
		return operands == 0 && text != ""
	case "id":
		return text == "-u" || text == "-g"
	case "date":
		format := strings.NewReplacer("%%", "x").Replace(text)
		return strings.HasPrefix(format, "+") && strings.Trim(format, "+%sNYmdHMSjuwV0123456789-") == "" && strings.Contains(format, "%")
	case "grep":
		return operands <= 2 && len(args) > 1 && strings.HasPrefix(args[1].Text, "-") && strings.Trim(args[1].Text, "-cEFivwxPq") == "" && strings.Contains(args[1].Text, "c")
	case "tr":
		return text == "-dc 0-9" || text == "-cd 0-9" || text == "-dc [:digit:]" || text == "-cd [:digit:]"
	case "stat":
		return strings.HasPrefix(text, "-c %s ") || strings.HasPrefix(text, "-c%s ") || strings.HasPrefix(text, "-f%z ") || strings.HasPrefix(text, "-f %z ")
	}
	c, rest := commandOf(known, args)
	return c != nil && c.WritesNumbers.Covers(argv.Texts(rest[:min(1, len(rest))])...)
}
