package shell

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/model"
	"github.com/pigate/pigate/internal/gate/shell/pwsh"
)

// psOutput is a redirection with its place in the text.
type psOutput struct{ index, start, end int }

// command reads one command of a pipeline and adds its unit. assigned are the
// pieces of an assignment in front, in is psStatement or psElement.
func (r *psReader) command(assigned []piece, in psContext, p place) psValue {
	s := r.source
	pieces := append([]piece(nil), assigned...)
	called := r.callOperator(in)
	if called >= 0 {
		r.blanks(false)
		if r.peek(0) == '{' {
			r.at++
			r.nested('}', p.within("{…}"))
			if r.blanks(false); !r.ended() {
				r.take(psStray, in, r.text[r.at:r.at+r.step()])
			}
			return psValue{}
		}
		pieces = append(pieces, piece{start: called, end: called + 1})
	} else {
		r.take(psCommand, in, "")
	}
	r.unit = s.b.add(unit{Unit: model.Unit{Via: p.via, Parent: p.parent}})
	i := r.unit
	var words []psWord
	var own []psOutput
	if !r.ended() {
		if w := r.name(called >= 0, p); w.End > w.Start {
			words = append(words, w)
		}
	}
	program := ""
	if len(words) > 0 {
		program = pwsh.ProgramName(argv.ProgramName(withDashes(words[0].told())))
	}
	words = r.words(words, &own, program, p)
	for _, w := range words {
		if w.joined {
			pieces[len(pieces)-1].end = w.End
			continue
		}
		pieces = append(pieces, piece{start: w.Start, end: w.End})
	}
	for _, o := range own {
		pieces = append(pieces, piece{start: o.start, end: o.end, output: true})
		s.b.out.Redirections[o.index].Unit = i
	}
	if len(pieces) == 0 {
		r.take(psStray, in, r.text[r.at:min(r.at+1, len(r.text))])
		s.b.drop(i)
		return psValue{}
	}
	u := &s.b.units[i]
	u.Text = r.unitText(pieces, true)
	if u.Bare = r.unitText(pieces, false); u.Bare == "" {
		u.Bare = u.Text
	}
	u.body = len(u.Text)
	u.Start, u.End = s.span(pieces[0].start, pieces[len(pieces)-1].end)
	r.unit = i
	if len(words) == 0 {
		return psValue{}
	}
	value := r.run(i, words, in == psElement, p)
	r.unit = i
	return value
}

// callOperator steps over & or . before a command and returns where it stands,
// -1 if there is none.
func (r *psReader) callOperator(in psContext) int {
	at, text := r.at, r.text[r.at+1:]
	switch {
	case r.text[at] == '&':
	case r.text[at] == '.' && (text == "" || strings.IndexByte("$'\"{(\r\n", text[0]) >= 0 || psBlank(text) > 0):
	default:
		return -1
	}
	r.take(psCall, in, "")
	r.at++
	return at
}

// name reads the name of a command, behind a call operator or alone.
func (r *psReader) name(called bool, p place) (w psWord) {
	if called {
		w = r.argument(psName, p)
	} else {
		w.Start = r.at
		if c := r.text[r.at]; strings.IndexByte("-=*:^]+!<>@\"'", c) >= 0 || psDash(r.text[r.at:]) > 0 {
			r.take(psStray, psName, string(c))
		}
		if n := r.keywordLength(); n > 0 && !psKeywords[strings.ToLower(r.text[r.at:r.at+n])] {
			r.take(psOtherKeyword, psName, r.text[r.at:r.at+n])
		}
		r.beginning(psName, p)
		r.bare(&w, psName, p)
		r.glued(psName)
		w.done()
		w.End = r.at
	}
	if w.glob && !argv.HasField("? *", r.text[w.Start:w.End]) {
		r.take(psPattern, psName, "")
	}
	w.glob = false
	return w
}

// words reads the words and redirections behind the name of a command.
func (r *psReader) words(words []psWord, own *[]psOutput, program string, p place) []psWord {
	in := psArgument
	if argv.HasField(psTakers, pwsh.Cmdlet(program)) {
		in |= psTaken
	}
	for comma := false; !r.problem.broken; {
		r.blanks(comma)
		if r.ended() {
			if comma {
				r.take(psStray, psArgument, ",")
			}
			return words
		}
		if r.peek(0) == ',' {
			if comma || len(words) < 2 {
				r.take(psStray, psArgument, ",")
			}
			r.at++
			comma = len(words) > 1
			continue
		}
		if r.redirection(own, psArgument, p) {
			continue
		}
		before := r.at
		w := r.argument(in, p)
		if r.at == before {
			r.take(psStray, psArgument, r.text[r.at:r.at+r.step()])
			r.at += r.step()
			continue
		}
		w.joined, comma = comma, false
		words = append(words, w)
	}
	return words
}

// redirection reads one output redirection, if there is one: >, 2>, *>>, 2>&1.
func (r *psReader) redirection(own *[]psOutput, in psContext, p place) bool {
	start, k := r.at, r.at
	if k < len(r.text) && (r.text[k] == '*' || '1' <= r.text[k] && r.text[k] <= '6') {
		k++
	}
	if k >= len(r.text) || r.text[k] != '>' {
		return false
	}
	r.take(psRedirection, in, "")
	op := k
	if k++; strings.HasPrefix(r.text[k:], ">") {
		k++
	}
	b := r.source.b
	out := model.Redirection{Op: r.text[op:k], Unit: -1}
	if r.at = k; strings.HasPrefix(r.text[k:], "&") {
		out.Op += "&"
		out.Target, out.Literal, out.Harmless = "1", true, true
		if r.at += 2; !strings.HasPrefix(r.text[k:], "&1") {
			r.at = k + 1
			r.take(psStray, psTarget, ">&")
		}
	} else if r.blanks(false); r.ended() || r.peek(0) == ',' {
		r.take(psStray, psTarget, ">")
		out.Target = "\x00"
	} else {
		w := r.argument(psTarget, p)
		out.Harmless = strings.EqualFold(r.text[w.Start:w.End], "$null")
		out.Target, out.Literal, out.Names = r.written(w, out.Harmless)
	}
	end := r.at
	out.Start, out.End = r.source.span(start, end)
	*own = append(*own, psOutput{len(b.out.Redirections), start, end})
	b.out.Redirections = append(b.out.Redirections, out)
	return true
}

// written returns the target of a redirection, and the names that it may be
// where it holds variables: whoever allows one of them does not know that it is
// this one.
func (r *psReader) written(w psWord, null bool) (target string, literal bool, names []string) {
	if null {
		return "$null", true, nil
	}
	literal = !w.glob && !r.source.elsewhere
	for _, p := range w.parts {
		literal = literal && p.variable == "" && p.value.known
	}
	var all []argv.Arg
	r.vars.each([]psWord{w}, func(k pick) { all = append(all, r.vars.args([]psWord{w}, k, true)...) })
	for k, a := range all {
		if k == 0 {
			target = a.Text
		}
		if a.Literal && a.Text != "" && !r.source.elsewhere {
			names = append(names, a.Text)
		}
	}
	if literal = literal && len(all) == 1; literal {
		names = nil
	}
	return target, literal, names
}
