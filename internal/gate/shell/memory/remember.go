package memory

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
)

// Remember notes what an assignment gives to a variable.
func (s Expander) Remember(a *syntax.Assign) {
	m := s.State
	switch {
	case a.Name == nil:
	case a.Index != nil:
		s.rememberElement(a)
	case a.Array != nil:
		v := s.listValue(a.Array)
		if a.Append {
			v = appended(m.Get(a.Name.Value), v)
		}
		m.Set(a.Name.Value, v)
	case a.Value != nil || !a.Naked:
		v := s.ScalarValue(a.Value)
		if a.Append {
			v = appended(m.Get(a.Name.Value), v)
		}
		m.Set(a.Name.Value, v)
	}
}

// ScalarValue is what a variable may hold after it is given the word.
func (s Expander) ScalarValue(w *syntax.Word) Value {
	if w == nil {
		return Value{Ways: []Way{Scalar(nil)}}
	}
	if a, _ := bash.Word(w); a.Literal && !a.Tilde() {
		return Value{Ways: []Way{Scalar(argv.PlainText(a.Text))}}
	}
	var v Value
	s.eachWay([]*syntax.Word{w}, false, func(chosen map[string]*Way) {
		if t := s.value(chosen, w); len(t) == 1 && t[0].Kind == argv.Unknown {
			v.Open = true
		} else {
			v = v.Join(Value{Ways: []Way{Scalar(t)}})
		}
	})
	return v
}

// listValue is what an array may hold.
func (s Expander) listValue(list *syntax.ArrayExpr) (v Value) {
	words := make([]*syntax.Word, 0, len(list.Elems))
	for _, e := range list.Elems {
		if e.Index != nil || e.Value == nil {
			return UnknownValue
		}
		words = append(words, e.Value)
	}
	s.eachWay(words, false, func(chosen map[string]*Way) {
		w := Way{List: true, Elems: []argv.Text{}}
		for _, word := range words {
			w.Elems = append(w.Elems, s.words(chosen, word)...)
		}
		if slices.ContainsFunc(w.Elems, argv.Several) {
			v.Open = true
		} else {
			v = v.Join(Value{Ways: []Way{w}})
		}
	})
	return v
}

// appended is what a variable holds after += .
func appended(before, after Value) Value {
	out := Value{Open: before.Open || after.Open}
	for _, b := range before.Ways {
		for _, a := range after.Ways {
			switch {
			case a.List:
				out = out.Join(Value{Ways: []Way{{List: true, Elems: slices.Concat(b.Elems, a.Elems)}}})
			case b.List:
				out.Open = true
			default:
				var t argv.Text
				for _, p := range slices.Concat(b.First(), a.First()) {
					t = t.Add(p)
				}
				out = out.Join(Value{Ways: []Way{Scalar(t)}})
			}
		}
	}
	return out
}

// rememberElement notes the value of one element of a list.
func (s Expander) rememberElement(a *syntax.Assign) {
	m, name := s.State, a.Name.Value
	n, ok := number(a.Index)
	before := m.Get(name)
	if !ok || a.Append || n < 0 || n >= MaxElements {
		m.Set(name, UnknownValue)
		return
	}
	given := s.ScalarValue(a.Value)
	if before.Open && n == 0 && len(before.Ways) == 0 { // the first one
		before.Ways = []Way{UnsetWay}
	}
	out := Value{Open: before.Open || given.Open}
	for _, b := range before.Ways {
		for _, g := range given.Ways {
			if n > len(b.Elems) {
				out.Open = true
				continue
			}
			elems := append(slices.Clone(b.Elems[:n]), g.First())
			if n < len(b.Elems) {
				elems = append(elems, b.Elems[n+1:]...)
			}
			out = out.Join(Value{Ways: []Way{{List: true, Elems: elems}}})
		}
	}
	m.Set(name, out)
}

// EachOf is what a loop's variable may hold: one of the words.
func (s Expander) EachOf(list []*syntax.Word) (v Value) {
	s.eachWay(list, false, func(chosen map[string]*Way) {
		for _, w := range list {
			for _, t := range s.words(chosen, w) {
				if slices.ContainsFunc(t, func(p argv.Chunk) bool { return p.Kind == argv.Unknown && p.Split }) {
					v.Open = true
					continue
				}
				v = v.Join(Value{Ways: []Way{Scalar(t)}})
			}
		}
	})
	return v
}

// EachElement is what the variable of a loop over a list may hold.
func EachElement(list Value) Value {
	v := Value{Open: list.Open}
	for _, w := range list.Ways {
		for _, e := range w.Elems {
			v = v.Join(Value{Ways: []Way{Scalar(e)}})
		}
	}
	return v
}

