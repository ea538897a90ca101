package pwsh

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// startsExpression reports that PowerShell reads an expression here, not a
// command.
func (r *reader) startsExpression() bool {
	text := r.text[r.at:]
	if singleQuote(text)+doubleQuote(text) > 0 || strings.IndexByte("$@({[+,", text[0]) >= 0 || numberLength(text) > 0 {
		return true
	}
	if text[0] == '!' {
		return len(text) > 1 && (strings.IndexByte("$(", text[1]) >= 0 || blankLength(text[1:]) > 0)
	}
	dash := dashLength(text)
	if dash == 0 {
		return false
	}
	n := lettersLength(text[dash:])
	return n == 0 || numberLength(text[dash:]) > 0 || argv.HasField(unaryOperators, strings.ToLower(text[dash:dash+n]))
}

// expression reads values with operators between them and returns what they
// give, as far as that can be told.
func (r *reader) expression(p Path) psValue {
	value := r.operand(p)
	for !r.problem.Broken {
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
func (r *reader) operator() (op string) {
	text := r.text[r.at:]
	if dash := dashLength(text); dash > 0 {
		n := lettersLength(text[dash:])
		name := strings.ToLower(text[dash : dash+n])
		switch {
		case n == 0 && (strings.HasPrefix(text[dash:], "=") || dashLength(text[dash:]) > 0):
			return ""
		case n > 0 && !('0' <= name[0] && name[0] <= '9') && !argv.HasField(operatorNames, name) && !argv.HasField(operatorNames, strings.TrimLeft(name[:1], "ci")+name[1:]):
			r.take(formOtherOperator, inOperand, "-"+name)
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
		r.take(formOtherOperator, inOperand, "?")
		r.at++
		return "?"
	case text != "" && strings.IndexByte("+*/%", text[0]) >= 0 && (len(text) == 1 || text[1] != '=' && text[1] != '+' && text[1] != '>'):
		r.at++
		return text[:1]
	}
	return ""
}

// operand reads one value of an expression, with the operators before it.
func (r *reader) operand(p Path) psValue {
	r.blanks(true)
	if r.ended() {
		r.take(formStray, inOperand, "")
		return psValue{}
	}
	text := r.text[r.at:]
	if n := numberLength(text); n > 0 {
		if r.at += n; r.peek(0) == '>' {
			r.take(formGlued, inOperand, ">")
		}
		r.behind(p)
		return psValue{plainNumber(text[:n]), []string{text[:n]}}
	}
	if n := dashLength(text); n > 0 || text[0] == '!' || text[0] == '+' || text[0] == ',' {
		n = max(n, 1)
		name := n + lettersLength(text[n:])
		switch word := strings.ToLower(text[n:name]); {
		case word == "" || numberLength(text[n:]) > 0:
			name = n
		case !argv.HasField(unaryOperators, word):
			r.take(formOtherOperator, inOperand, "-"+word)
		}
		if r.depth++; r.depth > argv.MaxDepth {
			r.fail("the command is nested too deeply to be read")
			return psValue{}
		}
		r.at += name
		value := r.operand(p)
		r.depth--
		return psValue{known: text[0] == ',' && value.known, list: value.list}
	}
	if text[0] == '[' {
		r.take(formType, inOperand, "")
		r.bracketed(p)
		r.accessors(&psWord{}, false, inOperand, p)
		r.blanks(false)
		if !r.ended() && r.startsExpression() {
			r.operand(p)
		}
		return psValue{}
	}
	return r.value(p)
}

// value reads a value that is neither a number nor a type.
func (r *reader) value(p Path) psValue {
	var w psWord
	start := r.at
	variable, ok := r.primary(&w, inOperand, p)
	if !ok {
		r.beginning(inOperand, p)
		if r.take(formStray, inOperand, ""); !r.ended() {
			r.bare(&w, inOperand, p)
		}
		if r.at == start && !r.ended() {
			r.at += r.step()
		}
		return psValue{}
	}
	r.accessors(&w, variable != "", inOperand, p)
	if text := r.text[r.at:]; strings.HasPrefix(text, "++") || dashLength(text) > 0 && dashLength(text[dashLength(text):]) > 0 {
		r.at += 2
		if variable == "" || variable == "env:" || isSpecial(variable) {
			r.take(formAssignment, inOperand, "")
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
func (r *reader) behind(p Path) {
	if c := r.peek(0); c != 0 && (argv.IsNameByte(c) || strings.IndexByte("\"'`$@({[<#:\\", c) >= 0 || singleQuote(r.text[r.at:])+doubleQuote(r.text[r.at:]) > 0) {
		r.take(formGlued, inOperand, r.text[r.at:r.at+r.step()])
	}
	if strings.HasPrefix(r.text[r.at:], ".") && !strings.HasPrefix(r.text[r.at:], "..") {
		r.accessors(&psWord{}, false, inOperand, p)
	}
}
