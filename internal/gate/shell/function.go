package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
	"github.com/pigate/pigate/internal/gate/shell/memory"
)

// function is a function that the line defines.
type function struct {
	source   *source
	body     *syntax.Stmt
	followed bool // its calls are read on their own
	missed   bool // but perhaps not all of them
}

// The bounds within which calls of functions are followed.
const (
	maxCalls     = 32
	maxCallDepth = 4
	maxCallUnits = 2000
)

// define notes a function and reads its body once, for the commands in it.
// What the variables hold when it is called is not known here.
func (s *source) define(f *syntax.FuncDecl, p place) {
	b := s.b
	if f.Name == nil {
		s.stmt(f.Body, p)
		return
	}
	if b.functions == nil {
		b.functions = map[string]function{}
	}
	name := f.Name.Value
	_, again := b.functions[name]
	b.functions[name] = function{source: s, body: f.Body, missed: again}
	before := b.defining
	b.defining = name
	b.memory.Within(nil, func() { s.stmt(f.Body, p) })
	b.defining = before
}

// call reads the body of the function that unit i calls once more, with the
// arguments in the place of the positional parameters. Only what is new by them
// is kept: the body's own commands are units since it was defined.
func (s *source) call(i int, args []argv.Arg, p place) {
	b, m := s.b, &s.b.memory
	f, ok := b.functions[args[0].Text]
	if !ok || !args[0].Literal {
		return
	}
	if b.calls >= maxCalls || len(b.units) > maxCallUnits || b.calling >= maxCallDepth {
		f.missed = true
		b.functions[args[0].Text] = f
		m.ForgetAll()
		return
	}
	b.calls++
	b.calling++
	f.followed = true
	b.functions[args[0].Text] = f
	units, redirections := len(b.units), len(b.out.Redirections)
	known := make(map[string]int, units)
	for k := range b.units {
		known[b.units[k].Text] = k
	}
	uses, held, local, outer, defining := b.vars, b.held, m.Local, m.Get("@"), b.defining
	m.Local, b.defining = nil, ""
	m.Set("@", memory.Parameters(args[1:]))
	body := func() { f.source.stmt(f.body, p.under(i, args[0].Text)) }
	if bash.Returns(f.body) {
		f.source.repeats(body, f.body)
	} else {
		body()
	}
	for _, own := range slices.Backward(m.Local) {
		m.Set(own.Name, m.Get(own.Name).Join(own.Before))
	}
	m.Set("@", outer)
	b.vars, b.held, m.Local, b.defining = uses, held, local, defining
	b.calling--
	b.keepNew(units, redirections, known)
}

// keepNew drops the units and redirections from the given indices on that the
// line has already, and are not what a new one is reached by. Those that stay
// get the ways in which the dropped ones read.
func (b *builder) keepNew(units, redirections int, known map[string]int) {
	added := b.units[units:]
	keep := make([]bool, len(added))
	for i := len(added) - 1; i >= 0; i-- {
		if at, there := known[added[i].Text]; there {
			u := &b.units[at]
			u.Calls = append(u.Calls, added[i].Words)
			u.Calls = append(u.Calls, added[i].Calls...)
		} else {
			keep[i] = true
		}
		if parent := added[i].Parent - units; keep[i] && parent >= 0 {
			keep[parent] = true
		}
	}
	moved := make([]int, len(added)) // to which index, -1 when dropped
	kept := b.units[:units]
	for i, u := range added {
		moved[i] = -1
		if !keep[i] {
			continue
		}
		moved[i] = len(kept)
		if u.Parent >= units {
			u.Parent = moved[u.Parent-units]
		}
		kept = append(kept, u)
	}
	b.units = kept
	written := b.out.Redirections[:redirections]
	for _, r := range b.out.Redirections[redirections:] {
		switch {
		case r.Unit >= units && moved[r.Unit-units] >= 0:
			r.Unit = moved[r.Unit-units]
		case r.Literal:
			continue // it is known since the function was defined
		case r.Unit >= units:
			r.Unit = known[added[r.Unit-units].Text]
		}
		written = append(written, r)
	}
	b.out.Redirections = written
}
