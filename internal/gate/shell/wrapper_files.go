package shell

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
)

// foundNames are the folders in which the names stand that find gives to a
// command.
func (r *running) foundNames(option string) []argv.Text {
	if option == "-execdir" || option == "-okdir" {
		return []argv.Text{argv.PlainText("./")} // of each the folder that holds it
	}
	return bash.FoundBelow(r.args)
}

// findExec reads the commands of -exec and its kind, each up to ";" or "+".
func (r *running) findExec() {
	step := r.step
	for r.rest < len(r.args) {
		name := r.args[r.rest].Text
		r.rest++
		switch name {
		case "-exec", "-execdir", "-ok", "-okdir":
			start := r.rest
			for r.rest < len(r.args) && !r.endsExec(start) {
				r.rest++
			}
			r.step = step + " " + name
			r.words(supply{holder: "{}", names: r.foundNames(name)}.to(r.args[start:r.rest]))
		}
	}
}

// endsExec reports that the next word ends the command of -exec: a semicolon,
// or a plus after {}.
func (r *running) endsExec(start int) bool {
	switch r.args[r.rest].Text {
	case ";":
		return true
	case "+":
		return r.rest > start && r.args[r.rest-1].Text == "{}"
	}
	return false
}

// fd reads the command of -x and -X, up to ";".
func (r *running) fd() {
	step := r.step
	for r.rest < len(r.args) {
		a := r.args[r.rest]
		r.rest++
		name, value, attached := strings.Cut(a.Text, "=")
		if a.Text == "--" {
			return
		}
		if !slices.Contains([]string{"--exec", "--exec-batch"}, name) {
			k := strings.IndexAny(a.Text, "xX")
			if k < 1 || len(a.Text) < 2 || a.Text[0] != '-' || a.Text[1] == '-' || strings.Trim(a.Text[1:k], "HIsigaluFp0L1q") != "" {
				continue
			}
			name, value = "-"+a.Text[k:k+1], a.Text[k+1:]
			attached = value != ""
		}
		start := r.rest
		for r.rest < len(r.args) && r.args[r.rest].Text != ";" {
			r.rest++
		}
		args := r.args[start:r.rest]
		if attached {
			a.Text = value
			args = append([]argv.Arg{a}, args...)
		}
		r.step = step + " " + name
		r.words(withFound(args))
	}
}

// withFound supplies the command of fd with the path that is found: in the place
// of {}, {/}, {//}, {.} or {/.}, else at the end.
func withFound(args []argv.Arg) []argv.Arg {
	all := args
	for _, holder := range []string{"{}", "{/}", "{//}", "{.}", "{/.}"} {
		all = supply{holder: holder}.to(all)
	}
	if slices.ContainsFunc(all, func(a argv.Arg) bool { return !a.Literal }) {
		return all
	}
	return supply{}.to(args)
}
