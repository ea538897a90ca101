package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
	"github.com/pigate/pigate/internal/gate/shell/memory"
	"github.com/pigate/pigate/internal/gate/shell/model"
)

// variables is what one line does with variables, as far as it decides whether
// bash evaluates text a second time: the value of a name in arithmetic is an
// expression itself, whose subscripts may run commands.
type variables struct {
	doubtful map[string]bool // names that are set to what may be no plain number
	written  []written       // literal values, and names whose value is copied
	held     []held          // literal values that hold commands
	uses     []use
}

// written is a literal value of a variable. Its text is an expression of other
// variables, perhaps.
type written struct{ name, text string }

// held is a literal value that runs commands when it is evaluated.
type held struct {
	source *source
	value  argv.Arg
	place  place
}

// use is a place where the value of a variable is evaluated.
type use struct {
	unit   int
	name   string
	always bool // whatever the value
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
	if b.vars.doubtful == nil {
		b.vars.doubtful = map[string]bool{}
	}
	b.vars.doubtful[name] = true
}

// given notes the word that a variable is set to; nil is no value. In a list,
// as that of `for`, patterns and braces count too.
func (s *source) given(name string, w *syntax.Word, list bool, p place) {
	if w == nil {
		return
	}
	a, _ := bash.Word(w)
	if isPrompt(name) {
		s.hidden(holdUnknown(a.Text, "$_"), a.Start, a.End, p)
	}
	if strings.ContainsAny(a.Text, "$`") || strings.Contains(a.Text, "<(") || strings.Contains(a.Text, ">(") {
		s.b.doubt(name)
		if !strings.ContainsAny(a.Text, "\x00") {
			s.b.vars.held = append(s.b.vars.held, held{s, a, p})
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
	if text := strings.ReplaceAll(a.Text, "\x00", " "); strings.Trim(text, " ") != "" {
		s.b.vars.written = append(s.b.vars.written, written{name, text})
	}
}

// isPrompt reports the variables whose value bash expands when it shows it: a
// prompt, or the trace of `set -x`.
func isPrompt(name string) bool {
	return len(name) == len("PS4") && strings.HasPrefix(name, "PS") && name[2] >= '0' && name[2] <= '4'
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
			case part.Param == nil || part.Excl || memory.IsPositional(part.Param.Value) || givenByShell[part.Param.Value]:
				s.b.doubt(name)
			default:
				s.b.vars.written = append(s.b.vars.written, written{name, part.Param.Value})
				if part.Exp != nil {
					s.given(name, part.Exp.Word, false, p)
				}
				if part.Repl != nil {
					s.given(name, part.Repl.With, false, p)
				}
			}
		case *syntax.CmdSubst:
			if !bash.WritesNumber(part) {
				s.b.doubt(name)
			}
		default:
			s.b.doubt(name)
		}
	}
}

// givenByShell are variables that the shell sets to text of the line or of its
// input.
var givenByShell = map[string]bool{"_": true, "REPLY": true, "MAPFILE": true, "OPTARG": true, "BASH_REMATCH": true, "BASH_COMMAND": true,
	"BASH_ARGV": true, "BASH_ARGV0": true, "BASH_EXECUTION_STRING": true, "READLINE_LINE": true}

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
			if !bash.WritesNumber(part) {
				s.b.vars.uses = append(s.b.vars.uses, use{unit: s.b.current, always: true})
			}
		}
	}
}

func (s *source) use(x *syntax.ParamExp, always bool) {
	u := use{unit: s.b.current, always: always}
	if x.Param != nil {
		u.name = x.Param.Value
	}
	s.b.vars.uses = append(s.b.vars.uses, u)
}

// expressionText notes the names in the text of an expression.
func (s *source) expressionText(text string, n syntax.Node, p place) {
	eachName(text, func(name, rest string) {
		s.b.vars.uses = append(s.b.vars.uses, use{unit: s.b.current, name: name})
		if assignsNext(rest) {
			s.named(name, int(n.Pos().Offset()), int(n.End().Offset()), p)
		}
	})
}

// assignsNext reports an assignment, an increment or a decrement.
func assignsNext(rest string) bool {
	rest = strings.TrimLeft(rest, " ")
	if strings.HasPrefix(rest, "++") || strings.HasPrefix(rest, "--") {
		return true
	}
	rest = strings.TrimLeft(rest, "+-*/%&|^<>")
	return strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==")
}

// eachName calls f with each name in text and what stands behind it.
func eachName(text string, f func(name, rest string)) {
	for i := 0; i < len(text); {
		if !argv.IsNameByte(text[i]) {
			i++
			continue
		}
		start := i
		for i < len(text) && argv.IsNameByte(text[i]) {
			i++
		}
		if c := text[start]; c < '0' || c > '9' {
			f(text[start:i], text[i:])
		}
	}
}

// settle marks the units that evaluate the value of a variable which may hold
// commands, and shows deny rules the commands that the line puts there.
func (b *builder) settle() {
	v := &b.vars
	if len(v.uses) == 0 {
		return
	}
	v.spread()
	found := false
	for _, u := range v.uses {
		if !u.always && !v.doubtful[u.name] && !givenByShell[u.name] {
			continue
		}
		found = true
		if u.unit < 0 {
			b.refuse(evaluatesAgain)
			return
		}
		b.opaque(u.unit, evaluatesAgain)
	}
	if found {
		for _, h := range v.held {
			h.source.hidden(h.value.Text, h.value.Start, h.value.End, h.place)
		}
	}
}

// spread finds the variables whose value names or copies a doubtful one.
func (v *variables) spread() {
	if v.doubtful == nil {
		v.doubtful = map[string]bool{}
	}
	into := map[string][]string{}
	for _, w := range v.written {
		eachName(w.text, func(name, _ string) { into[name] = append(into[name], w.name) })
	}
	var next []string
	for name := range v.doubtful {
		next = append(next, name)
	}
	for name := range givenByShell {
		next = append(next, name)
	}
	for len(next) > 0 {
		name := next[len(next)-1]
		next = next[:len(next)-1]
		for _, to := range into[name] {
			if !v.doubtful[to] {
				v.doubtful[to] = true
				next = append(next, to)
			}
		}
	}
}

// assignedArithmetic notes the variable that an assignment in arithmetic sets.
func (s *source) assignedArithmetic(x syntax.ArithmExpr, p place) {
	w, ok := x.(*syntax.Word)
	if !ok || len(w.Parts) != 1 {
		return
	}
	name := ""
	switch part := w.Parts[0].(type) {
	case *syntax.Lit:
		name = part.Value
	case *syntax.ParamExp:
		if part.Param != nil {
			name = part.Param.Value
		}
	}
	if name != "" {
		s.named(name, int(w.Pos().Offset()), int(w.End().Offset()), p)
	}
}

// arithmeticAssignments are the operators that set their left side.
var arithmeticAssignments = []syntax.BinAritOperator{syntax.Assgn, syntax.AddAssgn, syntax.SubAssgn, syntax.MulAssgn, syntax.QuoAssgn,
	syntax.RemAssgn, syntax.AndAssgn, syntax.OrAssgn, syntax.XorAssgn, syntax.ShlAssgn, syntax.ShrAssgn}

func assignsArithmetic(op syntax.BinAritOperator) bool {
	return slices.Contains(arithmeticAssignments, op)
}
