package shell

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// moduleProgram adds the program that a module of python is (`python -m alembic`),
// and the pip that pip3 is, for deny rules; what is guarded in it is found in the
// command as it is written.
func (s *source) moduleProgram(i int, program string, known *catalog.Program, args []argv.Arg, in feed, p place) {
	name, rest := "pip", args[1:]
	if program == name || !isVersioned(program, name) {
		if known == nil || !known.Modules {
			return
		}
		if name, rest = runsModule(&known.Command, args); name == "" {
			return
		}
	}
	r := running{wrapping: gitProgram, source: s, unit: i, args: args, in: in, place: p, wrappers: p.wrappers + 1, step: program}
	for name != "" && r.wrappers <= maxWrappers {
		n := len(s.b.units)
		at := argv.Arg{Text: moduleName(s.b.known, name), Literal: true, Quoted: true, Start: args[0].Start, End: args[0].End}
		r.words(append([]argv.Arg{at}, rest...))
		if n < len(s.b.units) {
			s.b.units[n].Hazards = nil
		}
		m := s.b.known.Module(strings.ToLower(name))
		if m == nil {
			return
		}
		// A module that runs another one, as a profiler does.
		name, rest = runsModule(&m.Command, append([]argv.Arg{at}, rest...))
		r.wrappers++
	}
}

// isVersioned reports name with a version at its end: pip3, python3.12.
func isVersioned(program, name string) bool {
	version, ok := strings.CutPrefix(program, name)
	return ok && strings.Trim(version, "0123456789.") == ""
}

// runsModule returns the module of python that a command runs by an option of
// its own, and the words behind; "" when it runs none that can be told.
func runsModule(c *catalog.Command, args []argv.Arg) (name string, rest []argv.Arg) {
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

// moduleName is the program that a module of python is.
func moduleName(known *catalog.Catalog, module string) string {
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
func (r *running) module(value argv.Arg) {
	value.Text = moduleName(r.source.b.known, value.Text)
	r.words(append([]argv.Arg{value}, r.args[r.rest:]...))
}
