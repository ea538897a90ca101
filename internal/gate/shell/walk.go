package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
	"github.com/pigate/pigate/internal/gate/shell/memory"
	"github.com/pigate/pigate/internal/gate/shell/model"
	"github.com/pigate/pigate/internal/gate/shell/risk"
	"github.com/pigate/pigate/internal/gate/shell/wrap"
)

// read parses one shell text and lists what it would do.
func (b *builder) read(s *source, p place) error {
	file, piece, err := b.parser.Parse(s.text)
	if err != nil {
		return err
	}
	if piece != "" {
		b.refuse("it holds " + piece)
	}
	s.stmts(file.Stmts, p)
	return nil
}

func (s *source) stmts(list []*syntax.Stmt, p place) {
	for _, st := range list {
		s.stmt(st, p)
	}
}

// stmt reads one statement: a simple command with its redirections, or a
// compound one with what stands in it.
func (s *source) stmt(st *syntax.Stmt, p place) {
	before := s.b.current
	s.b.current = -1
	if st.Background {
		s.b.memory.Perhaps(func() { s.statement(st, p) })
	} else {
		s.statement(st, p)
	}
	s.b.current = before
}

func (s *source) statement(st *syntax.Stmt, p place) {
	in := wrap.Feed{Stmt: st, Pipe: s.piped, Outer: s.outer}
	s.piped = nil
	switch cmd := st.Cmd.(type) {
	case *syntax.CallExpr:
		s.simple(in, cmd, p)
		return
	case nil:
		s.bareRedirections(st, p)
		return
	case *syntax.DeclClause:
		s.declaration(st, cmd, p)
		return
	case *syntax.LetClause, *syntax.TestClause, *syntax.ArithmCmd:
		s.expression(st, p)
		return
	}
	if len(st.Redirs) > 0 || in.Pipe != nil { // feeds what stands in it
		defer func(before *wrap.Feed) { s.outer = before }(s.outer)
		fed := in
		s.outer = &fed
	}
	switch cmd := st.Cmd.(type) {
	case *syntax.BinaryCmd:
		s.chain(cmd, p)
	case *syntax.Block:
		s.stmts(cmd.Stmts, p)
	case *syntax.Subshell:
		s.b.memory.Perhaps(func() { s.stmts(cmd.Stmts, p) })
	case *syntax.TimeClause:
		s.timed(cmd, in, p)
	case *syntax.CoprocClause:
		if cmd.Name != nil {
			s.word(cmd.Name, p)
			s.named(cmd.Name.Lit(), int(cmd.Name.Pos().Offset()), int(cmd.Name.End().Offset()), p)
			switch cmd.Stmt.Cmd.(type) {
			case *syntax.Block, *syntax.Subshell, *syntax.IfClause, *syntax.WhileClause, *syntax.ForClause, *syntax.CaseClause:
			default: // before a simple command bash takes the name for the program
				s.b.refuse("what coproc runs cannot be told from its name")
			}
		}
		s.b.memory.Perhaps(func() { s.stmt(cmd.Stmt, p) })
	case *syntax.FuncDecl:
		if _, simple := cmd.Body.Cmd.(*syntax.CallExpr); simple {
			s.b.refuse("the body of a function must be a compound command")
		}
		s.define(cmd, p)
	default:
		s.control(st.Cmd, p)
	}
	s.redirections(st.Redirs, -1, p)
}

// chain reads two statements with an operator between them.
func (s *source) chain(cmd *syntax.BinaryCmd, p place) {
	if cmd.Op != syntax.Pipe && cmd.Op != syntax.PipeAll {
		s.stmt(cmd.X, p)
		s.b.memory.Perhaps(func() { s.stmt(cmd.Y, p) })
		return
	}
	s.b.memory.Perhaps(func() { s.stmt(cmd.X, p) })
	s.piped = cmd.X
	s.b.memory.Perhaps(func() { s.stmt(cmd.Y, p) })
}

