package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/memory"
	"github.com/pigate/pigate/internal/gate/shell/wrap"
)

// rememberBuiltin notes the values that a builtin gives to variables.
func (s *source) rememberBuiltin(program string, args []argv.Arg, in wrap.Feed) {
	m := &s.b.memory
	switch program {
	case "shift":
		m.Shift(args)
	case "set":
		m.SetParameters(args)
	case "unset":
		for _, a := range args[1:] {
			if name, _, element := strings.Cut(a.Text, "["); element || !a.Literal {
				m.Forget(name)
			} else if !strings.HasPrefix(name, "-") {
				m.Set(name, memory.Value{Ways: []memory.Way{memory.UnsetWay}})
			}
		}
	case "printf":
		m.PrintfValue(args)
	case "read":
		s.readValues(args, in)
	case "mapfile", "readarray":
		s.listFromInput(args, in)
	case "source", ".", "eval":
		if program != "eval" || slices.ContainsFunc(args, func(a argv.Arg) bool { return !a.Literal }) {
			m.ForgetAll()
		}
	}
}

// readValues reads `read -r name…` of an input that the line tells: a line of
// it for each time.
func (s *source) readValues(args []argv.Arg, in wrap.Feed) {
	names, lines, ok := s.inputFor(args, in, "r")
	ifs := s.b.memory.Get("IFS")
	if !ok || len(names) == 0 || len(ifs.Ways) != 1 || ifs.Open {
		return
	}
	separators, known := ifs.Ways[0].First().Plain()
	if !known {
		return
	}
	env := expand.FuncEnviron(func(name string) string {
		if name == "IFS" {
			return separators
		}
		return ""
	})
	values := make([]memory.Value, len(names))
	for _, line := range lines {
		fields := expand.ReadFields(&expand.Config{Env: env}, line, len(names), true)
		for k := range names {
			var t argv.Text
			if k < len(fields) {
				t = argv.PlainText(fields[k])
			}
			values[k] = values[k].Join(memory.Value{Ways: []memory.Way{memory.Scalar(t)}})
		}
	}
	for k, name := range names {
		s.b.memory.Set(name, values[k])
	}
}

// listFromInput reads `mapfile -t name`.
func (s *source) listFromInput(args []argv.Arg, in wrap.Feed) {
	names, lines, ok := s.inputFor(args, in, "t")
	if !ok || len(names) != 1 || !slices.ContainsFunc(args, func(a argv.Arg) bool { return a.Text == "-t" }) {
		return
	}
	w := memory.Way{List: true, Elems: []argv.Text{}}
	for _, line := range lines {
		w.Elems = append(w.Elems, argv.PlainText(line))
	}
	s.b.memory.Set(names[0], memory.Value{Ways: []memory.Way{w}})
}

// inputFor returns the variables that a builtin names and the lines of its
// input, when both are told and it has no options but the given ones.
func (s *source) inputFor(args []argv.Arg, in wrap.Feed, options string) (names, lines []string, ok bool) {
	for _, a := range args[1:] {
		switch {
		case !a.Literal:
			return nil, nil, false
		case strings.HasPrefix(a.Text, "-") && len(names) == 0:
			if strings.Trim(a.Text[1:], options) != "" {
				return nil, nil, false
			}
		case !syntax.ValidName(a.Text):
			return nil, nil, false
		default:
			names = append(names, a.Text)
		}
	}
	if in.Stmt == nil {
		return nil, nil, false
	}
	found := in.Input("")
	if !found.Known || !found.Text.Literal || strings.IndexByte(found.Text.Text, '\\') >= 0 || len(found.Text.Text) > memory.MaxValueText {
		return nil, nil, false
	}
	for line := range strings.Lines(found.Text.Text) {
		lines = append(lines, strings.TrimSuffix(line, "\n"))
	}
	return names, lines, true
}

// declare notes the value that a declaration gives to a variable. Within a
// function the name may be its own.
func (s *source) declare(d *syntax.DeclClause, a *syntax.Assign) {
	m := &s.b.memory
	if a.Name == nil {
		return
	}
	if v := d.Variant.Value; s.b.calling > 0 && v != "export" && v != "readonly" {
		m.Local = append(m.Local, memory.Change{Name: a.Name.Value, Before: m.Get(a.Name.Value)})
		if a.Naked {
			m.Also(a.Name.Value, memory.UnsetWay)
		}
	}
	before := m.Get(a.Name.Value)
	s.expander().Remember(a)
	if d.Variant.Value == "local" && s.b.calling == 0 && s.b.defining == "" { // it fails there
		m.Set(a.Name.Value, before.Join(m.Get(a.Name.Value)))
	}
}

// declared notes the attributes by which a variable's value is not the text
// that it is given, or stays what it is.
func (s *source) declared(program string, words []string) {
	m := &s.b.memory
	var flags string
	for _, w := range words {
		if w == "" || w[0] == '-' || w[0] == '+' || w[0] == 0 {
			if flags += w; w == "" || w[0] == 0 {
				flags += "i" // what it says is not known
			}
			continue
		}
		name, _, _ := strings.Cut(w, "=")
		name, _, _ = strings.Cut(strings.TrimSuffix(name, "+"), "[")
		if strings.ContainsRune(flags, 'f') {
			if f, ok := s.b.functions[name]; ok && (program == "export" || strings.ContainsRune(flags, 'x')) {
				f.missed = true // another shell may call it
				s.b.functions[name] = f
			}
			continue
		}
		if strings.ContainsAny(flags, "iulcA") {
			m.MarkVague(name)
		}
		if program == "readonly" || strings.ContainsRune(flags, 'r') {
			m.MarkFirm(name)
		}
		m.Lost = m.Lost || program != "export" && strings.ContainsRune(flags, 'n')
	}
}
