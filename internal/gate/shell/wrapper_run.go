package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
	"github.com/pigate/pigate/internal/gate/shell/model"
)

// shell reads the words of a shell: `bash [options] [-c text | script | -s]`.
func (r *running) shell() {
	wantText, fromInput, step := false, false, r.step
	for r.rest < len(r.args) {
		a := r.args[r.rest]
		t := a.Text
		if len(t) < 2 || t[0] != '-' && t[0] != '+' || t == "--" {
			if t == "--" || t == "-" {
				r.rest++
			}
			break
		}
		r.rest++
		if name, value, attached := strings.Cut(t, "="); strings.HasPrefix(t, "--") {
			switch {
			case name == "--command" || name == "--commands" || name == "--init-command":
				if !attached && r.rest < len(r.args) {
					a, value = r.args[r.rest], r.args[r.rest].Text
					r.rest++
				}
				a.Text = value
				r.text(a, step+" -c")
				wantText = false
			case name == "--version" || name == "--help":
				return
			case (name == "--rcfile" || name == "--init-file") && !attached:
				r.rest++
			}
			continue
		}
		if text, ok := strings.CutPrefix(t, "-C"); ok && r.Reader == "foreign-shell" {
			if a.Text = text; text == "" && r.rest < len(r.args) {
				a = r.args[r.rest]
				r.rest++
			}
			r.text(a, step+" -C")
			continue
		}
		r.shaky(a, true)
		wantText = wantText || t[0] == '-' && strings.IndexByte(t, 'c') > 0
		fromInput = fromInput || t[0] == '-' && strings.IndexByte(t, 's') > 0
		if end := t[len(t)-1]; end == 'o' || end == 'O' {
			r.rest++ // the name of a shell option
			r.source.b.wide = r.source.b.wide || end == 'O'
		}
	}
	if r.rest >= len(r.args) {
		if !r.found {
			r.stdinText()
		}
		return
	}
	switch a := r.args[r.rest]; {
	case wantText:
		r.given = r.args[r.rest+1:]
		r.text(a, step+" -c")
	case fromInput:
		r.stdinText()
	case !a.Literal:
		r.script(a)
	default:
		if fd, ok := inputDescriptor(a.Text); ok {
			r.inputText(fd)
			return
		}
		// A rule that denies the script by its name means it here too.
		named := running{wrapping: gitProgram, source: r.source, unit: r.unit, args: r.args, in: r.in, place: r.place, wrappers: r.wrappers, step: step}
		named.words(r.args[r.rest:])
	}
}

// script handles a script whose name is not literal.
func (r *running) script(a argv.Arg) { r.scriptOf(a, r.word(a)) }

// word returns the word of the command that a is, nil when it is not told.
func (r *running) word(a argv.Arg) *syntax.Word {
	if r.in.stmt == nil || a.Tail {
		return nil
	}
	if c, ok := r.in.stmt.Cmd.(*syntax.CallExpr); ok {
		for _, w := range c.Args {
			if int(w.Pos().Offset()) == a.Start {
				return w
			}
		}
	}
	return nil
}

// scriptOf marks the wrapper. Of `<(echo …)` deny rules see the text. The word
// is nil when it is not known.
func (r *running) scriptOf(a argv.Arg, word *syntax.Word) {
	r.source.b.units[r.unit].Wrapper = true
	r.source.b.opaque(r.unit, "the script it runs is not literal")
	if word == nil || len(word.Parts) != 1 {
		return
	}
	if sub, ok := word.Parts[0].(*syntax.ProcSubst); ok && len(sub.Stmts) == 1 {
		if text, ok := bash.PipedText(sub.Stmts[0]); ok {
			r.text(text, r.step)
		}
	}
}

// inputDescriptor reports a word that names a descriptor as a file, "" being
// the standard input.
func inputDescriptor(word string) (fd string, ok bool) {
	if word == "/dev/stdin" {
		return "", true
	}
	for _, dir := range []string{"/dev/fd/", "/proc/self/fd/"} {
		if fd, ok = strings.CutPrefix(word, dir); ok && bash.IsDescriptor(fd) {
			if fd == "0" {
				fd = ""
			}
			return fd, true
		}
	}
	return "", false
}

// sourced reads `source file` and `. file`.
func (r *running) sourced() {
	for r.rest < len(r.args) && r.args[r.rest].Text == "--" {
		r.rest++
	}
	if r.rest >= len(r.args) {
		return
	}
	a := r.args[r.rest]
	if !a.Literal {
		r.script(a)
	} else if fd, ok := inputDescriptor(a.Text); ok {
		r.inputText(fd)
	}
}

// trap reads `trap text signal…`.
func (r *running) trap() {
	for r.rest < len(r.args) && len(r.args[r.rest].Text) > 1 && r.args[r.rest].Text[0] == '-' {
		if r.args[r.rest].Text != "--" {
			return
		}
		r.rest++
	}
	if len(r.args)-r.rest >= 2 && r.args[r.rest].Text != "-" {
		r.text(r.args[r.rest], r.step)
	}
}

