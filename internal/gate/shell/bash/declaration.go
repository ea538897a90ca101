package bash

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// IsDeclaration reports a builtin that declares variables.
func IsDeclaration(program string) bool {
	switch program {
	case "declare", "typeset", "local", "export", "readonly":
		return true
	}
	return false
}

// PrintsOnly reports `declare -p` and `declare -f`, which set nothing.
func PrintsOnly(args []argv.Arg) bool {
	return len(args) > 1 && strings.HasPrefix(args[1].Text, "-") && strings.ContainsAny(args[1].Text, "pfF")
}

// IsPrompt reports the variables whose value bash expands when it shows it: a
// prompt, or the trace of `set -x`.
func IsPrompt(name string) bool {
	return len(name) == len("PS4") && strings.HasPrefix(name, "PS") && name[2] >= '0' && name[2] <= '4'
}

// ArithmeticName is the name of the variable that an expression is, "" if it is
// none.
func ArithmeticName(x syntax.ArithmExpr) string {
	w, ok := x.(*syntax.Word)
	if !ok || len(w.Parts) != 1 {
		return ""
	}
	switch part := w.Parts[0].(type) {
	case *syntax.Lit:
		return part.Value
	case *syntax.ParamExp:
		if part.Param != nil {
			return part.Param.Value
		}
	}
	return ""
}

// HoldsUnknownSubscript reports a name with a subscript that an expansion
// makes: builtins that take names evaluate what comes out of it once more. What
// printf prints and test compares is as good as never written so.
func HoldsUnknownSubscript(program, word string) bool {
	name, subscript, ok := strings.Cut(word, "[")
	return ok && argv.HasHole(subscript) && syntax.ValidName(strings.TrimPrefix(name, "-v")) &&
		(program != "test" && program != "[" || strings.HasSuffix(subscript, "]"))
}
