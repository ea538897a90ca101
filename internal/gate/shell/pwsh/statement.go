package pwsh

import (
	"strings"
)

// statement reads one statement and returns its value, as far as it is told.
func (r *reader) statement(p Path) psValue {
	if n := r.keywordLength(); n > 0 {
		r.at += n
		r.keyword(strings.ToLower(r.text[r.at-n:r.at]), p)
		return psValue{}
	}
	if target, ok := r.target(); ok {
		r.assignment(target, p)
		return psValue{}
	}
	return r.pipelines(nil, p)
}

// pipelines reads pipelines with && and || between them. assigned are the
// pieces of an assignment in front.
func (r *reader) pipelines(assigned []Piece, p Path) psValue {
	value := r.pipeline(assigned, p)
	defer func(own *Command) { r.last = own }(r.last)
	for !r.problem.Broken {
		r.blanks(false)
		text := r.text[r.at:]
		switch {
		case strings.HasPrefix(text, "&&"), strings.HasPrefix(text, "||"):
			r.at += 2
			r.blanks(true)
			if r.nothing() {
				r.fail("a pipeline is not complete")
			} else {
				r.pipeline(nil, p)
			}
			value = psValue{}
			continue
		case strings.HasPrefix(text, "&"):
			r.at++
		case !r.ended():
			r.take(formStray, inStatement, text[:r.step()])
			r.at += r.step()
			continue
		}
		return value
	}
	return psValue{}
}

// pipeline reads the commands between bars.
func (r *reader) pipeline(assigned []Piece, p Path) (value psValue) {
	switch {
	case r.at == len(r.text):
		r.fail("a statement is not complete")
		return value
	case r.startsExpression():
		value = r.lone(assigned, p)
	default:
		value = r.command(assigned, inStatement, p)
	}
	defer func(own *Command) { r.last = own }(r.last)
	for !r.problem.Broken && r.bar() {
		r.at++
		r.blanks(true)
		switch {
		case r.nothing():
			r.fail("a pipeline is not complete")
		case r.startsExpression() && r.peek(0) != '+':
			r.take(formStray, inElement, r.text[r.at:r.at+r.step()])
			r.expression(p)
		default:
			r.command(nil, inElement, p)
		}
		value = psValue{}
	}
	return value
}

// bar reports whether a bar goes on with the pipeline, also in the next line.
func (r *reader) bar() bool {
	r.blanks(false)
	before := r.at
	r.blanks(true)
	if r.peek(0) == '|' && r.peek(1) != '|' {
		return true
	}
	r.at = before
	return false
}

// lone reads an expression that is a statement, or the head of a pipeline. It
// is a unit when it is assigned or written to a file.
func (r *reader) lone(assigned []Piece, p Path) psValue {
	start := r.at
	value := r.expression(p)
	pieces := append(assigned, Piece{Start: start, End: r.at})
	r.blanks(false)
	if op := r.assigns(); op != "" {
		r.take(formAssignment, inStatement, "")
		r.at += len(op)
		r.blanks(true)
		if !r.nothing() {
			r.statement(p)
		}
		value = psValue{}
	}
	var own []*Output
	for r.redirection(&own, inOperand, p) {
		r.blanks(false)
	}
	if len(assigned)+len(own) > 0 {
		r.result(pieces, own, p)
	}
	return value
}
