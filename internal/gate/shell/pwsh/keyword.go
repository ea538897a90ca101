package pwsh

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// keywordLength is the length of the keyword that stands here, 0 if none does.
func (r *reader) keywordLength() int {
	text := r.text[r.at:]
	n := lettersLength(text)
	if _, found := keywords[strings.ToLower(text[:n])]; !found || n < len(text) && strings.IndexByte("\n\r;|&(){},", text[n]) < 0 && blankLength(text[n:]) == 0 {
		return 0
	}
	return n
}

// keyword reads what belongs to a keyword: parentheses, and a block.
func (r *reader) keyword(word string, p Path) {
	understood := keywords[word]
	if !understood {
		r.take(formOtherKeyword, inStatement, word)
	}
	switch word {
	case "return", "throw", "exit":
		if r.blanks(false); !r.nothing() {
			r.pipelines(nil, p)
		}
		return
	case "break", "continue":
		if r.blanks(false); !r.ended() {
			r.take(formStray, inStatement, "")
			r.argument(inArgument, p)
		}
		return
	}
	r.blanks(understood)
	for word == "switch" && !r.ended() && dashLength(r.text[r.at:]) > 0 {
		before := r.at
		w := r.argument(inArgument, p)
		if !argv.HasField("-regex -wildcard -exact -casesensitive", strings.ToLower(w.told())) {
			r.take(formStray, inStatement, r.text[before:r.at])
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
		r.take(formType, inStatement, "")
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
func (r *reader) iteration(p Path) {
	r.blanks(true)
	before := r.at
	if r.peek(0) != '$' {
		return
	}
	name := r.variable(&psWord{}, inOperand)
	text := strings.ToLower(r.text[before:r.at])
	r.blanks(true)
	if n := lettersLength(r.text[r.at:]); !strings.EqualFold(r.text[r.at:r.at+n], "in") {
		r.take(formStray, inStatement, "")
		return
	}
	r.at += len("in")
	if name == "" || strings.IndexByte(text, ':') >= 0 || isSpecial(name) {
		r.take(formAssignment, inStatement, text)
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
func (r *reader) clauses(p Path) {
	for !r.problem.Broken {
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
			r.argument(inOperand, p)
		}
		if r.blanks(true); r.peek(0) == '{' {
			r.at++
			r.nested('}', p)
		} else {
			r.take(formStray, inStatement, "")
		}
		if r.at == before {
			r.at += r.step()
		}
	}
	r.close('}')
}
