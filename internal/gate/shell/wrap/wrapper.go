package wrap

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// Wrapper is a command that runs another one given in its arguments, made
// ready for reading its words.
type Wrapper struct {
	*catalog.Runs
	command *catalog.Command
	path    [][]string // the names of each subcommand on the way to it
	known   map[string]wrapOption
}

// wrapOption is one option of a wrapper.
type wrapOption struct {
	value catalog.Value
	use   optionUse
}

// optionUse is what an option of a wrapper means for the command.
type optionUse uint8

const (
	plainUse   optionUse = iota
	textUse              // its value is shell text
	commandUse           // what follows is the command
	programUse           // its value is the program
	quitUse              // nothing is run
	shellUse             // a shell is run
	splitUse             // its value is split into words
	expandUse            // its value is expanded
	holderUse            // its value is a placeholder
	fileUse              // the input is another file
	fewUse               // the command gets only so much of the input
	moduleUse            // its value is a module of python, and what follows its arguments
)

var roleUses = map[catalog.Role]optionUse{catalog.RoleShell: textUse, catalog.RoleRun: programUse, catalog.RoleSplit: splitUse,
	catalog.RoleExpand: expandUse, catalog.RoleHolder: holderUse, catalog.RoleList: fileUse, catalog.RolePart: fewUse, catalog.RoleModule: moduleUse}

// wrapperKey is the key of a program's wrappers in what is derived from a catalogue.
type wrapperKey struct{ of *catalog.Program }

// wrappersOf returns the commands of a program that run others, those of longer
// subcommands first.
func wrappersOf(known *catalog.Catalog, p *catalog.Program) []*Wrapper {
	if p == nil {
		return nil
	}
	return known.Derived(wrapperKey{p}, func() any {
		list := newWrappers(&p.Command, nil)
		slices.SortStableFunc(list, func(a, b *Wrapper) int { return cmp.Compare(len(b.path), len(a.path)) })
		return list
	}).([]*Wrapper)
}

func newWrappers(c *catalog.Command, path [][]string) (list []*Wrapper) {
	if c.Runs != nil {
		w := &Wrapper{Runs: c.Runs, command: c, path: path, known: map[string]wrapOption{}}
		w.learn()
		list = append(list, w)
	}
	names := map[*catalog.Command][]string{}
	for name, sub := range c.Subs {
		names[sub] = append(names[sub], name)
	}
	for sub, all := range names {
		list = append(list, newWrappers(sub, append(slices.Clone(path), all))...)
	}
	return list
}

// learn notes the options of the command, with what each means for the one that
// it runs.
func (w *Wrapper) learn() {
	for _, o := range w.command.Visible() {
		for _, name := range o.Names {
			if _, told := w.known[name]; !told && o.Value != catalog.Rest {
				w.known[name] = wrapOption{o.Value, roleUses[o.Role]}
			}
		}
	}
	for _, list := range []struct {
		names []string
		use   optionUse
	}{{w.After, commandUse}, {w.NotWith, quitUse}, {w.ShellWith, shellUse}} {
		for _, name := range list.names {
			w.known[name] = wrapOption{catalog.NoValue, list.use}
		}
	}
}

// style is how the options of the wrapper are written.
func (w *Wrapper) style() catalog.Style {
	if w.command == nil {
		return catalog.StyleGNU
	}
	return w.command.Style
}

// find returns the option that a name spells, also by an unambiguous
// abbreviation.
func (w *Wrapper) find(name string) (o wrapOption, takes catalog.Value, known bool) {
	if w.style() == catalog.StyleNopt {
		name = argv.NoptName(name)
	}
	if o, known = w.known[name]; known {
		return o, o.value, true
	}
	if !strings.HasPrefix(name, "--") || len(name) < 3 {
		return wrapOption{}, catalog.NoValue, false
	}
	n := 0
	for full, each := range w.known {
		if strings.HasPrefix(full, name) {
			o = each
			n++
		}
	}
	switch {
	case n == 1:
		return o, o.value, true
	case w.Unknown == catalog.IsValue:
		return wrapOption{}, catalog.AnyValue, false
	}
	return wrapOption{}, catalog.NoValue, false
}
