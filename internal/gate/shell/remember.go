package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
)

// remember notes what an assignment gives to a variable.
func (s *source) remember(a *syntax.Assign) {
	m := &s.b.memory
	switch {
	case a.Name == nil:
	case a.Index != nil:
		s.rememberElement(a)
	case a.Array != nil:
		v := s.listValue(a.Array)
		if a.Append {
			v = appended(m.get(a.Name.Value), v)
		}
		m.set(a.Name.Value, v)
	case a.Value != nil || !a.Naked:
		v := s.scalarValue(a.Value)
		if a.Append {
			v = appended(m.get(a.Name.Value), v)
		}
		m.set(a.Name.Value, v)
	}
}

// scalarValue is what a variable may hold after it is given the word.
func (s *source) scalarValue(w *syntax.Word) value {
	if w == nil {
		return value{ways: []way{scalar(nil)}}
	}
	if a, _ := bash.Word(w); a.Literal && !a.Tilde() {
		return value{ways: []way{scalar(argv.PlainText(a.Text))}}
	}
	var v value
	s.eachWay([]*syntax.Word{w}, false, func(chosen map[string]*way) {
		if t := s.value(chosen, w); len(t) == 1 && t[0].Kind == argv.Unknown {
			v.open = true
		} else {
			v = v.join(value{ways: []way{scalar(t)}})
		}
	})
	return v
}

// listValue is what an array may hold.
func (s *source) listValue(list *syntax.ArrayExpr) (v value) {
	words := make([]*syntax.Word, 0, len(list.Elems))
	for _, e := range list.Elems {
		if e.Index != nil || e.Value == nil {
			return unknownValue
		}
		words = append(words, e.Value)
	}
	s.eachWay(words, false, func(chosen map[string]*way) {
		w := way{list: true, elems: []argv.Text{}}
		for _, word := range words {
			w.elems = append(w.elems, s.words(chosen, word)...)
		}
		if slices.ContainsFunc(w.elems, argv.Several) {
			v.open = true
		} else {
			v = v.join(value{ways: []way{w}})
		}
	})
	return v
}

// appended is what a variable holds after += .
func appended(before, after value) value {
	out := value{open: before.open || after.open}
	for _, b := range before.ways {
		for _, a := range after.ways {
			switch {
			case a.list:
				out = out.join(value{ways: []way{{list: true, elems: slices.Concat(b.elems, a.elems)}}})
			case b.list:
				out.open = true
			default:
				var t argv.Text
				for _, p := range slices.Concat(b.first(), a.first()) {
					t = t.Add(p)
				}
				out = out.join(value{ways: []way{scalar(t)}})
			}
		}
	}
	return out
}

// rememberElement notes the value of one element of a list.
func (s *source) rememberElement(a *syntax.Assign) {
	m, name := &s.b.memory, a.Name.Value
	n, ok := number(a.Index)
	before := m.get(name)
	if !ok || a.Append || n < 0 || n >= maxElements {
		m.set(name, unknownValue)
		return
	}
	given := s.scalarValue(a.Value)
	if before.open && n == 0 && len(before.ways) == 0 { // the first one
		before.ways = []way{unsetWay}
	}
	out := value{open: before.open || given.open}
	for _, b := range before.ways {
		for _, g := range given.ways {
			if n > len(b.elems) {
				out.open = true
				continue
			}
			elems := append(slices.Clone(b.elems[:n]), g.first())
			if n < len(b.elems) {
				elems = append(elems, b.elems[n+1:]...)
			}
			out = out.join(value{ways: []way{{list: true, elems: elems}}})
		}
	}
	m.set(name, out)
}

// eachOf is what a loop's variable may hold: one of the words.
func (s *source) eachOf(list []*syntax.Word) (v value) {
	s.eachWay(list, false, func(chosen map[string]*way) {
		for _, w := range list {
			for _, t := range s.words(chosen, w) {
				if slices.ContainsFunc(t, func(p argv.Chunk) bool { return p.Kind == argv.Unknown && p.Split }) {
					v.open = true
					continue
				}
				v = v.join(value{ways: []way{scalar(t)}})
			}
		}
	})
	return v
}

// eachElement is what the variable of a loop over a list may hold.
func eachElement(list value) value {
	v := value{open: list.open}
	for _, w := range list.ways {
		for _, e := range w.elems {
			v = v.join(value{ways: []way{scalar(e)}})
		}
	}
	return v
}