// timed reads `time command`. After a pipe `time` is no keyword but the program
// of that name, whose options are its own.
func (s *source) timed(c *syntax.TimeClause, in wrap.Feed, p place) {
	if in.Pipe != nil || c.Stmt == nil {
		start, end := int(c.Pos().Offset()), int(c.Pos().Offset())+len("time")
		u := unit{body: len("time"), Unit: model.Unit{Text: "time", Bare: "time", Program: "time", Via: p.via, Parent: p.parent}}
		u.Wrapper, u.Transparent = c.Stmt != nil, c.Stmt != nil
		u.Start, u.End = s.span(start, end)
		s.b.add(u)
	}
	if c.Stmt == nil {
		return
	}
	if call, ok := c.Stmt.Cmd.(*syntax.CallExpr); ok && in.Pipe != nil && len(call.Args) > 0 && strings.HasPrefix(call.Args[0].Lit(), "-") {
		s.b.refuse("what time runs after a pipe cannot be told from its options")
	}
	if from := bash.AfterDashes(c.Stmt); from >= 0 {
		end := int(c.Stmt.End().Offset())
		s.b.refuse("it holds `time --`, which not every shell knows")
		s.alsoRuns(s.text[from:end], from, end, p)
	}
	s.stmt(c.Stmt, p.within("time"))
}

// control reads the statements of control flow.
func (s *source) control(cmd syntax.Command, p place) {
	switch cmd := cmd.(type) {
	case *syntax.IfClause:
		s.branch(cmd, p)
	case *syntax.WhileClause:
		s.repeats(func() {
			s.stmts(cmd.Cond, p)
			s.stmts(cmd.Do, p)
		}, cmd)
	case *syntax.ForClause:
		s.forLoop(cmd, p)
	case *syntax.CaseClause:
		s.word(cmd.Word, p)
		s.cases(cmd, p)
	default:
		s.unknown(cmd, p)
	}
}

// branch reads `if`, or one of its `elif`s or its `else`.
func (s *source) branch(c *syntax.IfClause, p place) {
	s.stmts(c.Cond, p)
	if len(c.Cond) == 0 {
		s.stmts(c.Then, p)
		return
	}
	s.b.memory.Either(true, func() { s.stmts(c.Then, p) }, func() {
		if c.Else != nil {
			s.branch(c.Else, p)
		}
	})
}

// cases reads the branches of `case`. One may run into the next.
func (s *source) cases(c *syntax.CaseClause, p place) {
	var branches []func()
	apart := true
	for _, item := range c.Items {
		s.wordList(item.Patterns, p)
		apart = apart && item.Op == syntax.Break
		branches = append(branches, func() { s.stmts(item.Stmts, p) })
	}
	if apart {
		s.b.memory.Either(false, branches...)
		return
	}
	for _, f := range branches {
		s.b.memory.Perhaps(f)
	}
}

func (s *source) forLoop(c *syntax.ForClause, p place) {
	switch loop := c.Loop.(type) {
	case *syntax.WordIter:
		s.wordList(loop.Items, p)
		v := s.loopValue(loop, p)
		s.repeats(func() {
			s.named(loop.Name.Value, int(c.Pos().Offset()), int(loop.End().Offset()), p)
			v.Open = v.Open || c.Select
			s.b.memory.Set(loop.Name.Value, v)
			s.stmts(c.Do, p)
		}, c)
	case *syntax.CStyleLoop:
		s.arithmetic(loop.Init, p)
		s.repeats(func() {
			s.arithmetic(loop.Cond, p)
			s.stmts(c.Do, p)
			s.arithmetic(loop.Post, p)
		}, c)
	}
}

// loopValue is what the variable of a loop may hold.
func (s *source) loopValue(loop *syntax.WordIter, p place) memory.Value {
	name := loop.Name.Value
	for _, w := range loop.Items {
		s.given(name, w, true, p)
	}
	if !loop.InPos.IsValid() { // over the positional parameters
		s.b.doubt(name)
		return memory.EachElement(s.b.memory.Get("@"))
	}
	return s.expander().EachOf(loop.Items)
}

