package shell

import "strings"

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
	if r.startsExpression() {
		value = r.lone(assigned, p)
	} else {
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

// result adds the unit of an expression that is assigned or redirected. One
// that is assigned to a local variable does nothing that needs a rule.
func (r *psReader) result(pieces []piece, own []psOutput, p place) {
	b := r.source.b
	start, end := pieces[0].start, pieces[len(pieces)-1].end
	r.unit = b.add(Unit{Via: p.via, Parent: p.parent, Wrapper: len(own) == 0, Transparent: len(own) == 0})
	for _, o := range own {
		b.out.Redirections[o.index].Unit = r.unit
		pieces, end = append(pieces, piece{start: o.start, end: o.end}), max(end, o.end)
	}
	u := &b.out.Units[r.unit]
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
	u := &b.out.Units[min(r.unit, len(b.out.Units)-1)]
	env, isEnv := strings.CutPrefix(t.name, "env:")
	switch {
	case isEnv && psLetters(env) == len(env):
		why, known := assignmentHazard(strings.ToUpper(env))
		if !known {
			why = "changes the environment of the programs after it"
		}
		h := Hazard{Flag: t.text + "=", Why: why, Kind: KindExec}
		h.Start, h.End = r.source.span(own.start, own.end)
		u.Hazards = append(u.Hazards, h)
	case hasField(psQuietPreferences, t.name) && t.op == "=" && value.known && hasField(psQuietValues, strings.ToLower(value.text())):
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

// keywordLength is the length of the keyword that stands here, 0 if none does.
func (r *psReader) keywordLength() int {
	text := r.text[r.at:]
	n := psLetters(text)
	if _, found := psKeywords[strings.ToLower(text[:n])]; !found || n < len(text) && strings.IndexByte("\n\r;|&(){},", text[n]) < 0 && psBlank(text[n:]) == 0 {
		return 0
	}
	return n
}

// keyword reads what belongs to a keyword: parentheses, and a block.
func (r *psReader) keyword(word string, p place) {
	understood := psKeywords[word]
	if !understood {
		r.take(psOtherKeyword, psStatement, word)
	}
	switch word {
	case "return", "throw", "exit":
		if r.blanks(false); !r.nothing() {
			r.pipelines(nil, p)
		}
		return
	case "break", "continue":
		if r.blanks(false); !r.ended() {
			r.take(psStray, psStatement, "")
			r.argument(psArgument, p)
		}
		return
	}
	r.blanks(understood)
	for word == "switch" && !r.ended() && psDash(r.text[r.at:]) > 0 {
		before := r.at
		w := r.argument(psArgument, p)
		if !hasField("-regex -wildcard -exact -casesensitive", strings.ToLower(w.told())) {
			r.take(psStray, psStatement, r.text[before:r.at])
		}
		r.blanks(true)
	}
	for !understood && !r.ended() && r.peek(0) != '(' && r.peek(0) != '{' { // the name of a function
		before := r.at
		if r.argument(0, p); r.at == before {
			r.at += r.step()
		}
		r.blanks(false)
	}
	if r.peek(0) == '(' {
		r.at++
		if word == "foreach" {
			r.iteration(p)
		}
		r.nested(')', p)
	}
	before := r.at
	if r.blanks(true); r.peek(0) == '[' {
		r.take(psType, psStatement, "")
		r.bracketed(p)
		r.blanks(true)
	}
	switch {
	case r.peek(0) != '{':
		r.at = before
	case word == "switch":
		r.at++
		r.clauses(p)
	default:
		r.at++
		r.nested('}', p)
	}
}

// iteration reads `$x in values` of a foreach.
func (r *psReader) iteration(p place) {
	r.blanks(true)
	before := r.at
	if r.peek(0) != '$' {
		return
	}
	name := r.variable(&psWord{}, psOperand)
	text := strings.ToLower(r.text[before:r.at])
	r.blanks(true)
	if n := psLetters(r.text[r.at:]); !strings.EqualFold(r.text[r.at:r.at+n], "in") {
		r.take(psStray, psStatement, "")
		return
	}
	r.at += len("in")
	if name == "" || strings.IndexByte(text, ':') >= 0 || psSpecial(name) {
		r.take(psAssignment, psStatement, text)
		return
	}
	r.blanks(true)
	if r.nothing() {
		return
	}
	value := r.statement(p)
	if !value.known {
		r.vars.add(name, psValue{})
	}
	for _, one := range value.list {
		r.vars.add(name, psValue{value.known, []string{one}})
	}
}

// clauses reads the clauses of a switch, the opening bracket being read.
func (r *psReader) clauses(p place) {
	for !r.problem.broken {
		r.blanks(true)
		c := r.peek(0)
		if c == ';' {
			r.at++
			continue
		}
		if c == 0 || c == '}' || c == ')' {
			break
		}
		before := r.at
		if c == '{' {
			r.at++
			r.nested('}', p)
		} else {
			r.argument(psOperand, p)
		}
		if r.blanks(true); r.peek(0) == '{' {
			r.at++
			r.nested('}', p)
		} else {
			r.take(psStray, psStatement, "")
		}
		if r.at == before {
			r.at += r.step()
		}
	}
	r.close('}')
}
