package shell

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
	"github.com/pigate/pigate/internal/gate/shell/memory"
	"github.com/pigate/pigate/internal/gate/shell/pwsh"
	"github.com/pigate/pigate/internal/gate/shell/risk"
	"github.com/pigate/pigate/internal/gate/shell/wrap"
)

// command looks at the words of unit i: the guarded flags they carry and, if
// the program is a wrapper, what it runs.
func (s *source) command(i int, args []argv.Arg, in wrap.Feed, p place) {
	program := s.b.units[i].Program
	if program == "" {
		return
	}
	if strings.HasPrefix(program, "ld-linux") || strings.HasPrefix(program, "ld-musl") {
		program = "ld.so" // the dynamic linker runs what it is given
	}
	known := s.b.known.Lookup(program)
	r := &runs{source: s, unit: i, in: in, place: p}
	if wide := wrap.Run(s.b.known, r, r, args, program, in.Stmt, in.Pipe, p.wrappers); wide {
		s.b.wide = true
	}
	s.fedCode(i, program, args, in)
	switch {
	case program == "shopt":
		s.b.wide = s.b.wide || slices.ContainsFunc(args, func(a argv.Arg) bool { return !a.Literal || strings.Contains(a.Text, "glob") })
	case program == "alias":
		s.defineAliases(args)
		if slices.ContainsFunc(args[1:], func(a argv.Arg) bool { return strings.Contains(a.Text, "<<") || strings.Contains(a.Text, "\n") }) {
			s.b.opaque(i, "the alias that it defines is more than a command")
		}
	case program == "set-alias" || program == "new-alias":
		if name, value, ok := pwsh.SetAlias(args); ok {
			s.b.nameAlias(name, value)
		}
	case strings.HasPrefix(program, "git-") && len(program) > len("git-"):
		s.gitProgram(i, program, args, in, p)
	case program == "git" && len(args) > 2 && strings.HasPrefix(args[1].Text, "-"):
		s.gitSettings(i, args, in, p)
	}
	s.moduleProgram(i, program, known, args, in, p)
	if len(s.b.named) > 0 {
		s.alias(i, program, args, in, p)
	}
	subscripts := argv.HasField(subscriptBuiltins, program)
	if subscripts {
		for _, a := range args[1:] {
			s.subscriptText(a, p)
			if bash.HoldsUnknownSubscript(program, a.Text) {
				s.b.opaque(i, evaluatesAgain)
			}
		}
	}
	if found := s.hazards(program, args[1:]); found != nil {
		u := &s.b.units[i]
		u.Hazards = append(u.Hazards, found...)
	}
	if argv.HasUnknown(args[1:]) {
		s.empty(i, s.b.units[i].Program, args, in, p)
	}
	if subscripts || program == "set" {
		s.builtin(i, program, args, p)
	}
	s.rememberBuiltin(program, args, in)
}

// defineAliases notes the aliases that a command defines.
func (s *source) defineAliases(args []argv.Arg) {
	for _, a := range args[1:] {
		if name, value, ok := strings.Cut(a.Text, "="); ok && a.Literal {
			s.b.nameAlias(name, value)
		}
	}
}

func (b *builder) nameAlias(name, text string) {
	if b.named == nil {
		b.named = map[string]string{}
	}
	if len(b.named) < memory.MaxNames && len(text) < memory.MaxValueText {
		b.named["alias "+name] = text
	}
}

// gitProgram adds the command of git that a program such as git-push is. It
// needs no rule of its own.
func (s *source) gitProgram(i int, program string, args []argv.Arg, in wrap.Feed, p place) {
	r := &runs{source: s, unit: i, in: in, place: p}
	c := wrap.NewCall(&catalog.Runs{Shown: true}, args, program, p.wrappers+1)
	at := argv.Arg{Text: "git", Literal: true, Quoted: true, Start: args[0].Start, End: args[0].End}
	sub := at
	sub.Text = strings.TrimPrefix(program, "git-")
	r.Words(c, append([]argv.Arg{at, sub}, args[1:]...))
}

// alias adds what unit i runs when its program is an alias that the line
// defines.
func (s *source) alias(i int, program string, args []argv.Arg, in wrap.Feed, p place) {
	value, ok := s.b.named["alias "+program]
	if !ok || p.wrappers >= maxTexts {
		return
	}
	r := &runs{source: s, unit: i, in: in, place: p}
	c := wrap.NewCall(&catalog.Runs{}, args, "alias", p.wrappers+1)
	if s.b.units[i].PowerShell {
		named := argv.Arg{Text: value, Literal: true, Quoted: true, Start: args[0].Start, End: args[0].End}
		r.Words(c, append([]argv.Arg{named}, args[1:]...))
		s.b.units[i].Wrapper = true
		return
	}
	a := argv.Arg{Text: value, Literal: true, Start: args[0].Start, End: args[len(args)-1].End}
	if len(args) > 1 {
		a.Text += " " + argv.QuoteWords(args[1:])
	}
	r.Text(c, a, "alias")
	s.b.units[i].Wrapper = true
}

// gitCommands are the ends of the names of git's settings whose value is a
// command line.
var gitCommands = []string{"pager", "editor", "sshcommand", "askpass", "external", "textconv", "fsmonitor", "cmd", "command", "helper", "program", "driver", "clean", "smudge", "process"}

// gitSettings reads the commands in `git -c name=value`, for deny rules; they
// are guarded flags for allow rules.
func (s *source) gitSettings(i int, args []argv.Arg, in wrap.Feed, p place) {
	for k := 1; k+1 < len(args) && strings.HasPrefix(args[k].Text, "-"); k++ {
		if args[k].Text != "-c" {
			continue
		}
		k++
		name, value, _ := strings.Cut(args[k].Text, "=")
		text, alias := strings.CutPrefix(value, "!")
		alias = alias && strings.HasPrefix(name, "alias.")
		name = strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
		if !alias && (!slices.Contains(gitCommands, name) || !strings.Contains(value, " ")) {
			continue // `core.pager=cat` is harmless and common
		}
		a := args[k]
		a.Text = text
		r := &runs{source: s, unit: i, in: in, place: p}
		r.Text(wrap.NewCall(&catalog.Runs{}, args, "", p.wrappers+1), a, "git -c")
	}
}

// subscriptBuiltins take names of variables or arithmetic in their arguments,
// in which a substitution runs even when it is quoted.
const subscriptBuiltins = "test [ printf read unset let wait getopts local mapfile readarray export declare typeset readonly"

// hazards finds guarded flags and translates their spans.
func (s *source) hazards(program string, args []argv.Arg) []risk.Hazard {
	found := risk.WithoutReading(risk.Find(s.b.known, program, risk.AsOptions(args)))
	for k := range found {
		found[k].Start, found[k].End = s.span(found[k].Start, found[k].End)
	}
	return found
}