// cargoWatch reads `cargo watch -x subcommand -s text -- command`.
func (r *running) cargoWatch() {
	for ; r.rest < len(r.args); r.rest++ {
		a := r.args[r.rest]
		name, value, given := strings.Cut(a.Text, "=")
		if len(a.Text) > 2 && (strings.HasPrefix(a.Text, "-x") || strings.HasPrefix(a.Text, "-s")) {
			name, value, given = a.Text[:2], a.Text[2:], true
		}
		switch name {
		case "--":
			r.rest++
			r.inner()
			return
		case "-x", "--exec", "-s", "--shell":
			if !given {
				if r.rest++; r.rest >= len(r.args) {
					return
				}
				a = r.args[r.rest]
				value = a.Text
			}
			if a.Text = value; name == "-x" || name == "--exec" {
				a.Text = "cargo " + value
			}
			r.text(a, r.step)
		}
	}
}

// batch reads `at` and `batch`, which run what their input holds.
func (r *running) batch() {
	for _, a := range r.args[r.rest:] {
		switch a.Text {
		case "-l", "-r", "-d", "-c", "-V", "-f":
			return
		}
	}
	r.stdinText()
}

// runuser reads `runuser -u user command`, else it is like su.
func (r *running) runuser() {
	for _, a := range r.args[r.rest:] {
		if strings.HasPrefix(a.Text, "-u") || strings.HasPrefix(a.Text, "--user") {
			r.options()
			return
		}
	}
	w := *r.wrapping
	own := *w.Runs
	own.OnlyOptions, own.OptionsAfter, own.Stdin = true, true, true
	w.Runs = &own
	r.wrapping = &w
	r.options()
}

// group reads `sg group [-c] text`. A program for searching code has the same
// name; its subcommands and options run nothing.
func (r *running) group() {
	if r.rest >= len(r.args) {
		return
	}
	switch first := r.args[r.rest].Text; first {
	case "run", "scan", "test", "new", "lsp", "completions", "docs", "help":
		return
	default:
		if strings.HasPrefix(first, "--") || first == "-p" || first == "-r" {
			return
		}
	}
	for r.rest++; r.rest < len(r.args) && (r.args[r.rest].Text == "-c" || r.args[r.rest].Text == "-"); {
		r.rest++
	}
	if r.rest < len(r.args) {
		r.text(bash.JoinArgs(r.args[r.rest:]), r.step)
	}
}

// capsh reads `capsh options -- arguments of a shell`.
func (r *running) capsh() {
	for k := r.rest; k < len(r.args); k++ {
		if a := r.args[k]; a.Text == "--" {
			shell := argv.Arg{Text: "bash", Literal: true, Start: a.Start, End: a.End}
			r.words(append([]argv.Arg{shell}, r.args[k+1:]...))
			return
		}
	}
}

// sandbox reads bwrap, whose options take up to two values and whose command
// is what follows them.
func (r *running) sandbox() {
	for r.rest < len(r.args) {
		t := r.args[r.rest].Text
		if !strings.HasPrefix(t, "--") {
			r.inner()
			return
		}
		r.rest++
		switch name := t[2:]; {
		case name == "":
			r.inner()
			return
		case strings.Contains(name, "bind") || name == "symlink" || name == "setenv" || name == "chmod" ||
			name == "file" || name == "overlay":
			r.rest += 2
		case strings.HasPrefix(name, "unshare-") || strings.HasPrefix(name, "die-") || strings.HasPrefix(name, "new-") ||
			strings.HasPrefix(name, "as-") || strings.HasPrefix(name, "disable-") || strings.HasPrefix(name, "assert-") || name == "clearenv":
		default:
			r.rest++
		}
	}
}

// keys reads `tmux send-keys`: what is typed may be shell text.
func (r *running) keys() {
	for ; r.rest < len(r.args); r.rest++ {
		a := r.args[r.rest]
		switch t := a.Text; {
		case t == "-t" || t == "-N":
			r.rest++
		case strings.HasPrefix(t, "-"):
		case isKey(t):
		default:
			r.text(a, r.step)
		}
	}
}

func isKey(t string) bool {
	switch t {
	case "Enter", "C-m", "Escape", "Space", "Tab", "BSpace", "Up", "Down", "Left", "Right":
		return true
	}
	return len(t) == 3 && t[1] == '-'
}

// cmd reads `cmd /c text` of Windows.
func (r *running) cmd() {
	for ; r.rest < len(r.args); r.rest++ {
		switch strings.ToLower(r.args[r.rest].Text) {
		case "/c", "/k", "//c", "//k":
			if rest := r.args[r.rest+1:]; len(rest) > 0 {
				r.text(bash.JoinArgs(rest), r.step+" /c")
			}
			return
		}
	}
	r.stdinText()
}

// split reads the text of `env -S`: its words stand before what follows.
func (r *running) split(a argv.Arg) {
	if !a.Literal {
		r.unsure = true
	}
	s := r.source
	n := s.inside(strings.ReplaceAll(a.Text, "\x00", "$_"), a.Start, a.End)
	if n == nil {
		return
	}
	l := bash.Lexer{Text: n.text, End: len(n.text)}
	for l.Word() {
	}
	for _, o := range l.Outputs {
		out := model.Redirection{Op: o.Op, Target: o.Target.Text, Literal: o.Target.Literal && !n.elsewhere, Harmless: o.Harmless}
		out.Start, out.End = n.span(o.Start, o.End)
		s.b.out.Redirections = append(s.b.out.Redirections, out)
	}
	split := l.Words
	for k := range split {
		split[k].Start, split[k].End = a.Start, a.End
	}
	r.args = append(split, r.args[r.rest:]...)
	r.rest = 0
}
