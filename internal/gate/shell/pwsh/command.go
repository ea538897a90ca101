package pwsh

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// command reads one command of a pipeline and adds its unit. assigned are the
// pieces of an assignment in front, in is inStatement or inElement.
func (r *reader) command(assigned []Piece, in context, p Path) psValue {
	pieces := append([]Piece(nil), assigned...)
	called := r.callOperator(in)
	if called >= 0 {
		r.blanks(false)
		if r.peek(0) == '{' {
			r.at++
			r.nested('}', p.within("{…}"))
			if r.blanks(false); !r.ended() {
				r.take(formStray, in, r.text[r.at:r.at+r.step()])
			}
			return psValue{}
		}
		pieces = append(pieces, Piece{Start: called, End: called + 1})
	} else {
		r.take(formCommand, in, "")
	}
	c := r.begin(p)
	c.Piped, r.last = in == inElement, c
	var words []psWord
	var own []*Output
	if !r.ended() {
		if w := r.name(called >= 0, p); w.End > w.Start {
			words = append(words, w)
		}
	}
	program := ""
	if len(words) > 0 {
		program = ProgramName(argv.ProgramName(WithDashes(words[0].told())))
	}
	words = r.words(words, &own, program, p)
	for _, w := range words {
		if w.joined {
			pieces[len(pieces)-1].End = w.End
			continue
		}
		pieces = append(pieces, Piece{Start: w.Start, End: w.End})
	}
	for _, o := range own {
		pieces = append(pieces, Piece{Start: o.Start, End: o.End, Output: true})
	}
	if len(pieces) == 0 {
		r.take(formStray, in, r.text[r.at:min(r.at+1, len(r.text))])
		r.emit(Event{Kind: CommandDropped, Command: c})
		return psValue{}
	}
	value := psValue{}
	if c.Outputs = own; len(words) > 0 {
		value = r.run(c, words)
	}
	r.end(c, pieces)
	c.Start, c.End = pieces[0].Start, pieces[len(pieces)-1].End
	r.last = c
	return value
}

// callOperator steps over & or . before a command and returns where it stands,
// -1 if there is none.
func (r *reader) callOperator(in context) int {
	at, text := r.at, r.text[r.at+1:]
	switch {
	case r.text[at] == '&':
	case r.text[at] == '.' && (text == "" || strings.IndexByte("$'\"{(\r\n", text[0]) >= 0 || blankLength(text) > 0):
	default:
		return -1
	}
	r.take(formCall, in, "")
	r.at++
	return at
}

// name reads the name of a command, behind a call operator or alone.
func (r *reader) name(called bool, p Path) (w psWord) {
	if called {
		w = r.argument(inName, p)
	} else {
		w.Start = r.at
		if c := r.text[r.at]; strings.IndexByte("-=*:^]+!<>@\"'", c) >= 0 || dashLength(r.text[r.at:]) > 0 {
			r.take(formStray, inName, string(c))
		}
		if n := r.keywordLength(); n > 0 && !keywords[strings.ToLower(r.text[r.at:r.at+n])] {
			r.take(formOtherKeyword, inName, r.text[r.at:r.at+n])
		}
		r.beginning(inName, p)
		r.bare(&w, inName, p)
		r.glued(inName)
		w.done()
		w.End = r.at
	}
	if w.glob && !argv.HasField("? *", r.text[w.Start:w.End]) {
		r.take(formPattern, inName, "")
	}
	w.glob = false
	return w
}

// words reads the words and redirections behind the name of a command.
func (r *reader) words(words []psWord, own *[]*Output, program string, p Path) []psWord {
	in := inArgument
	if argv.HasField(blockTakers, Cmdlet(program)) {
		in |= inTaken
	}
	for comma := false; !r.problem.Broken; {
		r.blanks(comma)
		if r.ended() {
			if comma {
				r.take(formStray, inArgument, ",")
			}
			return words
		}
		if r.peek(0) == ',' {
			if comma || len(words) < 2 {
				r.take(formStray, inArgument, ",")
			}
			r.at++
			comma = len(words) > 1
			continue
		}
		if r.redirection(own, inArgument, p) {
			continue
		}
		before := r.at
		w := r.argument(in, p)
		if r.at == before {
			r.take(formStray, inArgument, r.text[r.at:r.at+r.step()])
			r.at += r.step()
			continue
		}
		w.joined, comma = comma, false
		words = append(words, w)
	}
	return words
}

// redirection reads one output redirection, if there is one: >, 2>, *>>, 2>&1.
func (r *reader) redirection(own *[]*Output, in context, p Path) bool {
	start, k := r.at, r.at
	if k < len(r.text) && (r.text[k] == '*' || '1' <= r.text[k] && r.text[k] <= '6') {
		k++
	}
	if k >= len(r.text) || r.text[k] != '>' {
		return false
	}
	r.take(formRedirection, in, "")
	op := k
	if k++; strings.HasPrefix(r.text[k:], ">") {
		k++
	}
	out := &Output{Op: r.text[op:k], Start: start}
	if r.at = k; strings.HasPrefix(r.text[k:], "&") {
		out.Op += "&"
		out.Target, out.Literal, out.Harmless = "1", true, true
		if r.at += 2; !strings.HasPrefix(r.text[k:], "&1") {
			r.at = k + 1
			r.take(formStray, inTarget, ">&")
		}
	} else if r.blanks(false); r.ended() || r.peek(0) == ',' {
		r.take(formStray, inTarget, ">")
		out.Target = argv.Hole
	} else {
		w := r.argument(inTarget, p)
		out.Harmless = strings.EqualFold(r.text[w.Start:w.End], "$null")
		out.Target, out.Literal, out.Names = r.written(w, out.Harmless)
	}
	out.End = r.at
	*own = append(*own, out)
	r.emit(Event{Kind: OutputMet, Output: out})
	return true
}

// written returns the target of a redirection, and the names that it may be
// where it holds variables: whoever allows one of them does not know that it is
// this one.
func (r *reader) written(w psWord, null bool) (target string, literal bool, names []string) {
	if null {
		return "$null", true, nil
	}
	literal = !w.glob
	for _, p := range w.parts {
		literal = literal && p.variable == "" && p.value.known
	}
	var all []argv.Arg
	r.vars.each([]psWord{w}, func(k pick) { all = append(all, r.vars.args([]psWord{w}, k, true)...) })
	for k, a := range all {
		if k == 0 {
			target = a.Text
		}
		if a.Literal && a.Text != "" {
			names = append(names, a.Text)
		}
	}
	if literal = literal && len(all) == 1; literal {
		names = nil
	}
	return target, literal, names
}
