package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
	"github.com/pigate/pigate/internal/gate/shell/memory"
)

func (s *source) wordList(list []*syntax.Word, p place) {
	for _, w := range list {
		s.word(w, p)
	}
}

func (s *source) word(w *syntax.Word, p place) { s.wordParts(w.Parts, p) }

// wordParts lists the commands that the expansions of a word run.
func (s *source) wordParts(parts []syntax.WordPart, p place) {
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit, *syntax.SglQuoted:
		case *syntax.DblQuoted:
			s.wordParts(part.Parts, p)
		case *syntax.CmdSubst:
			s.b.memory.Perhaps(func() { s.stmts(part.Stmts, p.within("$(…)")) })
		case *syntax.ProcSubst:
			s.b.memory.Perhaps(func() { s.stmts(part.Stmts, p.within(part.Op.String()+"…)")) })
		case *syntax.ArithmExp:
			s.unbalanced(part)
			s.arithmetic(part.X, p)
		case *syntax.ParamExp:
			s.parameter(part, p)
		case *syntax.ExtGlob:
			if !s.testing {
				s.b.refuse("it holds an extended pattern, which bash reads only after shopt -s extglob")
			}
			s.hidden(part.Pattern.Value, int(part.Pos().Offset()), int(part.End().Offset()), p)
		default:
			s.unknown(part, p)
		}
	}
}

// unbalanced refuses arithmetic in which a bracket may close that did not open,
// as after a pattern of case: bash, which looks for the end before it parses,
// takes `((` for two subshells then.
func (s *source) unbalanced(n syntax.Node) {
	text := s.text[n.Pos().Offset():n.End().Offset()]
	if !strings.Contains(text[2:], "$(") && strings.IndexByte(text, '`') < 0 {
		return
	}
	if strings.Contains(text, "esac") || strings.Contains(text, "<<") || strings.Contains(text, "#") {
		s.b.refuse("its arithmetic holds commands whose brackets may not balance")
	}
}

func (s *source) parameter(x *syntax.ParamExp, p place) {
	if x.Excl && x.Index == nil && x.Names == 0 || x.Exp != nil && x.Exp.Op == syntax.OtherParamOps && x.Exp.Word != nil && x.Exp.Word.Lit() == "P" {
		s.use(x, true)
	}
	if x.Index != nil {
		s.arithmetic(x.Index, p)
	}
	if x.Slice != nil {
		s.arithmetic(x.Slice.Offset, p)
		s.arithmetic(x.Slice.Length, p)
	}
	if x.Repl != nil {
		if x.Repl.Orig != nil {
			s.word(x.Repl.Orig, p)
		}
		if x.Repl.With != nil {
			s.word(x.Repl.With, p)
		}
	}
	if x.Exp != nil && x.Exp.Word != nil {
		s.word(x.Exp.Word, p)
		if x.Param != nil && (x.Exp.Op == syntax.AssignUnset || x.Exp.Op == syntax.AssignUnsetOrNull) {
			s.named(x.Param.Value, int(x.Pos().Offset()), int(x.End().Offset()), p)
			s.given(x.Param.Value, x.Exp.Word, false, p)
			s.b.memory.Set(x.Param.Value, memory.UnknownValue.Join(s.expander().ScalarValue(x.Exp.Word)))
		}
	}
	if x.NestedParam != nil {
		s.wordParts([]syntax.WordPart{x.NestedParam}, p)
	}
}

// arithmetic lists the commands that an arithmetic expression runs; x may be
// nil.
func (s *source) arithmetic(x syntax.ArithmExpr, p place) {
	switch x := x.(type) {
	case nil:
	case *syntax.Word:
		if x != nil {
			s.subscript(x, p)
			s.evaluated(x.Parts, p)
		}
	case *syntax.BinaryArithm:
		if bash.AssignsArithmetic(x.Op) {
			s.assignedArithmetic(x.X, p)
		}
		s.arithmetic(x.X, p)
		s.arithmetic(x.Y, p)
	case *syntax.UnaryArithm:
		if x.Op == syntax.Inc || x.Op == syntax.Dec {
			s.assignedArithmetic(x.X, p)
		}
		s.arithmetic(x.X, p)
	case *syntax.ParenArithm:
		s.arithmetic(x.X, p)
	default:
		s.unknown(x, p)
	}
}

func (s *source) test(x syntax.TestExpr, p place) {
	// Between [[ and ]] extended patterns are always on.
	defer func(before bool) { s.testing = before }(s.testing)
	s.testing = true
	switch x := x.(type) {
	case *syntax.Word:
		s.subscript(x, p)
	case *syntax.BinaryTest:
		s.test(x.X, p)
		s.test(x.Y, p)
		if x.Op >= syntax.TsEql && x.Op <= syntax.TsGtr {
			s.evaluatedTest(x.X, p)
			s.evaluatedTest(x.Y, p)
		}
	case *syntax.UnaryTest:
		s.test(x.X, p)
		if x.Op == syntax.TsVarSet || x.Op == syntax.TsRefVar {
			s.evaluatedTest(x.X, p)
		}
	case *syntax.ParenTest:
		s.test(x.X, p)
	default:
		s.unknown(x, p)
	}
}

// evaluatedTest reads an operand of a test that bash evaluates as arithmetic.
func (s *source) evaluatedTest(x syntax.TestExpr, p place) {
	if w, ok := x.(*syntax.Word); ok {
		s.evaluated(w.Parts, p)
	}
}

// subscript reads a word that bash evaluates as arithmetic: a substitution
// runs in a subscript even when the word quotes it.
func (s *source) subscript(w *syntax.Word, p place) {
	s.word(w, p)
	if a, _ := bash.Word(w); a.Quoted {
		s.subscriptText(a, p)
	}
}

func (s *source) subscriptText(a argv.Arg, p place) {
	if i := strings.IndexByte(a.Text, '['); i >= 0 {
		s.hidden(a.Text[i:], a.Start, a.End, p)
	}
}

// hidden lists the commands in text whose expansions bash may evaluate though
// the syntax tree holds it as plain text.
func (s *source) hidden(text string, start, end int, p place) {
	if !strings.ContainsAny(text, "$`") && !strings.Contains(text, "<(") && !strings.Contains(text, ">(") {
		return
	}
	n := s.inside(text, start, end)
	if n == nil {
		return
	}
	doc, err := s.b.parser.Document(text)
	if err != nil {
		s.b.refuse("text that is evaluated cannot be read: " + err.Error())
		n.pieces(p)
		return
	}
	if why := bash.OutsideDocument(text, doc); why != "" {
		s.b.refuse("text that is evaluated holds " + why)
		n.pieces(p)
	}
	n.word(doc, p)
}
