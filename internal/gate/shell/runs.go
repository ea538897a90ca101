package shell

import (
	"errors"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
	"github.com/pigate/pigate/internal/gate/shell/memory"
	"github.com/pigate/pigate/internal/gate/shell/model"
	"github.com/pigate/pigate/internal/gate/shell/pwsh"
	"github.com/pigate/pigate/internal/gate/shell/wrap"
)

// runs tells the line what a wrapper in it runs.
type runs struct {
	source *source
	unit   int // the wrapper's
	in     wrap.Feed
	place  place
}

// Unit implements wrap.Host.
func (r *runs) Unit() *model.Unit { return &r.source.b.units[r.unit].Unit }

// Opaque implements wrap.Host.
func (r *runs) Opaque(why string) { r.source.b.opaque(r.unit, why) }

// Input implements wrap.Line.
func (r *runs) Input(fd string) wrap.Input { return r.in.Input(fd) }

// HoldsBlank implements wrap.Line.
func (r *runs) HoldsBlank(variable string) bool {
	return r.source.b.memory.Get(variable).HasBlank()
}

// Assign implements wrap.Line.
func (r *runs) Assign(name, value string, a argv.Arg) {
	b := r.source.b
	b.assignment(r.unit, name, r.source, a.Start, a.End)
	if a.Literal {
		b.memory.Also(name, memory.Scalar(argv.PlainText(value)))
	} else {
		b.memory.Open(name)
	}
	if strings.ContainsAny(value, argv.Hole+"$`") {
		b.doubt(name)
	}
}

// Expand implements wrap.Line.
func (r *runs) Expand(a argv.Arg) { r.source.hidden(a.Text, a.Start, a.End, r.place) }

// Candidate implements wrap.Line.
func (r *runs) Candidate(words int) bool {
	b := r.source.b
	b.candidates += words
	return b.candidates <= maxCandidates
}

// Split implements wrap.Line.
func (r *runs) Split(text string, a argv.Arg) ([]argv.Arg, bool) {
	s := r.source
	n := s.inside(text, a.Start, a.End)
	if n == nil {
		return nil, false
	}
	l := bash.Lexer{Text: n.text, End: len(n.text)}
	for l.Word() {
	}
	for _, o := range l.Outputs {
		out := model.Redirection{Op: o.Op, Target: o.Target.Text, Literal: o.Target.Literal && !n.elsewhere, Harmless: o.Harmless}
		out.Start, out.End = n.span(o.Start, o.End)
		s.b.out.Redirections = append(s.b.out.Redirections, out)
	}
	for k := range l.Words {
		l.Words[k].Start, l.Words[k].End = a.Start, a.End
	}
	return l.Words, true
}

// Words implements wrap.Host.
func (r *runs) Words(c *wrap.Call, args []argv.Arg) {
	own := argv.WrittenArgs(args)
	s := r.source
	p := r.place.under(r.unit, c.Step)
	p.wrappers = c.Depth
	u := unit{Unit: model.Unit{Via: p.via, Parent: p.parent, Text: s.wordsText(own)}}
	u.Bare, u.body = u.Text, len(u.Text)
	u.Start, u.End = s.span(own[0].Start, own[len(own)-1].End)
	i := s.b.add(u)
	s.name(i, own)
	if len(own) < len(args) {
		s.b.units[i].Calls = [][]argv.Arg{args}
	}
	args = r.asRun(c, i, args)
	if from := &s.b.units[r.unit]; from.PowerShell {
		run := &s.b.units[i]
		run.Program, run.PowerShell = pwsh.ProgramName(run.Program), true
	}
	if c.Elsewhere && !s.elsewhere {
		n := *s
		n.elsewhere = true
		n.command(i, args, r.in, p)
		return
	}
	s.command(i, args, r.in, p)
	if u := &s.b.units[i]; c.Shown && u.Opaque == "" {
		u.Wrapper, u.Transparent = true, true
	}
}

// Text implements wrap.Host.
func (r *runs) Text(c *wrap.Call, a argv.Arg, step string) {
	s, b := r.source, r.source.b
	if !a.Literal {
		b.units[r.unit].Wrapper = true
		b.opaque(r.unit, "the shell text it runs is not literal")
	}
	if a.ANSI { // to dash it is a dollar and a quoted text
		b.units[r.unit].Wrapper = true
		b.opaque(r.unit, "the shell text it runs is written as $'…', which not every shell knows")
	}
	unknown := "$_"
	if a.Holder != "" {
		unknown = a.Holder
	}
	text := argv.HoldUnknown(a.Text, unknown)
	n := s.inside(text, a.Start, a.End)
	if n == nil {
		return
	}
	n.elsewhere = s.elsewhere || c.Elsewhere
	n.supply = c.Supply
	if in := r.in; in.Outer != nil || in.Pipe != nil || in.Stmt != nil && len(in.Stmt.Redirs) > 0 {
		n.outer = &in
	}
	p := r.place.under(r.unit, step)
	p.wrappers = c.Depth
	why := bash.Measure(text)
	if why == "" {
		file, piece, err := b.parser.Parse(text)
		if err == nil {
			r.inShell(c, step, text, func() { n.stmts(file.Stmts, p) })
			if piece == "" {
				return
			}
			err = errors.New("it holds " + piece)
		}
		why = err.Error()
	}
	b.units[r.unit].Wrapper = true
	b.opaque(r.unit, "the shell text it runs cannot be read: "+why)
	n.pieces(p)
}

