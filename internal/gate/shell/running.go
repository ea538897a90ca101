package shell

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// enter returns the index after the subcommand path, 0 when args is another
// subcommand. first is the index of the first word that is no global option.
func (w *wrapping) enter(args []argv.Arg, first int) int {
	if len(w.path) == 0 && w.Bins {
		return w.enterBin(args, first)
	}
	if len(w.path) == 0 {
		return 1
	}
	i, at := first, w.command.Program()
	for k, step := range w.path {
		if k > 0 {
			i = argv.SkipOptions(at, args, i)
		}
		if i >= len(args) || !slices.Contains(step, args[i].Text) {
			return 0
		}
		at = at.Subs[args[i].Text]
		i++
	}
	return i
}

// running is a wrapper while its words are read.
type running struct {
	*wrapping
	source     *source
	unit       int
	args       []argv.Arg
	rest       int // index of the next word
	in         feed
	place      place
	wrappers   int
	step       string    // how what it runs is reached
	program    *argv.Arg // the program named by an option
	found      bool      // something it runs was found
	tried      int       // index of the word where it was found
	unsure     bool
	shellAsked bool       // an option asks for a shell
	holder     string     // the placeholder for what is read from the input
	supply     *supply    // what is added to the commands of the text it runs
	file       bool       // the input that is meant is another file
	few        bool       // the command gets the input by pieces
	given      []argv.Arg // what the text it runs has as $0, $1, …
}

// start reads the words and lists what the wrapper runs.
func (r *running) start() {
	r.step = r.source.b.units[r.unit].Program
	for k, rest := 0, r.args[1:r.rest]; k < len(r.path) && len(rest) > 0; rest = rest[1:] {
		if slices.Contains(r.path[k], rest[0].Text) {
			r.step += " " + rest[0].Text
			k++
		}
	}
	if r.wrappers > maxWrappers {
		r.source.b.opaque(r.unit, "it stands behind too many wrappers")
		return
	}
	if r.Program != "" {
		at := r.args[r.rest-1]
		r.program = &argv.Arg{Text: r.Program, Literal: true, Quoted: true, Start: at.Start, End: at.End}
	}
	r.read()
	u := &r.source.b.units[r.unit]
	if r.found {
		u.Wrapper = true
		u.Runner = r.Runner
		u.Transparent = r.Transparent && !r.unsure && bareProgram(u)
	}
	if r.unsure {
		u.Wrapper = true
		r.source.b.opaque(r.unit, "the command it runs cannot be told")
		r.candidates()
	}
}

// candidates shows deny rules what the command may be when the wrapper's own
// words cannot be told from it.
func (r *running) candidates() {
	left := 4
	b := r.source.b
	for k := r.tried + 1; k < len(r.args) && left > 0; k++ {
		if a := r.args[k]; a.Text != "" && a.Text[0] != '-' && a.Text[0] != 0 {
			if b.candidates += len(r.args) - k; b.candidates > maxCandidates {
				return
			}
			r.words(r.args[k:])
			left--
		}
	}
}

// read reads the words in the wrapper's own way.
func (r *running) read() {
	switch r.Reader {
	case "sandbox":
		r.sandbox()
	case "shell", "foreign-shell":
		r.shell()
	case "trap":
		r.trap()
	case "sourced":
		r.sourced()
	case "find":
		r.findExec()
	case "fd":
		r.fd()
	case "parallel":
		r.parallel()
	case "at":
		r.batch()
	case "cmd":
		r.cmd()
	case "powershell":
		r.powershell()
	case "tmux-keys":
		r.keys()
	case "runuser":
		r.runuser()
	case "expression":
		r.expression()
	case "start-process":
		r.startProcess()
	case "sg":
		r.group()
	case "capsh":
		r.capsh()
	case "cargo-watch":
		r.cargoWatch()
	default:
		r.options()
	}
}

// bareProgram reports that the unit begins with the plain name of its program:
// no assignments, no path to who knows what.
func bareProgram(u *unit) bool {
	for _, dir := range []string{"", "/bin/", "/usr/bin/"} {
		if rest, ok := strings.CutPrefix(u.Text, dir); ok && strings.HasPrefix(rest, u.Program+" ") {
			return true
		}
	}
	return false
}
