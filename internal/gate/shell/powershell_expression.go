package shell

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// startsExpression reports that PowerShell reads an expression here, not a
// command.
func (r *psReader) startsExpression() bool {
	text := r.text[r.at:]
	if singleQuote(text)+doubleQuote(text) > 0 || strings.IndexByte("$@({[+,", text[0]) >= 0 || psNumber(text) > 0 {
		return true
	}
	if text[0] == '!' {
		return len(text) > 1 && (strings.IndexByte("$(", text[1]) >= 0 || psBlank(text[1:]) > 0)
	}
	dash := psDash(text)
	if dash == 0 {
		return false
	}
	n := psLetters(text[dash:])
	return n == 0 || psNumber(text[dash:]) > 0 || argv.HasField(psUnaryOperators, strings.ToLower(text[dash:dash+n]))
}

// expression reads values with operators between them and returns what they
// give, as far as that can be told.
func (r *psReader) expression(p place) psValue {
	value := r.operand(p)
	for !r.problem.broken {
		r.blanks(false)
		if r.peek(0) == ',' {
			r.at++
			value = value.joined(r.operand(p))
			continue
		}
		op := r.operator()
		if op == "" {
			break
		}
		other := r.operand(p)
		if op == "+" && value.known && other.known && len(value.list) == 1 && len(other.list) == 1 && !plainNumber(value.list[0]) {
			value = psText(value.list[0] + other.list[0])
		} else {
			value = psValue{}
		}
	}
	return value
}

// operator reads an operator between two values, "" if there is none.
func (r *psReader) operator() (op string) {
	text := r.text[r.at:]
	if dash := psDash(text); dash > 0 {
		n := psLetters(text[dash:])
		name := strings.ToLower(text[dash : dash+n])
		switch {
		case n == 0 && (strings.HasPrefix(text[dash:], "=") || psDash(text[dash:]) > 0):
			return ""
		case n > 0 && !('0' <= name[0] && name[0] <= '9') && !argv.HasField(psOperators, name) && !argv.HasField(psOperators, strings.TrimLeft(name[:1], "ci")+name[1:]):
			r.take(psOtherOperator, psOperand, "-"+name)
		}
		if n > 0 && '0' <= name[0] && name[0] <= '9' {
			n = 0
		}
		r.at += dash + n
		return "-"
	}
	switch {
	case strings.HasPrefix(text, ".."):
		r.at += 2
		return ".."
	case strings.HasPrefix(text, "?"):
		r.take(psOtherOperator, psOperand, "?")
		r.at++
		return "?"
	case text != "" && strings.IndexByte("+*/%", text[0]) >= 0 && (len(text) == 1 || text[1] != '=' && text[1] != '+' && text[1] != '>'):
		r.at++
		return text[:1]
	}
	return ""
}

// operand reads one value of an expression, with the operators before it.
func (r *psReader) operand(p place) psValue {
	r.blanks(true)
	if r.ended() {
		r.take(psStray, psOperand, "")
		return psValue{}
	}
	text := r.text[r.at:]
	if n := psNumber(text); n > 0 {
		if r.at += n; r.peek(0) == '>' {
			r.take(psGlued, psOperand, ">")
		}
		r.behind(p)
		return psValue{plainNumber(text[:n]), []string{text[:n]}}
	}
	if n := psDash(text); n > 0 || text[0] == '!' || text[0] == '+' || text[0] == ',' {
		n = max(n, 1)
		name := n + psLetters(text[n:])
		switch word := strings.ToLower(text[n:name]); {
		case word == "" || psNumber(text[n:]) > 0:
			name = n
		case !argv.HasField(psUnaryOperators, word):
			r.take(psOtherOperator, psOperand, "-"+word)
		}
		if r.depth++; r.depth > MaxDepth {
			r.fail("the command is nested too deeply to be read")
			return psValue{}
		}
		r.at += name
		value := r.operand(p)
		r.depth--
		return psValue{known: text[0] == ',' && value.known, list: value.list}
	}
	if text[0] == '[' {
		r.take(psType, psOperand, "")
		r.bracketed(p)
		r.accessors(&psWord{}, false, psOperand, p)
		r.blanks(false)
		if !r.ended() && r.startsExpression() {
			r.operand(p)
		}
		return psValue{}
	}
	return r.value(p)
}

// value reads a value that is neither a number nor a type.
func (r *psReader) value(p place) psValue {
	var w psWord
	start := r.at
	variable, ok := r.primary(&w, psOperand, p)
	if !ok {
		r.beginning(psOperand, p)
		if r.take(psStray, psOperand, ""); !r.ended() {
			r.bare(&w, psOperand, p)
		}
		if r.at == start && !r.ended() {
			r.at += r.step()
		}
		return psValue{}
	}
	r.accessors(&w, variable != "", psOperand, p)
	if text := r.text[r.at:]; strings.HasPrefix(text, "++") || psDash(text) > 0 && psDash(text[psDash(text):]) > 0 {
		r.at += 2
		if variable == "" || variable == "env:" || psSpecial(variable) {
			r.take(psAssignment, psOperand, "")
		} else {
			r.vars.add(variable, psValue{})
		}
		return psValue{}
	}
	r.behind(p)
	w.done()
	var all []psValue
	r.vars.each([]psWord{w}, func(k pick) { all = append(all, w.value(r.vars, k)) })
	if len(all) > 1 {
		return psValue{}
	}
	return all[0]
}

// behind refuses what may not follow a value in an expression.
func (r *psReader) behind(p place) {
	if c := r.peek(0); c != 0 && (argv.IsNameByte(c) || strings.IndexByte("\"'`$@({[<#:\\", c) >= 0 || singleQuote(r.text[r.at:])+doubleQuote(r.text[r.at:]) > 0) {
		r.take(psGlued, psOperand, r.text[r.at:r.at+r.step()])
	}
	if strings.HasPrefix(r.text[r.at:], ".") && !strings.HasPrefix(r.text[r.at:], "..") {
		r.accessors(&psWord{}, false, psOperand, p)
	}
}