// sameShell are the programs that have text run by the shell which runs them.
const sameShell = "eval source . mapfile readarray complete compgen"

// inShell calls read for the text with what its shell knows of variables.
func (r *runs) inShell(c *wrap.Call, step, text string, read func()) {
	m := &r.source.b.memory
	switch program := r.source.b.units[r.unit].Program; {
	case program == "trap": // at any time from now on
		m.Within(nil, read)
		m.Lost = m.Lost || r.mayAssign(c, text)
	case argv.HasField(sameShell, program) || step == "alias":
		read()
	case c.Elsewhere:
		m.Within(nil, read)
	default:
		m.Child(func() {
			m.Forget("@")
			m.Forget("0")
			if len(c.Given) > 0 {
				name, rest := memory.Parameters(c.Given).Cut()
				m.Set("0", name)
				m.Set("@", rest)
			}
			read()
		})
	}
}

// mayAssign reports the text of a trap that may set variables while the line
// goes on.
func (r *runs) mayAssign(c *wrap.Call, text string) bool {
	end := true
	for _, a := range c.Args[min(c.Rest+1, len(c.Args)):] {
		end = end && (a.Text == "EXIT" || a.Text == "0")
	}
	if end {
		return false
	}
	for name := range r.source.b.functions {
		if strings.Contains(text, name) {
			return true
		}
	}
	return strings.ContainsAny(text, "=$") && strings.Contains(text, "=") || strings.Contains(text, "eval") || strings.Contains(text, "read") || strings.Contains(text, "(")
}

// asRun gives unit i the words as the program gets them that a runner runs:
// without the version of its package, and without the dashes that the runner
// takes for its own. The text of the unit, which allow rules match, stays as it
// is written.
func (r *runs) asRun(c *wrap.Call, i int, args []argv.Arg) []argv.Arg {
	u := &r.source.b.units[i]
	u.Ran = c.Runner
	name := c.Packages.Name(r.source.b.known, args[0].Text)
	dashes := c.Runner && len(args) > 1 && args[1].Text == "--"
	if name == args[0].Text && !dashes {
		return args
	}
	args = slices.Clone(args)
	args[0].Text = name
	if dashes {
		args = slices.Delete(args, 1, 2)
	}
	u.Words = argv.WrittenArgs(args)
	if name != "" && strings.IndexByte(name, 0) < 0 {
		u.Program = argv.ProgramName(name)
	}
	return args
}

// PowerShell implements wrap.Host.
func (r *runs) PowerShell(c *wrap.Call, a argv.Arg, here bool) {
	s, b := r.source, r.source.b
	var v *pwsh.Variables
	if here {
		v = b.power
	}
	if !a.Literal {
		b.units[r.unit].Wrapper = true
		b.opaque(r.unit, "the shell text it runs is not literal")
	}
	n := s.inside(argv.AsVariable(a.Text), a.Start, a.End)
	if n == nil {
		return
	}
	n.elsewhere = s.elsewhere || c.Elsewhere
	p := r.place.under(r.unit, c.Step)
	p.wrappers = c.Depth
	problem := b.readPowerShell(n, p, v)
	if problem.Why != "" {
		b.units[r.unit].Wrapper = true
		b.opaque(r.unit, "the shell text it runs cannot be read: "+problem.Why)
	}
	if problem.Broken {
		n.pieces(p)
	}
}

// moduleProgram adds the program that a module of python is (`python -m alembic`),
// and the pip that pip3 is, for deny rules; what is guarded in it is found in the
// command as it is written.
func (s *source) moduleProgram(i int, program string, known *catalog.Program, args []argv.Arg, in wrap.Feed, p place) {
	name, rest := "pip", args[1:]
	if program == name || !wrap.IsVersioned(program, name) {
		if known == nil || !known.Modules {
			return
		}
		if name, rest = wrap.RunsModule(&known.Command, args); name == "" {
			return
		}
	}
	r := &runs{source: s, unit: i, in: in, place: p}
	c := wrap.NewCall(&catalog.Runs{Shown: true}, args, program, p.wrappers+1)
	for name != "" && c.Depth <= wrap.MaxWrappers {
		n := len(s.b.units)
		at := argv.Arg{Text: wrap.ModuleName(s.b.known, name), Literal: true, Quoted: true, Start: args[0].Start, End: args[0].End}
		r.Words(c, append([]argv.Arg{at}, rest...))
		if n < len(s.b.units) {
			s.b.units[n].Hazards = nil
		}
		m := s.b.known.Module(strings.ToLower(name))
		if m == nil {
			return
		}
		// A module that runs another one, as a profiler does.
		name, rest = wrap.RunsModule(&m.Command, append([]argv.Arg{at}, rest...))
		c.Depth++
	}
}
