package shell

import (
	"strings"
)

// statement reads one statement and returns its value, as far as it is told.
func (r *psReader) statement(p place) psValue {
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
func (r *psReader) pipelines(assigned []piece, p place) psValue {
	value := r.pipeline(assigned, p)
	defer func(own int) { r.unit = own }(r.unit)
	for !r.problem.broken {
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
			r.take(psStray, psStatement, text[:r.step()])
			r.at += r.step()
			continue
		}
		return value
	}
	return psValue{}
}

// pipeline reads the commands between bars.
func (r *psReader) pipeline(assigned []piece, p place) (value psValue) {
	switch {
	case r.at == len(r.text):
		r.fail("a statement is not complete")
		return value
	case r.startsExpression():
		value = r.lone(assigned, p)
	default:
		value = r.command(assigned, psStatement, p)
	}
	defer func(own int) { r.unit = own }(r.unit)
	for !r.problem.broken && r.bar() {
		r.at++
		r.blanks(true)
		switch {
		case r.nothing():
			r.fail("a pipeline is not complete")
		case r.startsExpression() && r.peek(0) != '+':
			r.take(psStray, psElement, r.text[r.at:r.at+r.step()])
			r.expression(p)
		default:
			r.command(nil, psElement, p)
		}
		value = psValue{}
	}
	return value
}

// bar reports whether a bar goes on with the pipeline, also in the next line.
func (r *psReader) bar() bool {
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
func (r *psReader) lone(assigned []piece, p place) psValue {
	start := r.at
	value := r.expression(p)
	pieces := append(assigned, piece{start: start, end: r.at})
	r.blanks(false)
	if op := r.assigns(); op != "" {
		r.take(psAssignment, psStatement, "")
		r.at += len(op)
		r.blanks(true)
		if !r.nothing() {
			r.statement(p)
		}
		value = psValue{}
	}
	var own []psOutput
	for r.redirection(&own, psOperand, p) {
		r.blanks(false)
	}
	if len(assigned)+len(own) > 0 {
		r.result(pieces, own, p)
	}
	return value
}