// unknown adds a unit that nothing allows for a node this package does not
// know.
func (s *source) unknown(n syntax.Node, p place) {
	text := s.text[n.Pos().Offset():n.End().Offset()]
	start, end := s.span(int(n.Pos().Offset()), int(n.End().Offset()))
	s.b.add(unit{body: len(text), Unit: model.Unit{Text: text, Bare: text, Start: start, End: end, Via: p.via, Parent: p.parent,
		Opaque: "it is written in a way that pigate does not know"}})
}

// simple reads a simple command: its unit, what stands in its words, and what
// it runs if it is a wrapper.
func (s *source) simple(in wrap.Feed, c *syntax.CallExpr, p place) {
	b, st := s.b, in.Stmt
	args, deep := make([]argv.Arg, 0, len(c.Args)), false
	for _, w := range c.Args {
		a, d := bash.Word(w)
		args = append(args, a)
		deep = deep || d
	}
	if len(args) > 0 && !args[0].Quoted && argv.IsAssignment(args[0].Text) { // after coproc
		b.refuse("it holds an assignment that the parser takes for a program")
	}
	u := s.unit(st, p)
	i := b.add(u)
	b.current = i
	s.name(i, args)
	s.assignments(c.Assigns, i, p)
	s.redirections(st.Redirs, i, p)
	if len(st.Redirs) > 0 {
		s.redirectedCommands(st, p)
	}
	if deep {
		s.wordList(c.Args, p)
	}
	if len(args) == 0 {
		for _, a := range c.Assigns {
			s.expander().Remember(a)
		}
		return
	}
	s.expander().Ways(c.Args, args)
	all := args
	if s.supply != nil {
		all = s.supply.To(args)
	}
	forget := s.expander().Environment(c.Assigns, args[0].Text)
	s.command(i, all, in, p)
	s.guess(i, args, in, p)
	if s.b.functions != nil {
		s.call(i, args, p)
	}
	forget()
}

// name sets the words and the program of unit i.
func (s *source) name(i int, args []argv.Arg) {
	u := &s.b.units[i]
	u.Words = args
	if len(args) == 0 {
		return
	}
	if why := argv.Nameless(args[0]); why != "" {
		u.Opaque = why
		return
	}
	u.Program = argv.ProgramName(args[0].Text)
}

// assignments reads the assignments in front of unit i or standing alone.
func (s *source) assignments(list []*syntax.Assign, i int, p place) {
	for _, a := range list {
		if a.Name != nil {
			if !syntax.ValidName(a.Name.Value) { // bash takes it for a command
				s.b.opaque(i, "the program name is not told")
			}
			if s.b.assignment(i, a.Name.Value, s, int(a.Pos().Offset()), int(a.End().Offset())) && a.Value != nil {
				s.commandValue(i, a, p)
			}
		}
		s.assign(a, p)
		if a.Name != nil {
			s.assigned(a, p)
		}
	}
}

// assigned notes the value of an assignment.
func (s *source) assigned(a *syntax.Assign, p place) {
	s.given(a.Name.Value, a.Value, false, p)
	if a.Array != nil {
		for _, e := range a.Array.Elems {
			s.given(a.Name.Value, e.Value, true, p)
		}
	}
}

// assignment adds a hazard to unit i when the variable makes programs run
// others, and reports whether it does.
func (b *builder) assignment(i int, name string, s *source, start, end int) bool {
	why, bad := b.known.Variable(name)
	if !bad {
		return false
	}
	h := risk.Hazard{Flag: name + "=", Why: why, Kind: risk.KindExec}
	h.Start, h.End = s.span(start, end)
	b.units[i].Hazards = append(b.units[i].Hazards, h)
	return true
}

// commandValue shows deny rules the command line that a variable is given
// (`GIT_PAGER='rm -rf x' git log`).
func (s *source) commandValue(i int, a *syntax.Assign, p place) {
	value, _ := bash.Word(a.Value)
	if !value.Literal || !strings.Contains(value.Text, " ") || !slices.ContainsFunc(commandNames, func(end string) bool { return strings.HasSuffix(a.Name.Value, end) }) {
		return
	}
	r := &runs{source: s, unit: i, place: p}
	r.Text(wrap.NewCall(&catalog.Runs{}, nil, "", p.wrappers+1), value, a.Name.Value)
}

