package pwsh

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// result adds an expression that is assigned or redirected. One that is assigned to
// a local variable does nothing that needs a rule.
func (r *reader) result(pieces []Piece, own []*Output, p Path) {
	c := r.begin(p)
	c.Result, c.Idle, c.Outputs = true, len(own) == 0, own
	c.Start, c.End = pieces[0].Start, pieces[len(pieces)-1].End
	for _, o := range own {
		pieces, c.End = append(pieces, Piece{Start: o.Start, End: o.End}), max(c.End, o.End)
	}
	r.end(c, pieces)
	r.last = c
}

// targetVariable is a variable that is assigned.
type targetVariable struct {
	name, text string // lower-case and without brackets, and as it is written
	op         string
	pieces     []Piece // it and the operator
}

// target reads a variable and an assignment operator, if both are there.
func (r *reader) target() (t targetVariable, ok bool) {
	if r.peek(0) != '$' || r.peek(1) == '(' {
		return t, false
	}
	before, problem := r.at, r.problem
	r.variable(&psWord{}, inOperand)
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
	t.pieces = []Piece{{Start: before, End: end, Output: true}, {Start: r.at, End: r.at + len(op), Output: true}}
	r.at += len(op)
	return t, true
}

// assigns returns the assignment operator that stands here, "" if none does.
func (r *reader) assigns() string {
	text := r.text[r.at:]
	if dash := dashLength(text); dash > 0 && strings.HasPrefix(text[dash:], "=") {
		return text[:dash+1]
	}
	return text[:prefixLength(text, "=", "+=", "*=", "/=", "%=", "??=")]
}

// assignment reads what is assigned to a variable, and returns its value.
func (r *reader) assignment(t targetVariable, p Path) (value psValue) {
	r.blanks(true)
	if r.nothing() {
		r.fail("an assignment is not complete")
		return value
	}
	start, own := r.at, t.pieces[0]
	if inner, ok := r.target(); ok {
		value = r.assignment(inner, p)
		r.result(append(t.pieces, Piece{Start: start, End: r.at}), nil, p)
	} else if r.keywordLength() > 0 {
		r.statement(p)
		r.result(append(t.pieces, Piece{Start: start, End: r.at}), nil, p)
	} else {
		value = r.pipelines(t.pieces, p)
	}
	if r.problem.Broken {
		return psValue{}
	}
	env, isEnv := strings.CutPrefix(t.name, "env:")
	switch {
	case isEnv && lettersLength(env) == len(env):
		r.emit(Event{Kind: EnvironmentSet, Command: r.last, Variable: strings.ToUpper(env), Text: t.text, Start: own.Start, End: own.End})
	case argv.HasField(quietPreferences, t.name) && t.op == "=" && value.known && argv.HasField(quietValues, strings.ToLower(value.text())):
		r.emit(Event{Kind: PreferenceSet, Command: r.last})
	case t.name == "null" && t.op == "=":
	case lettersLength(t.name) != len(t.name) || isSpecial(t.name):
		r.take(formAssignment, inStatement, t.text)
	case t.op == "=":
		r.vars.add(t.name, value)
	default:
		value = psValue{}
		r.vars.add(t.name, value)
	}
	return value
}
