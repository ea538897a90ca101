package pwsh

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// variable reads $name, ${name}, $env:name or $scope:name into w, and returns
// its name, lower-case and without a scope, when it is a plain variable.
func (r *reader) variable(w *psWord, in context) string {
	start := r.at
	r.at++
	braces := r.peek(0) == '{'
	if braces {
		r.at++
	}
	first := r.at
	r.at += lettersLength(r.text[r.at:])
	if r.at == first && !braces && strings.IndexByte("?$^", r.peek(0)) >= 0 {
		r.at++
	}
	name, drive := r.text[first:r.at], ""
	// A variable's name goes on after a colon, and with question marks and all
	// letters of Unicode.
	if r.peek(0) == ':' && r.peek(1) != ':' {
		r.at++
		rest := lettersLength(r.text[r.at:])
		drive, name = strings.ToLower(name)+":", r.text[r.at:r.at+rest]
		r.at += rest
	}
	next, _ := utf8.DecodeRuneInString(r.text[r.at:])
	odd := name == "" || name != "?" && (next == '?' || next >= utf8.RuneSelf && (unicode.IsLetter(next) || unicode.IsDigit(next)))
	if braces && r.peek(0) == '}' {
		r.at++
	} else if braces {
		odd = true
		if k := strings.IndexByte(r.text[r.at:], '}'); k >= 0 {
			r.at += k + 1
		} else {
			r.fail("a bracket is not closed")
		}
	}
	name = strings.ToLower(name)
	scoped := drive == "" || argv.HasField("script: local: global: private: using: variable:", drive)
	switch {
	case odd || !scoped && drive != "env:" || scoped && isSpecial(name) && !argv.HasField(freeVariables, name):
		r.take(formOtherVariable, in, r.text[start:r.at])
		w.add(psPart{})
		return ""
	case drive == "env:":
		w.add(psPart{variable: "env:" + name})
		return ""
	}
	r.take(formPlainVariable, in, r.text[start:r.at])
	w.add(psPart{variable: name})
	return name
}

// isSpecial reports the name of a variable that PowerShell itself reads or
// sets.
func isSpecial(name string) bool {
	return argv.HasField(freeVariables, name) || argv.HasField(otherVariables, name) || strings.HasPrefix(name, "ps") || strings.HasSuffix(name, "preference")
}

// primary reads a value that is no bare word: a string, a variable, something
// in brackets. It reports whether it was a variable.
func (r *reader) primary(w *psWord, in context, p Path) (variable string, ok bool) {
	text := r.text[r.at:]
	switch {
	case singleQuote(text) > 0:
		r.take(formString, in, "")
		w.Quoted = true
		w.literal(r.single())
	case doubleQuote(text) > 0:
		r.take(formString, in, "")
		w.Quoted = true
		r.double(w, p)
	case strings.HasPrefix(text, "$("), strings.HasPrefix(text, "@("):
		r.take(formSubexpression, in, "")
		r.at += 2
		w.add(psPart{value: r.nested(')', p.within("$(…)"))})
	case text[0] == '$' && len(text) > 1 && (argv.IsNameByte(text[1]) || strings.IndexByte("{?:$^", text[1]) >= 0 || text[1] >= utf8.RuneSelf):
		if variable = r.variable(w, in); variable == "" {
			variable = "env:" // or another that is not followed
		}
	case text[0] == '(':
		r.take(formParens, in, "")
		r.at++
		w.add(psPart{value: r.nested(')', p.within("(…)"))})
	case text[0] == '{':
		r.take(formBlock, in, "")
		w.block = true
		r.at++
		r.nested('}', p.within("{…}"))
		w.add(psPart{})
	case strings.HasPrefix(text, "@{"):
		r.take(formHashTable, in, "")
		r.at += 2
		r.hash(p)
		w.add(psPart{})
	case text[0] == '@' && singleQuote(text[1:])+doubleQuote(text[1:]) > 0:
		r.take(formHereString, in, "")
		w.Quoted = true
		r.hereString(w, p)
	default:
		return "", false
	}
	return variable, true
}

// accessors reads the properties, members, calls and indexes behind a value.
func (r *reader) accessors(w *psWord, variable bool, in context, p Path) {
	for !r.problem.Broken {
		form := formMember
		switch text := r.text[r.at:]; {
		case strings.HasPrefix(text, "..") && in == inOperand:
			return
		case strings.HasPrefix(text, "::"):
			form = formStatic
			r.at += 2
		case strings.HasPrefix(text, "."):
			if variable {
				form = formProperty
			}
			r.at++
		case strings.HasPrefix(text, "?.") && in == inOperand:
			r.at += 2
		case strings.HasPrefix(text, "["):
			r.index(in, p)
			w.parts, w.plain, w.text, w.Quoted = []psPart{{}}, "", nil, false
			continue
		default:
			return
		}
		w.parts, w.plain, w.text, w.Quoted = []psPart{{}}, "", nil, false
		r.member(form, in, p)
	}
}

// member reads the name of a member, and its arguments if it is called.
func (r *reader) member(form form, in context, p Path) {
	start := r.at
	r.at += lettersLength(r.text[r.at:])
	name := r.text[start:r.at]
	if name == "" {
		form = formMember
		if r.ended() || !r.other(p) {
			r.take(form, in, ".")
			return
		}
	}
	if c := r.peek(0); c == '(' || c == '{' {
		r.take(formMethod, in, name)
		r.at++
		r.nested(map[byte]byte{'(': ')', '{': '}'}[c], p.within("(…)"))
		return
	}
	r.take(form, in, name)
}

// other reads one value that is not understood where it stands.
func (r *reader) other(p Path) bool {
	_, ok := r.primary(&psWord{}, inOperand, p)
	return ok
}

// index reads what stands in brackets behind a value: an expression.
func (r *reader) index(in context, p Path) {
	start, understood := r.at, r.problem.Why == ""
	r.at++
	r.take(formIndex, in, "")
	r.expression(p)
	if r.blanks(false); r.peek(0) == ']' {
		r.at++
		return
	}
	if r.take(formMember, in, "["); understood && !r.problem.Broken {
		r.at = start
		r.bracketed(p)
	}
}

// bracketed steps over [ … ], reading the strings and subexpressions in it.
func (r *reader) bracketed(p Path) {
	depth := 0
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == '[':
			depth++
			r.at++
		case c == ']':
			r.at++
			if depth--; depth == 0 {
				return
			}
		case c == ')' || c == '}':
			return
		case r.other(p):
		default:
			r.at++
		}
	}
	r.fail("a bracket is not closed")
}

// hash reads the entries of a hash table, the opening bracket being read. Each
// value is a statement.
func (r *reader) hash(p Path) {
	if r.depth++; r.depth > argv.MaxDepth {
		r.fail("the command is nested too deeply to be read")
		return
	}
	for !r.problem.Broken {
		r.blanks(true)
		for r.peek(0) == ';' {
			r.at++
			r.blanks(true)
		}
		if c := r.peek(0); c == 0 || c == '}' || c == ')' {
			break
		}
		before := r.at
		if n := lettersLength(r.text[r.at:]); n > 0 {
			r.at += n
		} else if !r.other(p) {
			r.take(formStray, inOperand, r.text[r.at:r.at+r.step()])
		}
		r.blanks(false)
		if r.peek(0) == '=' {
			r.at++
			if r.blanks(true); !r.nothing() {
				r.statement(p.within("@{…}"))
			}
		} else {
			r.take(formStray, inOperand, "")
		}
		if r.at == before {
			r.at += r.step()
		}
	}
	r.close('}')
	r.depth--
}
