package shell

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// enterBin returns the index of the program that a package manager runs in the
// place of a subcommand (`pnpm prisma`), less the options in front of it; 0 when
// the word there is a subcommand.
func (w *wrapping) enterBin(args []argv.Arg, first int) int {
	if first >= len(args) {
		return 0
	}
	word := args[first].Text
	if word == "" || word[0] == '-' || word[0] == 0 {
		return 0
	}
	if w.command.Named(word) != nil {
		return 0
	}
	return 1
}

// isProgram reports whether a word in the program's place is one.
func (r *running) isProgram(a argv.Arg) bool {
	if r.Holds == nil {
		return true
	}
	return slices.ContainsFunc(r.Holds, func(t string) bool { return strings.Contains(a.Text, t) })
}

// asRun gives unit i the words as the program gets them that a runner runs:
// without the version of its package, and without the dashes that the runner
// takes for its own. The text of the unit, which allow rules match, stays as it
// is written.
func (r *running) asRun(i int, args []argv.Arg) []argv.Arg {
	u := &r.source.b.units[i]
	u.Ran = r.Runner
	name := r.Packages.Name(r.source.b.known, args[0].Text)
	dashes := r.Runner && len(args) > 1 && args[1].Text == "--"
	if name == args[0].Text && !dashes {
		return args
	}
	args = slices.Clone(args)
	args[0].Text = name
	if dashes {
		args = slices.Delete(args, 1, 2)
	}
	u.Words = argv.WrittenArgs(args)
	if name != "" && strings.IndexByte(name, 0) < 0 {
		u.Program = argv.ProgramName(name)
	}
	return args
}

// mayRun reports a program that is a runner, or one of whose subcommands is.
func mayRun(known *catalog.Catalog, program string) bool {
	return slices.ContainsFunc(wrappersOf(known, known.Lookup(program)), func(w *wrapping) bool { return w.Runner || w.Bins })
}