// Parameters is what the positional parameters hold when args are given.
func Parameters(args []argv.Arg) (v Value) {
	for _, list := range argv.Variants(args) {
		w := Way{List: true, Elems: []argv.Text{}}
		for _, a := range list {
			w.Elems = append(w.Elems, a.Chunks())
		}
		if slices.ContainsFunc(w.Elems, argv.Several) {
			v.Open = true
		} else {
			v = v.Join(Value{Ways: []Way{w}})
		}
	}
	return v
}

// Cut returns the first element of a list, and the list of the others.
func (v Value) Cut() (name, rest Value) {
	name.Open, rest.Open = v.Open, v.Open
	for _, w := range v.Ways {
		if len(w.Elems) == 0 {
			name.Open, rest.Open = true, true
			continue
		}
		name = name.Join(Value{Ways: []Way{Scalar(w.Elems[0])}})
		w.Elems = w.Elems[1:]
		rest = rest.Join(Value{Ways: []Way{w}})
	}
	return name, rest
}

// Environment notes the assignments in front of a command, which the shell
// texts that it runs may use, and returns what forgets them. In some shells
// those in front of some builtins stay.
func (s Expander) Environment(list []*syntax.Assign, program string) (forget func()) {
	if len(list) == 0 {
		return func() {}
	}
	m := s.State
	before := make(map[string]Value, len(list))
	for _, a := range list {
		if a.Name == nil {
			continue
		}
		if _, seen := before[a.Name.Value]; !seen {
			before[a.Name.Value] = m.Get(a.Name.Value)
		}
		s.Remember(a)
	}
	return func() {
		for name, v := range before {
			if argv.HasField(specialBuiltins, program) || s.IsFunction(program) {
				v = v.Join(m.Get(name))
			}
			m.Set(name, v)
		}
	}
}

// specialBuiltins are those of POSIX: assignments in front of them stay.
const specialBuiltins = ": . break continue eval exec exit export readonly return set shift source times trap unset"

// Shift drops positional parameters.
func (m *State) Shift(args []argv.Arg) {
	n, v := 1, m.Get("@")
	if len(args) > 1 {
		var err error
		if n, err = strconv.Atoi(args[1].Text); err != nil || n < 0 {
			v.Ways, v.Open = nil, true
		}
	}
	out := Value{Open: v.Open}
	for _, w := range v.Ways {
		if n <= len(w.Elems) { // else nothing is shifted
			w.Elems = w.Elems[n:]
		}
		out = out.Join(Value{Ways: []Way{w}})
	}
	m.Set("@", out)
}

// SetParameters reads `set` with words for the positional parameters.
func (m *State) SetParameters(args []argv.Arg) {
	for k := 1; k < len(args); k++ {
		a := args[k]
		switch t := a.Text; {
		case t == "--":
			m.Set("@", Parameters(args[k+1:]))
			return
		case !a.Literal || a.Detail != nil:
			if v := Parameters(args[k:]); !slices.ContainsFunc(v.Ways, func(w Way) bool { return len(w.Elems) == 0 || startsDash(w.Elems[0]) }) {
				m.Set("@", v)
			} else {
				m.Forget("@")
			}
			return
		case len(t) < 2 || t[0] != '-' && t[0] != '+':
			if t == "-" || t == "+" {
				m.Forget("@")
				return
			}
			m.Set("@", Parameters(args[k:]))
			return
		case strings.HasSuffix(t, "o"):
			k++ // the name of an option
		}
	}
}

func startsDash(t argv.Text) bool {
	return len(t) == 0 || t[0].Kind != argv.Plain || strings.HasPrefix(t[0].Text, "-") || strings.HasPrefix(t[0].Text, "+")
}

// PrintfValue reads `printf -v name format words`.
func (m *State) PrintfValue(args []argv.Arg) {
	if len(args) < 4 || args[1].Text != "-v" || !args[2].Literal {
		return
	}
	if strings.IndexByte(args[2].Text, '[') >= 0 {
		return
	}
	var v Value
	for _, list := range argv.Variants(args[3:]) {
		var fields []argv.Text
		for _, a := range list {
			fields = append(fields, a.Chunks())
		}
		if t, ok := printed(fields); ok {
			v = v.Join(Value{Ways: []Way{Scalar(t)}})
		} else {
			v.Open = true
		}
	}
	m.Set(args[2].Text, v)
}

func noted(names map[string]bool, name string) map[string]bool {
	if names == nil {
		names = map[string]bool{}
	}
	names[name] = true
	return names
}

// HasBlank reports that the value may hold a blank.
func (v Value) HasBlank() bool {
	return slices.ContainsFunc(v.Ways, func(w Way) bool {
		return len(w.Elems) > 1 || slices.ContainsFunc(w.First(), func(p argv.Chunk) bool { return strings.ContainsAny(p.Text, " \t\n") })
	})
}
