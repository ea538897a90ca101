package wrap

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
)

// foundNames are the folders in which the names stand that find gives to a
// command.
func (r *Call) foundNames(option string) []argv.Text {
	if option == "-execdir" || option == "-okdir" {
		return []argv.Text{argv.PlainText("./")} // of each the folder that holds it
	}
	return bash.FoundBelow(r.Args)
}

// findExec reads the commands of -exec and its kind, each up to ";" or "+".
func (r *Call) findExec() {
	step := r.Step
	for r.Rest < len(r.Args) {
		name := r.Args[r.Rest].Text
		r.Rest++
		switch name {
		case "-exec", "-execdir", "-ok", "-okdir":
			start := r.Rest
			for r.Rest < len(r.Args) && !r.endsExec(start) {
				r.Rest++
			}
			r.Step = step + " " + name
			r.words(Supply{holder: "{}", names: r.foundNames(name), last: bash.FoundName(r.Args), inner: bash.FoundInner(r.Args)}.To(r.Args[start:r.Rest]))
		}
	}
}

// endsExec reports that the next word ends the command of -exec: a semicolon,
// or a plus after {}.
func (r *Call) endsExec(start int) bool {
	switch r.Args[r.Rest].Text {
	case ";":
		return true
	case "+":
		return r.Rest > start && r.Args[r.Rest-1].Text == "{}"
	}
	return false
}

// fd reads the command of -x and -X, up to ";".
func (r *Call) fd() {
	step := r.Step
	for r.Rest < len(r.Args) {
		a := r.Args[r.Rest]
		r.Rest++
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
		start := r.Rest
		for r.Rest < len(r.Args) && r.Args[r.Rest].Text != ";" {
			r.Rest++
		}
		args := r.Args[start:r.Rest]
		if attached {
			a.Text = value
			args = append([]argv.Arg{a}, args...)
		}
		r.Step = step + " " + name
		r.words(withFound(args))
	}
}

// withFound supplies the command of fd with the path that is found: in the place
// of {}, {/}, {//}, {.} or {/.}, else at the end.
func withFound(args []argv.Arg) []argv.Arg {
	all := args
	for _, holder := range []string{"{}", "{/}", "{//}", "{.}", "{/.}"} {
		all = Supply{holder: holder}.To(all)
	}
	if slices.ContainsFunc(all, func(a argv.Arg) bool { return !a.Literal }) {
		return all
	}
	return Supply{}.To(args)
}
