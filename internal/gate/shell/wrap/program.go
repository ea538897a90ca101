package wrap

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// IsVersioned reports name with a version at its end: pip3, python3.12.
func IsVersioned(program, name string) bool {
	version, ok := strings.CutPrefix(program, name)
	return ok && strings.Trim(version, "0123456789.") == ""
}

// RunsModule returns the module of python that a command runs by an option of
// its own, and the words behind; "" when it runs none that can be told.
func RunsModule(c *catalog.Command, args []argv.Arg) (name string, rest []argv.Arg) {
	if o := optionNamed(c, "-m"); o == nil || o.Role != catalog.RoleModule {
		return "", nil
	}
	for k := 1; k < len(args); k++ {
		t := args[k].Text
		if len(t) < 2 || t[0] != '-' || t == "--" {
			return "", nil
		}
		if t[1] == '-' {
			if o := c.Option(t); o != nil && o.Value == catalog.AnyValue {
				k++
			}
			continue
		}
		for j := 1; j < len(t); j++ {
			o := optionNamed(c, "-"+t[j:j+1])
			if o == nil || o.Value == catalog.NoValue {
				continue
			}
			value := t[j+1:]
			if value == "" {
				if k++; k >= len(args) {
					return "", nil
				}
				value = args[k].Text
			}
			switch {
			case o.Role == catalog.RoleModule && strings.IndexByte(value, 0) < 0:
				return value, args[k+1:]
			case o.Role == catalog.RoleModule || o.Role == catalog.RoleCode:
				return "", nil
			}
			break
		}
	}
	return "", nil
}

func optionNamed(c *catalog.Command, name string) *catalog.Option {
	if c == nil {
		return nil
	}
	return c.Option(name)
}

// moduleEnds are parts of a program's package that start it as its name alone
// does.
var moduleEnds = []string{".__main__", ".__main", "._internal", ".cli", ".main", ".config", ".console", ".cmdline", ".commandline", ".app"}

// ModuleName is the program that a module of python is.
func ModuleName(known *catalog.Catalog, module string) string {
	for _, end := range moduleEnds {
		module = strings.TrimSuffix(module, end)
	}
	if dashed := strings.ReplaceAll(module, "_", "-"); known.Lookup(module) == nil && known.Lookup(dashed) != nil {
		return dashed
	}
	return module
}

// module handles a module of python that an option of a wrapper names: what
// follows are its arguments.
func (r *Call) module(value argv.Arg) {
	value.Text = ModuleName(r.catalogue, value.Text)
	r.words(append([]argv.Arg{value}, r.Args[r.Rest:]...))
}

// enterBin returns the index of the program that a package manager runs in the
// place of a subcommand (`pnpm prisma`), less the options in front of it; 0 when
// the word there is a subcommand.
func (w *Wrapper) enterBin(args []argv.Arg, first int) int {
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
func (r *Call) isProgram(a argv.Arg) bool {
	if r.Holds == nil {
		return true
	}
	return slices.ContainsFunc(r.Holds, func(t string) bool { return strings.Contains(a.Text, t) })
}

// MayRun reports a program that is a runner, or one of whose subcommands is.
func MayRun(known *catalog.Catalog, program string) bool {
	return slices.ContainsFunc(wrappersOf(known, known.Lookup(program)), func(w *Wrapper) bool { return w.Runner || w.Bins })
}
