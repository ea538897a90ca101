package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
	"github.com/pigate/pigate/internal/gate/shell/memory"
	"github.com/pigate/pigate/internal/gate/shell/model"
)

// held is a literal value that runs commands when it is evaluated.
type held struct {
	source *source
	value  argv.Arg
	place  place
}

const evaluatesAgain = "it evaluates the value of a variable, which may run commands"

// named notes that a variable is set, by whatever means, and adds a hazard to
// the unit that is being read when others obey the variable.
func (s *source) named(name string, start, end int, p place) {
	s.b.memory.Forget(name)
	if _, bad := s.b.known.Variable(name); !bad {
		return
	}
	i := s.b.current
	if i < 0 { // the head of a loop is no unit else
		text := s.text[start:end]
		u := unit{body: len(text), Unit: model.Unit{Text: text, Bare: text, Via: p.via, Parent: p.parent}}
		u.Start, u.End = s.span(start, end)
		i = s.b.add(u)
	}
	for _, h := range s.b.units[i].Hazards {
		if h.Flag == name+"=" {
			return
		}
	}
	s.b.assignment(i, name, s, start, end)
}

// doubt notes that the line sets the variable to what cannot be told.
func (b *builder) doubt(name string) {
	if b.vars.Doubtful == nil {
		b.vars.Doubtful = map[string]bool{}
	}
	b.vars.Doubtful[name] = true
}

// given notes the word that a variable is set to; nil is no value. In a list,
// as that of `for`, patterns and braces count too.
func (s *source) given(name string, w *syntax.Word, list bool, p place) {
	if w == nil {
		return
	}
	a, _ := bash.Word(w)
	if bash.IsPrompt(name) {
		s.hidden(argv.HoldUnknown(a.Text, "$_"), a.Start, a.End, p)
	}
	if strings.ContainsAny(a.Text, "$`") || strings.Contains(a.Text, "<(") || strings.Contains(a.Text, ">(") {
		s.b.doubt(name)
		if !argv.HasHole(a.Text) {
			s.b.held = append(s.b.held, held{s, a, p})
		}
		return
	}
	if strings.Trim(a.Text, "0123456789 ") == "" {
		return
	}
	if list && !a.Literal && strings.IndexByte(a.Text, 0) < 0 && strings.Trim(a.Text, "0123456789{},.") != "" {
		s.b.doubt(name) // names of files
		return
	}
	s.givenParts(name, w.Parts, p)
	if text := strings.ReplaceAll(a.Text, argv.Hole, " "); strings.Trim(text, " ") != "" {
		s.b.vars.Write(name, text)
	}
}

// givenParts notes what the expansions of a value may hold.
func (s *source) givenParts(name string, parts []syntax.WordPart, p place) {
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit, *syntax.SglQuoted, *syntax.ArithmExp:
		case *syntax.DblQuoted:
			s.givenParts(name, part.Parts, p)
		case *syntax.ParamExp:
			switch {
			case bash.NumericParameter(part):
			case part.Param == nil || part.Excl || memory.IsPositional(part.Param.Value) || memory.GivenByShell[part.Param.Value]:
				s.b.doubt(name)
			default:
				s.b.vars.Write(name, part.Param.Value)
				if part.Exp != nil {
					s.given(name, part.Exp.Word, false, p)
				}
				if part.Repl != nil {
					s.given(name, part.Repl.With, false, p)
				}
			}
		case *syntax.CmdSubst:
			if !bash.WritesNumber(s.b.known, part) {
				s.b.doubt(name)
			}
		default:
			s.b.doubt(name)
		}
	}
}

// evaluated notes that the word's text is evaluated as an expression in the
// unit that is being read.
func (s *source) evaluated(parts []syntax.WordPart, p place) {
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			s.expressionText(part.Value, part, p)
		case *syntax.SglQuoted:
			s.expressionText(part.Value, part, p)
		case *syntax.DblQuoted:
			s.evaluated(part.Parts, p)
		case *syntax.ParamExp:
			if !bash.NumericParameter(part) {
				s.use(part, part.Param != nil && memory.IsPositional(part.Param.Value))
				if part.Exp != nil && part.Exp.Word != nil {
					s.evaluated(part.Exp.Word.Parts, p)
				}
				if part.Repl != nil && part.Repl.With != nil {
					s.evaluated(part.Repl.With.Parts, p)
				}
			}
		case *syntax.CmdSubst:
			if !bash.WritesNumber(s.b.known, part) {
				s.b.vars.Uses = append(s.b.vars.Uses, memory.Use{Unit: s.b.current, Always: true})
			}
		}
	}
}

func (s *source) use(x *syntax.ParamExp, always bool) {
	u := memory.Use{Unit: s.b.current, Always: always}
	if x.Param != nil {
		u.Name = x.Param.Value
	}
	s.b.vars.Uses = append(s.b.vars.Uses, u)
}

// expressionText notes the names in the text of an expression.
func (s *source) expressionText(text string, n syntax.Node, p place) {
	bash.EachName(text, func(name, rest string) {
		s.b.vars.Uses = append(s.b.vars.Uses, memory.Use{Unit: s.b.current, Name: name})
		if bash.AssignsNext(rest) {
			s.named(name, int(n.Pos().Offset()), int(n.End().Offset()), p)
		}
	})
}

// settle marks the units that evaluate the value of a variable which may hold
// commands, and shows deny rules the commands that the line puts there.
func (b *builder) settle() {
	v := &b.vars
	if len(v.Uses) == 0 {
		return
	}
	v.Spread()
	found := false
	for _, u := range v.Uses {
		if !u.Always && !v.Doubtful[u.Name] && !memory.GivenByShell[u.Name] {
			continue
		}
		found = true
		if u.Unit < 0 {
			b.refuse(evaluatesAgain)
			return
		}
		b.opaque(u.Unit, evaluatesAgain)
	}
	if found {
		for _, h := range b.held {
			h.source.hidden(h.value.Text, h.value.Start, h.value.End, h.place)
		}
	}
}

// assignedArithmetic notes the variable that an assignment in arithmetic sets.
func (s *source) assignedArithmetic(x syntax.ArithmExpr, p place) {
	if name := bash.ArithmeticName(x); name != "" {
		s.named(name, int(x.Pos().Offset()), int(x.End().Offset()), p)
	}
}
