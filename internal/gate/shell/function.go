package shell

import (
	"maps"

	"mvdan.cc/sh/v3/syntax"
)

// function is a function that the line defines.
type function struct {
	source *source
	body   *syntax.Stmt
}

// The bounds within which calls of functions are followed.
const (
	maxCalls     = 32
	maxCallDepth = 4
	maxCallUnits = 2000
)

// define notes a function.
func (b *builder) define(s *source, f *syntax.FuncDecl) {
	if f.Name == nil {
		return
	}
	if b.functions == nil {
		b.functions = map[string]function{}
	}
	b.functions[f.Name.Value] = function{s, f.Body}
}

// call reads the body of the function that unit i calls once more, with the
// arguments in the place of the positional parameters. Only what is new by them
// is kept: the body's own commands are units since it was defined.
func (s *source) call(i int, list []*syntax.Word, args []Arg, p place) {
	b := s.b
	if !args[0].Literal || len(args) < 2 && len(b.functions) < 2 {
		return
	}
	f, ok := b.functions[args[0].Text]
	if !ok || b.calls >= maxCalls || len(b.out.Units) > maxCallUnits || b.calling >= maxCallDepth {
		return
	}
	b.calls++
	b.calling++
	units, redirections := len(b.out.Units), len(b.out.Redirections)
	known := make(map[string]bool, units)
	for k := range b.out.Units {
		known[b.out.Units[k].Text] = true
	}
	values, choices, uses := b.values, b.choices, b.vars
	given := s.guessed(list, args)
	b.values, b.choices = maps.Clone(values), maps.Clone(choices)
	for name := range b.choices {
		if isPositional(name) {
			delete(b.choices, name)
		}
	}
	for name := range b.values {
		if isPositional(name) {
			delete(b.values, name)
		}
	}
	b.parameters(given)
	f.source.stmt(f.body, p.under(i, args[0].Text))
	b.values, b.choices, b.vars = values, choices, uses
	b.calling--
	b.keepNew(units, redirections, known)
}

// keepNew drops the units and redirections from the given indices on that the
// line has already, and are not what a new one is reached by.
func (b *builder) keepNew(units, redirections int, known map[string]bool) {
	added := b.out.Units[units:]
	keep := make([]bool, len(added))
	for i := len(added) - 1; i >= 0; i-- {
		keep[i] = keep[i] || !known[added[i].Text]
		if parent := added[i].Parent - units; keep[i] && parent >= 0 {
			keep[parent] = true
		}
	}
	moved := make([]int, len(added)) // to which index, -1 when dropped
	kept := b.out.Units[:units]
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
	b.out.Units = kept
	written := b.out.Redirections[:redirections]
	for _, r := range b.out.Redirections[redirections:] {
		if r.Unit >= units && moved[r.Unit-units] >= 0 {
			r.Unit = moved[r.Unit-units]
			written = append(written, r)
		}
	}
	b.out.Redirections = written
}