// commandNames are the ends of the names of variables that hold a command line.
var commandNames = []string{"PAGER", "EDITOR", "COMMAND", "BROWSER", "VISUAL", "ASKPASS", "_SSH", "_RSH", "EXTERNAL_DIFF", "PROG", "LESSOPEN", "LESSCLOSE"}

// assign reads what stands in one assignment.
func (s *source) assign(a *syntax.Assign, p place) {
	if a.Index != nil {
		s.arithmetic(a.Index, p)
	}
	if a.Value != nil {
		s.word(a.Value, p)
	}
	if a.Array != nil {
		for _, e := range a.Array.Elems {
			if e.Index != nil {
				s.arithmetic(e.Index, p)
			}
			if e.Value != nil {
				s.word(e.Value, p)
			}
		}
	}
}

// declaration reads `export`, `declare` and their kind.
func (s *source) declaration(st *syntax.Stmt, d *syntax.DeclClause, p place) {
	b := s.b
	args := append(make([]argv.Arg, 0, 1+len(d.Args)), argv.Arg{Text: d.Variant.Value, Literal: true,
		Start: int(d.Variant.Pos().Offset()), End: int(d.Variant.End().Offset())})
	for _, a := range d.Args {
		start, end := int(a.Pos().Offset()), int(a.End().Offset())
		if a.Naked && a.Name == nil && a.Value != nil {
			word, _ := bash.Word(a.Value)
			args = append(args, word)
			continue
		}
		args = append(args, argv.Arg{Text: s.text[start:end], Start: start, End: end})
	}
	i := b.add(s.unit(st, p))
	b.current = i
	s.name(i, args)
	for k, a := range d.Args {
		s.assign(a, p)
		if a.Name == nil || a.Naked {
			continue
		}
		s.assigned(a, p)
		if a.Value != nil {
			if value, _ := bash.Word(a.Value); value.Quoted && strings.HasPrefix(strings.TrimLeft(value.Text, " \t\n"), "(") {
				s.listText(i, args[k+1], value.Text, p)
			}
		}
	}
	s.attributes(i, d)
	s.redirections(st.Redirs, i, p)
	s.command(i, args, wrap.Feed{Stmt: st}, p)
	for _, a := range d.Args {
		s.declare(d, a)
	}
	s.declared(d.Variant.Value, bash.DeclaredWords(d))
}

// attributes notes the variables whose value is evaluated when it is set, and
// those that stand for another one.
func (s *source) attributes(i int, d *syntax.DeclClause) {
	integer, reference := false, false
	for _, a := range d.Args {
		if a.Naked && a.Name == nil && a.Value != nil {
			flags := a.Value.Lit()
			integer = integer || strings.HasPrefix(flags, "-") && strings.IndexByte(flags, 'i') > 0
			reference = reference || strings.HasPrefix(flags, "-") && strings.IndexByte(flags, 'n') > 0
			continue
		}
		if a.Name != nil && (integer || reference && a.Value != nil) {
			s.b.vars.Uses = append(s.b.vars.Uses, memory.Use{Unit: i, Name: a.Name.Value})
		}
	}
}

// expression reads `let`, `[[ ]]` and `(( ))`.
func (s *source) expression(st *syntax.Stmt, p place) {
	i := s.b.add(s.unit(st, p))
	s.b.current = i
	switch cmd := st.Cmd.(type) {
	case *syntax.LetClause:
		for _, x := range cmd.Exprs {
			s.arithmetic(x, p)
		}
	case *syntax.TestClause:
		s.test(cmd.X, p)
		s.testCommands(cmd, p)
	case *syntax.ArithmCmd:
		s.unbalanced(cmd)
		s.arithmetic(cmd.X, p)
		s.arithmeticCommands(cmd, p)
	}
	s.redirections(st.Redirs, i, p)
}
