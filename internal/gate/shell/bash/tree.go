package bash

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Returns reports a body that may end before its last command.
func Returns(body *syntax.Stmt) (found bool) {
	syntax.Walk(body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Lit:
			found = found || strings.Contains(n.Value, "return")
		case *syntax.SglQuoted:
			found = found || strings.Contains(n.Value, "return")
		}
		return !found
	})
	return found
}

// DeclaredWords are the words of a declaration as far as they are told.
func DeclaredWords(d *syntax.DeclClause) []string {
	words := make([]string, 0, len(d.Args))
	for _, a := range d.Args {
		switch {
		case a.Name != nil:
			words = append(words, a.Name.Value)
		case a.Value != nil:
			words = append(words, a.Value.Lit())
		}
	}
	return words
}

// arithmeticAssignments are the operators that set their left side.
var arithmeticAssignments = []syntax.BinAritOperator{syntax.Assgn, syntax.AddAssgn, syntax.SubAssgn, syntax.MulAssgn, syntax.QuoAssgn,
	syntax.RemAssgn, syntax.AndAssgn, syntax.OrAssgn, syntax.XorAssgn, syntax.ShlAssgn, syntax.ShrAssgn}

// AssignsArithmetic reports an operator of arithmetic that sets its left side.
func AssignsArithmetic(op syntax.BinAritOperator) bool {
	return slices.Contains(arithmeticAssignments, op)
}

// AfterDashes returns the offset behind a "--" that begins the pipeline, -1 if
// none does. Some shells take it for the end of the options of the keyword time.
func AfterDashes(st *syntax.Stmt) int {
	for {
		switch cmd := st.Cmd.(type) {
		case *syntax.BinaryCmd:
			st = cmd.X
		case *syntax.CallExpr:
			if len(cmd.Args) > 0 && cmd.Args[0].Lit() == "--" {
				return int(cmd.Args[0].End().Offset())
			}
			return -1
		default:
			return -1
		}
	}
}
