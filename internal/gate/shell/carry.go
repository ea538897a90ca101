package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
	"github.com/pigate/pigate/internal/gate/shell/memory"
)

// A loop's first command may follow its last one, and a function may end
// anywhere. So what such a body gives to variables is noted before it is read,
// as what they may hold beside what they do.

// repeats reads a loop: the names that it sets may hold before its commands
// what they are given by them.
func (s *source) repeats(body func(), nodes ...syntax.Node) {
	for _, n := range nodes {
		s.carry(n, nil)
	}
	s.b.memory.Perhaps(body)
}

// carry notes what the variables may hold that the chunk of the line sets.
func (s *source) carry(n syntax.Node, followed []string) {
	m := &s.b.memory
	syntax.Walk(n, func(n syntax.Node) bool {
		if m.Spent++; m.Spent > memory.MaxSpent {
			m.Lost = true
			return false
		}
		switch n := n.(type) {
		case *syntax.Assign:
			s.carryAssign(n)
		case *syntax.WordIter:
			m.Open(n.Name.Value)
			for _, w := range n.Items {
				s.carryWord(n.Name.Value, w)
			}
		case *syntax.ParamExp:
			if n.Param != nil && n.Exp != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) {
				m.Open(n.Param.Value)
				s.carryWord(n.Param.Value, n.Exp.Word)
			}
		case *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.LetClause, *syntax.CStyleLoop:
			s.carryArithmetic(n)
		case *syntax.Redirect:
			if n.N != nil {
				m.Open(strings.Trim(n.N.Value, "{}"))
			}
		case *syntax.CoprocClause:
			if n.Name != nil {
				m.Open(n.Name.Lit())
			}
		case *syntax.DeclClause:
			s.declared(n.Variant.Value, bash.DeclaredWords(n))
		case *syntax.CallExpr:
			s.carryCall(n, followed)
		}
		return true
	})
}

func (s *source) carryAssign(a *syntax.Assign) {
	if a.Name == nil {
		return
	}
	if a.Index != nil || a.Array != nil || a.Append {
		s.b.memory.Open(a.Name.Value)
		return
	}
	s.carryWord(a.Name.Value, a.Value)
}

func (s *source) carryWord(name string, w *syntax.Word) {
	if w == nil {
		s.b.memory.Also(name, memory.Scalar(nil))
	} else if a, _ := bash.Word(w); a.Literal && !a.Tilde() {
		s.b.memory.Also(name, memory.Scalar(argv.PlainText(a.Text)))
	} else {
		s.b.memory.Open(name)
	}
}

func (s *source) carryArithmetic(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if lit, ok := n.(*syntax.Lit); ok {
			bash.EachName(lit.Value, func(name, _ string) { s.b.memory.Open(name) })
		}
		return true
	})
}

// carryCall notes what a command may set.
func (s *source) carryCall(c *syntax.CallExpr, followed []string) {
	m, args := &s.b.memory, c.Args
	for len(args) > 0 && (args[0].Lit() == "builtin" || args[0].Lit() == "command") {
		args = args[1:]
	}
	if len(args) == 0 {
		return
	}
	a, _ := bash.Word(args[0])
	switch program := a.Text; {
	case !a.Literal: // it asks in any case
	case program == "eval" || program == "source" || program == "." || program == "trap" || s.b.named["alias "+program] != "":
		m.ForgetAll()
	case program == "set" || program == "shift":
		m.Open("@")
	case setters[program] != "" || bash.IsDeclaration(program) || program == "unset" || program == "let" || program == "getopts":
		for _, w := range args[1:] {
			if word, _ := bash.Word(w); word.Literal {
				bash.EachName(word.Text, func(name, _ string) { m.Open(name) })
			} else {
				m.ForgetAll()
			}
		}
	default:
		f, ok := s.b.functions[program]
		if !ok {
			return
		}
		for _, name := range followed {
			if name == program {
				return
			}
		}
		f.source.carry(f.body, append(followed, program))
	}
}
