package wrap

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
)

// shell reads the words of a shell: `bash [options] [-c text | script | -s]`.
func (r *Call) shell() {
	wantText, fromInput, step := false, false, r.Step
	for r.Rest < len(r.Args) {
		a := r.Args[r.Rest]
		t := a.Text
		if len(t) < 2 || t[0] != '-' && t[0] != '+' || t == "--" {
			if t == "--" || t == "-" {
				r.Rest++
			}
			break
		}
		r.Rest++
		if name, value, attached := strings.Cut(t, "="); strings.HasPrefix(t, "--") {
			switch {
			case name == "--command" || name == "--commands" || name == "--init-command":
				if !attached && r.Rest < len(r.Args) {
					a, value = r.Args[r.Rest], r.Args[r.Rest].Text
					r.Rest++
				}
				a.Text = value
				r.text(a, step+" -c")
				wantText = false
			case name == "--version" || name == "--help":
				return
			case (name == "--rcfile" || name == "--init-file") && !attached:
				r.Rest++
			}
			continue
		}
		if text, ok := strings.CutPrefix(t, "-C"); ok && r.Reader == "foreign-shell" {
			if a.Text = text; text == "" && r.Rest < len(r.Args) {
				a = r.Args[r.Rest]
				r.Rest++
			}
			r.text(a, step+" -C")
			continue
		}
		r.shaky(a, true)
		wantText = wantText || t[0] == '-' && strings.IndexByte(t, 'c') > 0
		fromInput = fromInput || t[0] == '-' && strings.IndexByte(t, 's') > 0
		if end := t[len(t)-1]; end == 'o' || end == 'O' {
			r.Rest++ // the name of a shell option
			r.wide = r.wide || end == 'O'
		}
	}
	if r.Rest >= len(r.Args) {
		if !r.found {
			r.stdinText()
		}
		return
	}
	switch a := r.Args[r.Rest]; {
	case wantText:
		r.Given = r.Args[r.Rest+1:]
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
		named := *r
		named.Wrapper, named.Step = &Wrapper{Runs: &catalog.Runs{Shown: true}}, step
		named.words(r.Args[r.Rest:])
	}
}

// script handles a script whose name is not literal.
func (r *Call) script(a argv.Arg) { r.scriptOf(a, r.word(a)) }

