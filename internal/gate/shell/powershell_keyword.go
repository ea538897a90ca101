package shell

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

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
		if !argv.HasField("-regex -wildcard -exact -casesensitive", strings.ToLower(w.told())) {
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
