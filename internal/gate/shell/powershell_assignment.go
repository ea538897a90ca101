package shell

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/model"
	"github.com/pigate/pigate/internal/gate/shell/risk"
)

// result adds the unit of an expression that is assigned or redirected. One
// that is assigned to a local variable does nothing that needs a rule.
func (r *psReader) result(pieces []piece, own []psOutput, p place) {
	b := r.source.b
	start, end := pieces[0].start, pieces[len(pieces)-1].end
	r.unit = b.add(unit{Unit: model.Unit{Via: p.via, Parent: p.parent, Wrapper: len(own) == 0, Transparent: len(own) == 0}})
	for _, o := range own {
		b.out.Redirections[o.index].Unit = r.unit
		pieces, end = append(pieces, piece{start: o.start, end: o.end}), max(end, o.end)
	}
	u := &b.units[r.unit]
	u.Text = r.unitText(pieces, true)
	u.Bare, u.body = u.Text, len(u.Text)
	u.Start, u.End = r.source.span(start, end)
}

// psTargetVariable is a variable that is assigned.
type psTargetVariable struct {
	name, text string // lower-case and without brackets, and as it is written
	op         string
	pieces     []piece // it and the operator
}

// target reads a variable and an assignment operator, if both are there.
func (r *psReader) target() (t psTargetVariable, ok bool) {
	if r.peek(0) != '$' || r.peek(1) == '(' {
		return t, false
	}
	before, problem := r.at, r.problem
	r.variable(&psWord{}, psOperand)
	end := r.at
	r.blanks(false)
	op := r.assigns()
	r.problem = problem
	if op == "" {
		r.at = before
		return t, false
	}
	t.text, t.op = r.text[before:end], op
	t.name = strings.ToLower(strings.Trim(t.text, "${}"))
	t.pieces = []piece{{start: before, end: end, output: true}, {start: r.at, end: r.at + len(op), output: true}}
	r.at += len(op)
	return t, true
}

// assigns returns the assignment operator that stands here, "" if none does.
func (r *psReader) assigns() string {
	text := r.text[r.at:]
	if dash := psDash(text); dash > 0 && strings.HasPrefix(text[dash:], "=") {
		return text[:dash+1]
	}
	return text[:psPrefix(text, "=", "+=", "*=", "/=", "%=", "??=")]
}

// assignment reads what is assigned to a variable, and returns its value.
func (r *psReader) assignment(t psTargetVariable, p place) (value psValue) {
	r.blanks(true)
	if r.nothing() {
		r.fail("an assignment is not complete")
		return value
	}
	b := r.source.b
	start, own := r.at, t.pieces[0]
	if inner, ok := r.target(); ok {
		value = r.assignment(inner, p)
		r.result(append(t.pieces, piece{start: start, end: r.at}), nil, p)
	} else if r.keywordLength() > 0 {
		r.statement(p)
		r.result(append(t.pieces, piece{start: start, end: r.at}), nil, p)
	} else {
		value = r.pipelines(t.pieces, p)
	}
	if r.problem.broken {
		return psValue{}
	}
	u := &b.units[min(r.unit, len(b.units)-1)]
	env, isEnv := strings.CutPrefix(t.name, "env:")
	switch {
	case isEnv && psLetters(env) == len(env):
		why, known := b.known.Variable(strings.ToUpper(env))
		if !known {
			why = "changes the environment of the programs after it"
		}
		h := risk.Hazard{Flag: t.text + "=", Why: why, Kind: risk.KindExec}
		h.Start, h.End = r.source.span(own.start, own.end)
		u.Hazards = append(u.Hazards, h)
	case argv.HasField(psQuietPreferences, t.name) && t.op == "=" && value.known && argv.HasField(psQuietValues, strings.ToLower(value.text())):
		u.Wrapper, u.Transparent = false, false
	case t.name == "null" && t.op == "=":
	case psLetters(t.name) != len(t.name) || psSpecial(t.name):
		r.take(psAssignment, psStatement, t.text)
	case t.op == "=":
		r.vars.add(t.name, value)
	default:
		value = psValue{}
		r.vars.add(t.name, value)
	}
	return value
}
