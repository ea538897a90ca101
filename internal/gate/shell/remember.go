package shell

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// remember notes the literal value of a variable for guesses.
func (b *builder) remember(name, value string) {
	if b.values == nil {
		b.values = map[string]string{}
	}
	if len(b.values) < 256 && len(value) < 4096 {
		if old, ok := b.values[name]; ok && old != value {
			b.choose(name, old)
			b.choose(name, value)
		}
		b.values[name] = value
	}
}

// choose notes one of several values of a variable.
func (b *builder) choose(name, value string) {
	if b.choices == nil {
		b.choices = map[string][]string{}
	}
	if list := b.choices[name]; len(list) < maxGuesses && !slices.Contains(list, value) {
		b.choices[name] = append(list, value)
	}
}

// parameters notes the positional parameters that args are, $0 first.
func (b *builder) parameters(args []Arg) {
	var all []string
	for k, a := range args {
		if k == 0 || !a.Literal {
			continue
		}
		if k < 10 {
			b.remember(string(rune('0'+k)), a.Text)
		}
		all = append(all, a.Text)
	}
	b.remember("@", strings.Join(all, " "))
	b.remember("*", strings.Join(all, " "))
}

// wordValues returns what a word may be, as far as the line tells.
func (s *source) wordValues(w *syntax.Word) (list []string) {
	if a, _ := s.arg(w); a.Literal {
		return []string{a.Text}
	} else if !strings.ContainsAny(a.Text, "\x00{") {
		return nil // a pattern
	}
	add := func() {
		if found, ok := s.guessWord(w); ok && len(list) < maxGuesses {
			list = append(list, found...)
		}
	}
	names := s.chosen([]*syntax.Word{w})
	if len(names) == 0 {
		add()
		return list
	}
	left := maxGuesses
	s.eachChoice(names, &left, add)
	return list
}

// rememberAssign notes the value of an assignment for guesses.
func (s *source) rememberAssign(a *syntax.Assign) {
	switch {
	case a.Name == nil || a.Index != nil:
	case a.Array != nil:
		var all []string
		for _, e := range a.Array.Elems {
			if e.Value == nil || e.Index != nil {
				continue
			}
			all = append(all, s.wordValues(e.Value)...)
		}
		for i, value := range all[:min(len(all), maxGuesses)] {
			s.b.remember(a.Name.Value+"["+strconv.Itoa(i)+"]", value)
		}
		if len(all) > 0 {
			s.b.remember(a.Name.Value, all[0])
			s.b.remember(a.Name.Value+"[@]", strings.Join(all, " "))
		}
	case a.Value != nil:
		value, _ := s.arg(a.Value)
		text := value.Text
		if !value.Literal {
			found := s.wordValues(a.Value)
			for _, one := range found {
				s.b.remember(a.Name.Value, one)
			}
			if text = strings.Join(found, " "); len(found) == 0 {
				return
			}
		}
		if a.Append {
			text = s.b.values[a.Name.Value] + text
		}
		s.b.remember(a.Name.Value, text)
	}
}

// environment notes the assignments in front of a command, which the shell
// texts that it runs may use, and returns what forgets them.
func (s *source) environment(list []*syntax.Assign) (forget func()) {
	if len(list) == 0 {
		return func() {}
	}
	before := maps.Clone(s.b.values)
	for _, a := range list {
		s.rememberAssign(a)
	}
	return func() {
		for _, a := range list {
			if a.Name == nil {
				continue
			}
			if old, ok := before[a.Name.Value]; ok {
				s.b.values[a.Name.Value] = old
			} else {
				delete(s.b.values, a.Name.Value)
			}
		}
	}
}

// rememberBuiltin notes the values that a builtin gives to variables.
func (s *source) rememberBuiltin(program string, args []Arg, in feed) {
	switch program {
	case "shift":
		all := strings.Fields(s.b.values["@"])
		n := 1
		if len(args) > 1 {
			n, _ = strconv.Atoi(args[1].Text)
		}
		if len(all) == 0 || n < 0 {
			return
		}
		left := []Arg{{}}
		for _, w := range all[min(n, len(all)):] {
			left = append(left, Arg{Text: w, Literal: true})
		}
		s.b.parameters(left)
	case "printf":
		if len(args) > 3 && args[1].Text == "-v" && args[3].Literal {
			s.b.remember(args[2].Text, formatted(args[3].Text, args[4:]))
		}
	case "read":
		name := args[len(args)-1].Text
		if len(args) < 2 || in.stmt == nil || name == "" || name[0] == '-' {
			return
		}
		found := s.input(&in, "")
		if !found.known || !found.text.Literal {
			return
		}
		for line := range strings.Lines(found.text.Text) {
			s.b.remember(name, strings.TrimSpace(line))
			if words := strings.Fields(line); len(args) > 2 && len(words) > 1 {
				s.b.remember(args[len(args)-2].Text, words[0])
				s.b.remember(name, words[len(words)-1])
			}
		}
	}
}