// parameters is what the positional parameters hold when args are given.
func parameters(args []argv.Arg) (v value) {
	for _, list := range argv.Variants(args) {
		w := way{list: true, elems: []argv.Text{}}
		for _, a := range list {
			w.elems = append(w.elems, a.Chunks())
		}
		if slices.ContainsFunc(w.elems, argv.Several) {
			v.open = true
		} else {
			v = v.join(value{ways: []way{w}})
		}
	}
	return v
}

// cut returns the first element of a list, and the list of the others.
func (v value) cut() (name, rest value) {
	name.open, rest.open = v.open, v.open
	for _, w := range v.ways {
		if len(w.elems) == 0 {
			name.open, rest.open = true, true
			continue
		}
		name = name.join(value{ways: []way{scalar(w.elems[0])}})
		w.elems = w.elems[1:]
		rest = rest.join(value{ways: []way{w}})
	}
	return name, rest
}

// environment notes the assignments in front of a command, which the shell
// texts that it runs may use, and returns what forgets them. In some shells
// those in front of some builtins stay.
func (s *source) environment(list []*syntax.Assign, program string) (forget func()) {
	if len(list) == 0 {
		return func() {}
	}
	m := &s.b.memory
	before := make(map[string]value, len(list))
	for _, a := range list {
		if a.Name == nil {
			continue
		}
		if _, seen := before[a.Name.Value]; !seen {
			before[a.Name.Value] = m.get(a.Name.Value)
		}
		s.remember(a)
	}
	return func() {
		for name, v := range before {
			if argv.HasField(specialBuiltins, program) || s.b.functions[program].body != nil {
				v = v.join(m.get(name))
			}
			m.set(name, v)
		}
	}
}

// specialBuiltins are those of POSIX: assignments in front of them stay.
const specialBuiltins = ": . break continue eval exec exit export readonly return set shift source times trap unset"

// rememberBuiltin notes the values that a builtin gives to variables.
func (s *source) rememberBuiltin(program string, args []argv.Arg, in feed) {
	m := &s.b.memory
	switch program {
	case "shift":
		s.shift(args)
	case "set":
		s.setParameters(args)
	case "unset":
		for _, a := range args[1:] {
			if name, _, element := strings.Cut(a.Text, "["); element || !a.Literal {
				m.forget(name)
			} else if !strings.HasPrefix(name, "-") {
				m.set(name, value{ways: []way{unsetWay}})
			}
		}
	case "printf":
		s.printfValue(args)
	case "read":
		s.readValues(args, in)
	case "mapfile", "readarray":
		s.listFromInput(args, in)
	case "source", ".", "eval":
		if program != "eval" || slices.ContainsFunc(args, func(a argv.Arg) bool { return !a.Literal }) {
			m.forgetAll()
		}
	}
}

// shift drops positional parameters.
func (s *source) shift(args []argv.Arg) {
	n, v := 1, s.b.memory.get("@")
	if len(args) > 1 {
		var err error
		if n, err = strconv.Atoi(args[1].Text); err != nil || n < 0 {
			v.ways, v.open = nil, true
		}
	}
	out := value{open: v.open}
	for _, w := range v.ways {
		if n <= len(w.elems) { // else nothing is shifted
			w.elems = w.elems[n:]
		}
		out = out.join(value{ways: []way{w}})
	}
	s.b.memory.set("@", out)
}

// setParameters reads `set` with words for the positional parameters.
func (s *source) setParameters(args []argv.Arg) {
	for k := 1; k < len(args); k++ {
		a := args[k]
		switch t := a.Text; {
		case t == "--":
			s.b.memory.set("@", parameters(args[k+1:]))
			return
		case !a.Literal || a.Detail != nil:
			if v := parameters(args[k:]); !slices.ContainsFunc(v.ways, func(w way) bool { return len(w.elems) == 0 || startsDash(w.elems[0]) }) {
				s.b.memory.set("@", v)
			} else {
				s.b.memory.forget("@")
			}
			return
		case len(t) < 2 || t[0] != '-' && t[0] != '+':
			if t == "-" || t == "+" {
				s.b.memory.forget("@")
				return
			}
			s.b.memory.set("@", parameters(args[k:]))
			return
		case strings.HasSuffix(t, "o"):
			k++ // the name of an option
		}
	}
}

func startsDash(t argv.Text) bool {
	return len(t) == 0 || t[0].Kind != argv.Plain || strings.HasPrefix(t[0].Text, "-") || strings.HasPrefix(t[0].Text, "+")
}

