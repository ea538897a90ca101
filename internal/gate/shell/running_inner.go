package shell

import (
	"errors"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
	"github.com/pigate/pigate/internal/gate/shell/memory"
	"github.com/pigate/pigate/internal/gate/shell/model"
	"github.com/pigate/pigate/internal/gate/shell/pwsh"
)

// nothing handles a wrapper without a command in its words.
func (r *running) nothing() {
	if r.program != nil {
		r.words([]argv.Arg{*r.program})
		return
	}
	if (r.Stdin || r.shellAsked) && !r.found {
		r.stdinText()
	}
}

// inner handles the command that begins at the next word.
func (r *running) inner() {
	r.tried = r.rest
	args := r.args[r.rest:]
	if r.program != nil {
		args = append([]argv.Arg{*r.program}, args...)
	}
	if len(args) == 0 {
		r.nothing()
		return
	}
	switch r.As {
	case catalog.AsWords:
		if r.Feeds {
			r.supplied(args)
			return
		}
		r.words(args)
	case catalog.AsText:
		r.text(bash.JoinArgs(args), r.step)
	case catalog.AsTexts:
		for _, a := range args {
			r.text(a, r.step)
		}
	}
}

// words adds the unit of a command that the wrapper runs as it is.
func (r *running) words(args []argv.Arg) {
	if len(args) == 0 {
		return
	}
	own := argv.WrittenArgs(args)
	if len(own) == 0 {
		r.source.b.opaque(r.unit, "the command it runs comes from input")
		return
	}
	r.found = true
	s := r.source
	p := r.place.under(r.unit, r.step)
	p.wrappers = r.wrappers
	u := unit{Unit: model.Unit{Via: p.via, Parent: p.parent, Text: s.wordsText(own)}}
	u.Bare, u.body = u.Text, len(u.Text)
	u.Start, u.End = s.span(own[0].Start, own[len(own)-1].End)
	i := s.b.add(u)
	s.name(i, own)
	if len(own) < len(args) {
		s.b.units[i].Calls = [][]argv.Arg{args}
	}
	args = r.asRun(i, args)
	if from := &s.b.units[r.unit]; from.PowerShell {
		run := &s.b.units[i]
		run.Program, run.PowerShell = pwsh.ProgramName(run.Program), true
	}
	if s.remoteChild(r) {
		n := *s
		n.elsewhere = true
		n.command(i, args, r.in, p)
		return
	}
	s.command(i, args, r.in, p)
	if u := &s.b.units[i]; r.Shown && u.Opaque == "" {
		u.Wrapper, u.Transparent = true, true
	}
}

func (s *source) remoteChild(r *running) bool { return r.Elsewhere && !s.elsewhere }

// text reads shell text that the wrapper runs.
func (r *running) text(a argv.Arg, step string) {
	r.found = true
	s, b := r.source, r.source.b
	if !a.Literal {
		b.units[r.unit].Wrapper = true
		b.opaque(r.unit, "the shell text it runs is not literal")
	}
	if a.ANSI { // to dash it is a dollar and a quoted text
		b.units[r.unit].Wrapper = true
		b.opaque(r.unit, "the shell text it runs is written as $'…', which not every shell knows")
	}
	unknown := "$_"
	if a.Holder != "" {
		unknown = a.Holder
	}
	text := holdUnknown(a.Text, unknown)
	n := s.inside(text, a.Start, a.End)
	if n == nil {
		return
	}
	n.elsewhere = s.elsewhere || r.Elsewhere
	n.supply = r.supply
	if in := r.in; in.outer != nil || in.pipe != nil || in.stmt != nil && len(in.stmt.Redirs) > 0 {
		n.outer = &in
	}
	p := r.place.under(r.unit, step)
	p.wrappers = r.wrappers
	why := bash.Measure(text)
	if why == "" {
		file, piece, err := b.parser.Parse(text)
		if err == nil {
			r.inShell(step, text, func() { n.stmts(file.Stmts, p) })
			if piece == "" {
				return
			}
			err = errors.New("it holds " + piece)
		}
		why = err.Error()
	}
	b.units[r.unit].Wrapper = true
	b.opaque(r.unit, "the shell text it runs cannot be read: "+why)
	n.pieces(p)
}

// sameShell are the programs that have text run by the shell which runs them.
const sameShell = "eval source . mapfile readarray complete compgen"

// inShell calls read for the text with what its shell knows of variables.
func (r *running) inShell(step, text string, read func()) {
	m := &r.source.b.memory
	switch program := r.source.b.units[r.unit].Program; {
	case program == "trap": // at any time from now on
		m.Within(nil, read)
		m.Lost = m.Lost || r.mayAssign(text)
	case argv.HasField(sameShell, program) || step == "alias":
		read()
	case r.Elsewhere:
		m.Within(nil, read)
	default:
		m.Child(func() {
			m.Forget("@")
			m.Forget("0")
			if len(r.given) > 0 {
				name, rest := memory.Parameters(r.given).Cut()
				m.Set("0", name)
				m.Set("@", rest)
			}
			read()
		})
	}
}

// mayAssign reports the text of a trap that may set variables while the line
// goes on.
func (r *running) mayAssign(text string) bool {
	end := true
	for _, a := range r.args[min(r.rest+1, len(r.args)):] {
		end = end && (a.Text == "EXIT" || a.Text == "0")
	}
	if end {
		return false
	}
	for name := range r.source.b.functions {
		if strings.Contains(text, name) {
			return true
		}
	}
	return strings.ContainsAny(text, "=$") && strings.Contains(text, "=") || strings.Contains(text, "eval") || strings.Contains(text, "read") || strings.Contains(text, "(")
}
