package shell

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
	"github.com/pigate/pigate/internal/gate/shell/memory"
)

// setters are the builtins that set the variables named in their words, with
// their options that take a value.
var setters = map[string]string{"read": "adinNptu", "mapfile": "dnOsuCc", "readarray": "dnOsuCc", "printf": "v", "getopts": "", "wait": "p",
	"local": "", "declare": "", "typeset": "", "export": "", "readonly": "", "unset": "", "let": "", "test": "", "[": "", "set": ""}

// builtin notes the variables that a builtin sets, and its words which bash
// evaluates a second time.
func (s *source) builtin(i int, program string, args []argv.Arg, p place) {
	values, known := setters[program]
	if !known {
		return
	}
	defer func(before int) { s.b.current = before }(s.b.current)
	s.b.current = i
	switch program {
	case "let":
		for _, a := range args[1:] {
			s.letText(i, a, p)
		}
		return
	case "set":
		s.setOptions(i, args)
		return
	case "test", "[":
		for k := 1; k+1 < len(args); k++ {
			if t := args[k].Text; (t == "-v" || t == "-R") && argv.HasHole(args[k+1].Text) {
				s.b.opaque(i, evaluatesAgain)
			} else if t == "-v" || t == "-R" {
				s.subscriptNames(i, args[k+1].Text)
			}
		}
		return
	}
	operands := s.optionNames(i, program, values, args, p)
	switch program {
	case "mapfile", "readarray":
		operands = operands[:min(len(operands), 1)]
	case "getopts":
		operands = operands[min(len(operands), 1):min(len(operands), 2)]
	case "printf", "wait":
		return
	}
	if bash.IsDeclaration(program) && bash.PrintsOnly(args) {
		return
	}
	if bash.IsDeclaration(program) {
		words := make([]string, 0, len(args))
		for _, a := range args[1:] {
			words = append(words, a.Text)
		}
		defer s.declared(program, words)
	}
	references := program != "export" && program != "readonly" && bash.IsDeclaration(program) && len(args) > 1 && strings.HasPrefix(args[1].Text, "-") && strings.IndexByte(args[1].Text, 'n') > 0
	for _, a := range operands {
		s.setWord(i, program, a, p)
		if _, target, ok := strings.Cut(a.Text, "="); references && (!ok || strings.ContainsAny(target, argv.Hole+"$`")) {
			s.b.opaque(i, "the name of the variable it sets is not literal")
		} else if references {
			s.named(target, a.Start, a.End, p)
		}
	}
}

// subscriptNames notes the names in the subscript of a variable, which is
// evaluated.
func (s *source) subscriptNames(i int, word string) {
	if _, subscript, ok := strings.Cut(word, "["); ok {
		bash.EachName(subscript, func(name, _ string) {
			s.b.vars.Uses = append(s.b.vars.Uses, memory.Use{Unit: i, Name: name})
		})
	}
}

// optionNames notes the variables that options name (`printf -v NAME`), and
// returns the operands.
func (s *source) optionNames(i int, program, values string, args []argv.Arg, p place) []argv.Arg {
	k := 1
	for k < len(args) {
		t := args[k].Text
		if t == "--" {
			k++
			break
		}
		if len(t) < 2 || t[0] != '-' && !(t[0] == '+' && bash.IsDeclaration(program)) {
			break
		}
		a := args[k]
		k++
		for j := 1; j < len(t); j++ {
			if strings.IndexByte(values, t[j]) < 0 {
				continue
			}
			a.Text = t[j+1:]
			if a.Text == "" && k < len(args) {
				a = args[k]
				k++
			}
			if (program == "printf" || program == "wait" || program == "read" && t[j] == 'a') && a.Text != "" {
				s.setWord(i, program, a, p)
			}
			break
		}
	}
	return args[min(k, len(args)):]
}

// setWord notes the variable that a word names: NAME, NAME=value or NAME[…].
func (s *source) setWord(i int, program string, a argv.Arg, p place) {
	name, value, assigns := strings.Cut(a.Text, "=")
	s.subscriptNames(i, name)
	name, _, _ = strings.Cut(strings.TrimSuffix(name, "+"), "[")
	if argv.HasHole(name) {
		s.b.opaque(i, "the name of the variable it sets is not literal")
		return
	}
	if program == "unset" {
		if name != "PATH" {
			return
		}
	} else if bash.IsDeclaration(program) {
		if a.Quoted && assigns && strings.HasPrefix(strings.TrimLeft(value, " \t\n"), "(") {
			s.listText(i, a, value, p)
		}
		if !assigns {
			return
		}
	}
	if !assigns || a.Quoted || !bash.IsDeclaration(program) {
		s.b.doubt(name)
	}
	s.named(name, a.Start, a.End, p)
}

// listText reads a list in quotes, which a declaration reads as shell text.
func (s *source) listText(i int, a argv.Arg, value string, p place) {
	if strings.ContainsAny(value, argv.Hole+"$`") {
		s.b.opaque(i, "it evaluates the text of a list")
	}
	s.hidden(value, a.Start, a.End, p)
}

// letText reads an expression given to `builtin let`.
func (s *source) letText(i int, a argv.Arg, p place) {
	if !a.Literal {
		s.b.opaque(i, evaluatesAgain)
	}
	bash.EachName(a.Text, func(name, rest string) {
		s.b.vars.Uses = append(s.b.vars.Uses, memory.Use{Unit: i, Name: name})
		if bash.AssignsNext(rest) {
			s.named(name, a.Start, a.End, p)
		}
	})
}

// setOptions reads `set`: with -k every NAME=value word sets a variable.
func (s *source) setOptions(i int, args []argv.Arg) {
	for k := 1; k < len(args); k++ {
		t := args[k].Text
		if t == "--" || len(t) < 2 || t[0] != '-' && t[0] != '+' {
			return
		}
		keyword := t[0] == '-' && strings.IndexByte(t, 'k') > 0
		if strings.HasSuffix(t, "o") && k+1 < len(args) {
			k++
			keyword = keyword || args[k].Text == "keyword" || !args[k].Literal
		}
		if keyword {
			s.b.opaque(i, "after it every NAME=value word sets a variable")
		}
	}
}