// word returns the word of the command that a is, nil when it is not told.
func (r *Call) word(a argv.Arg) *syntax.Word {
	if r.stmt == nil || a.Tail {
		return nil
	}
	if c, ok := r.stmt.Cmd.(*syntax.CallExpr); ok {
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
func (r *Call) scriptOf(a argv.Arg, word *syntax.Word) {
	r.host.Unit().Wrapper = true
	r.host.Opaque("the script it runs is not literal")
	if word == nil || len(word.Parts) != 1 {
		return
	}
	if sub, ok := word.Parts[0].(*syntax.ProcSubst); ok && len(sub.Stmts) == 1 {
		if text, ok := bash.PipedText(sub.Stmts[0]); ok {
			r.text(text, r.Step)
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
func (r *Call) sourced() {
	for r.Rest < len(r.Args) && r.Args[r.Rest].Text == "--" {
		r.Rest++
	}
	if r.Rest >= len(r.Args) {
		return
	}
	a := r.Args[r.Rest]
	if !a.Literal {
		r.script(a)
	} else if fd, ok := inputDescriptor(a.Text); ok {
		r.inputText(fd)
	}
}

// trap reads `trap text signal…`.
func (r *Call) trap() {
	for r.Rest < len(r.Args) && len(r.Args[r.Rest].Text) > 1 && r.Args[r.Rest].Text[0] == '-' {
		if r.Args[r.Rest].Text != "--" {
			return
		}
		r.Rest++
	}
	if len(r.Args)-r.Rest >= 2 && r.Args[r.Rest].Text != "-" {
		r.text(r.Args[r.Rest], r.Step)
	}
}

// cargoWatch reads `cargo watch -x subcommand -s text -- command`.
func (r *Call) cargoWatch() {
	for ; r.Rest < len(r.Args); r.Rest++ {
		a := r.Args[r.Rest]
		name, value, given := strings.Cut(a.Text, "=")
		if len(a.Text) > 2 && (strings.HasPrefix(a.Text, "-x") || strings.HasPrefix(a.Text, "-s")) {
			name, value, given = a.Text[:2], a.Text[2:], true
		}
		switch name {
		case "--":
			r.Rest++
			r.inner()
			return
		case "-x", "--exec", "-s", "--shell":
			if !given {
				if r.Rest++; r.Rest >= len(r.Args) {
					return
				}
				a = r.Args[r.Rest]
				value = a.Text
			}
			if a.Text = value; name == "-x" || name == "--exec" {
				a.Text = "cargo " + value
			}
			r.text(a, r.Step)
		}
	}
}

// batch reads `at` and `batch`, which run what their input holds.
func (r *Call) batch() {
	for _, a := range r.Args[r.Rest:] {
		switch a.Text {
		case "-l", "-r", "-d", "-c", "-V", "-f":
			return
		}
	}
	r.stdinText()
}

// runuser reads `runuser -u user command`, else it is like su.
func (r *Call) runuser() {
	for _, a := range r.Args[r.Rest:] {
		if strings.HasPrefix(a.Text, "-u") || strings.HasPrefix(a.Text, "--user") {
			r.options()
			return
		}
	}
	w := *r.Wrapper
	own := *w.Runs
	own.OnlyOptions, own.OptionsAfter, own.Stdin = true, true, true
	w.Runs = &own
	r.Wrapper = &w
	r.options()
}

// group reads `sg group [-c] text`. A program for searching code has the same
// name; its subcommands and options run nothing.
func (r *Call) group() {
	if r.Rest >= len(r.Args) {
		return
	}
	switch first := r.Args[r.Rest].Text; first {
	case "run", "scan", "test", "new", "lsp", "completions", "docs", "help":
		return
	default:
		if strings.HasPrefix(first, "--") || first == "-p" || first == "-r" {
			return
		}
	}
	for r.Rest++; r.Rest < len(r.Args) && (r.Args[r.Rest].Text == "-c" || r.Args[r.Rest].Text == "-"); {
		r.Rest++
	}
	if r.Rest < len(r.Args) {
		r.text(bash.JoinArgs(r.Args[r.Rest:]), r.Step)
	}
}

// capsh reads `capsh options -- arguments of a shell`.
func (r *Call) capsh() {
	for k := r.Rest; k < len(r.Args); k++ {
		if a := r.Args[k]; a.Text == "--" {
			shell := argv.Arg{Text: "bash", Literal: true, Start: a.Start, End: a.End}
			r.words(append([]argv.Arg{shell}, r.Args[k+1:]...))
			return
		}
	}
}

// sandbox reads bwrap, whose options take up to two values and whose command
// is what follows them.
func (r *Call) sandbox() {
	for r.Rest < len(r.Args) {
		t := r.Args[r.Rest].Text
		if !strings.HasPrefix(t, "--") {
			r.inner()
			return
		}
		r.Rest++
		switch name := t[2:]; {
		case name == "":
			r.inner()
			return
		case strings.Contains(name, "bind") || name == "symlink" || name == "setenv" || name == "chmod" ||
			name == "file" || name == "overlay":
			r.Rest += 2
		case strings.HasPrefix(name, "unshare-") || strings.HasPrefix(name, "die-") || strings.HasPrefix(name, "new-") ||
			strings.HasPrefix(name, "as-") || strings.HasPrefix(name, "disable-") || strings.HasPrefix(name, "assert-") || name == "clearenv":
		default:
			r.Rest++
		}
	}
}

// keys reads `tmux send-keys`: what is typed may be shell text.
func (r *Call) keys() {
	for ; r.Rest < len(r.Args); r.Rest++ {
		a := r.Args[r.Rest]
		switch t := a.Text; {
		case t == "-t" || t == "-N":
			r.Rest++
		case strings.HasPrefix(t, "-"):
		case isKey(t):
		default:
			r.text(a, r.Step)
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
func (r *Call) cmd() {
	for ; r.Rest < len(r.Args); r.Rest++ {
		switch strings.ToLower(r.Args[r.Rest].Text) {
		case "/c", "/k", "//c", "//k":
			if rest := r.Args[r.Rest+1:]; len(rest) > 0 {
				r.text(bash.JoinArgs(rest), r.Step+" /c")
			}
			return
		}
	}
	r.stdinText()
}

// split reads the text of `env -S`: its words stand before what follows.
func (r *Call) split(a argv.Arg) {
	if !a.Literal {
		r.unsure = true
	}
	split, ok := r.line.Split(argv.AsVariable(a.Text), a)
	if !ok {
		return
	}
	r.Args = append(split, r.Args[r.Rest:]...)
	r.Rest = 0
}