// printfValue reads `printf -v name format words`.
func (s *source) printfValue(args []argv.Arg) {
	if len(args) < 4 || args[1].Text != "-v" || !args[2].Literal {
		return
	}
	if strings.IndexByte(args[2].Text, '[') >= 0 {
		return
	}
	var v value
	for _, list := range argv.Variants(args[3:]) {
		var fields []argv.Text
		for _, a := range list {
			fields = append(fields, a.Chunks())
		}
		if t, ok := printed(fields); ok {
			v = v.join(value{ways: []way{scalar(t)}})
		} else {
			v.open = true
		}
	}
	s.b.memory.set(args[2].Text, v)
}

// readValues reads `read -r name…` of an input that the line tells: a line of
// it for each time.
func (s *source) readValues(args []argv.Arg, in feed) {
	names, lines, ok := s.inputFor(args, in, "r")
	ifs := s.b.memory.get("IFS")
	if !ok || len(names) == 0 || len(ifs.ways) != 1 || ifs.open {
		return
	}
	separators, known := ifs.ways[0].first().Plain()
	if !known {
		return
	}
	env := expand.FuncEnviron(func(name string) string {
		if name == "IFS" {
			return separators
		}
		return ""
	})
	values := make([]value, len(names))
	for _, line := range lines {
		fields := expand.ReadFields(&expand.Config{Env: env}, line, len(names), true)
		for k := range names {
			var t argv.Text
			if k < len(fields) {
				t = argv.PlainText(fields[k])
			}
			values[k] = values[k].join(value{ways: []way{scalar(t)}})
		}
	}
	for k, name := range names {
		s.b.memory.set(name, values[k])
	}
}

// listFromInput reads `mapfile -t name`.
func (s *source) listFromInput(args []argv.Arg, in feed) {
	names, lines, ok := s.inputFor(args, in, "t")
	if !ok || len(names) != 1 || !slices.ContainsFunc(args, func(a argv.Arg) bool { return a.Text == "-t" }) {
		return
	}
	w := way{list: true, elems: []argv.Text{}}
	for _, line := range lines {
		w.elems = append(w.elems, argv.PlainText(line))
	}
	s.b.memory.set(names[0], value{ways: []way{w}})
}

// inputFor returns the variables that a builtin names and the lines of its
// input, when both are told and it has no options but the given ones.
func (s *source) inputFor(args []argv.Arg, in feed, options string) (names, lines []string, ok bool) {
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
	if in.stmt == nil {
		return nil, nil, false
	}
	found := s.input(&in, "")
	if !found.known || !found.text.Literal || strings.IndexByte(found.text.Text, '\\') >= 0 || len(found.text.Text) > maxValueText {
		return nil, nil, false
	}
	for line := range strings.Lines(found.text.Text) {
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
		m.local = append(m.local, change{name: a.Name.Value, before: m.get(a.Name.Value)})
		if a.Naked {
			m.also(a.Name.Value, unsetWay)
		}
	}
	before := m.get(a.Name.Value)
	s.remember(a)
	if d.Variant.Value == "local" && s.b.calling == 0 && s.b.defining == "" { // it fails there
		m.set(a.Name.Value, before.join(m.get(a.Name.Value)))
	}
}

// declaredWords are the words of a declaration as far as they are told.
func declaredWords(d *syntax.DeclClause) []string {
	words := make([]string, 0, len(d.Args))
	for _, a := range d.Args {
		switch {
		case a.Name != nil:
			words = append(words, a.Name.Value)
		case a.Value != nil:
			words = append(words, a.Value.Lit())
		}
	}
	return words
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
			m.vague = noted(m.vague, name)
		}
		if program == "readonly" || strings.ContainsRune(flags, 'r') {
			m.firm = noted(m.firm, name)
		}
		m.lost = m.lost || program != "export" && strings.ContainsRune(flags, 'n')
	}
}

func noted(names map[string]bool, name string) map[string]bool {
	if names == nil {
		names = map[string]bool{}
	}
	names[name] = true
	return names
}

// hasBlank reports that the value may hold a blank.
func (v value) hasBlank() bool {
	return slices.ContainsFunc(v.ways, func(w way) bool {
		return len(w.elems) > 1 || slices.ContainsFunc(w.first(), func(p argv.Chunk) bool { return strings.ContainsAny(p.Text, " \t\n") })
	})
}
