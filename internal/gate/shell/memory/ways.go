package memory

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
)

// choice is a variable with the things it may hold; nil is something that is
// not known.
type choice struct {
	name string
	ways []*Way
}

// Ways notes for each word of a command what the shell makes of it, where the
// line tells more of that than the word alone: values of variables, braces,
// `$(echo …)`. A way of the command is one value for each variable in it.
func (s Expander) Ways(list []*syntax.Word, args []argv.Arg) {
	if !s.telling(list, args) {
		return
	}
	open := make([]*syntax.Word, 0, len(list))
	for k, w := range list {
		if !args[k].Literal {
			open = append(open, w)
		}
	}
	becomes := make([][][]argv.Arg, len(args))
	s.eachWay(open, !args[0].Literal && len(list[0].Parts) > 1, func(chosen map[string]*Way) {
		for k, w := range list {
			if !args[k].Literal {
				becomes[k] = append(becomes[k], asArgs(s.words(chosen, w), args[k]))
			}
		}
	})
	for k := range args {
		if becomes[k] != nil {
			args[k].Detail = &argv.Detail{Ways: becomes[k]}
		}
	}
}

func asArgs(fields []argv.Text, from argv.Arg) []argv.Arg {
	out := make([]argv.Arg, 0, len(fields))
	for _, f := range fields[:min(len(fields), MaxElements)] {
		out = append(out, f.Arg(from))
	}
	return out
}

// telling reports, at little cost, whether the line may tell what some word
// becomes.
func (s Expander) telling(list []*syntax.Word, args []argv.Arg) bool {
	for k := range args {
		if !args[k].Literal && (k == 0 || len(s.State.known) > 0 || slices.ContainsFunc(list[k].Parts, tells)) {
			return true
		}
	}
	return false
}

// tells reports whether a part of a word may tell what it becomes.
func tells(part syntax.WordPart) bool {
	switch part := part.(type) {
	case *syntax.DblQuoted:
		return slices.ContainsFunc(part.Parts, func(p syntax.WordPart) bool {
			_, literal := p.(*syntax.Lit)
			return !literal && tells(p)
		})
	case *syntax.ParamExp:
		if part.Param == nil || part.Exp != nil || part.Param.Value == "HOME" || part.Param.Value == "PWD" {
			return true
		}
		_, usual := usualValues[part.Param.Value]
		return usual
	case *syntax.CmdSubst:
		return len(part.Stmts) == 1 && bash.WritesText(part.Stmts[0])
	case *syntax.Lit:
		return strings.IndexByte(part.Value, '{') >= 0
	}
	return false
}

// eachWay calls f for each way in which the words may read, with what it makes
// the variables hold. When there are too many, those with the most values are
// taken as not known.
func (s Expander) eachWay(list []*syntax.Word, program bool, f func(chosen map[string]*Way)) {
	choices := s.choices(list, program)
	total := 1
	for _, c := range choices {
		total *= len(c.ways)
		for total > argv.MaxGuesses || total > max(argv.MaxTries-s.State.Tries, 1) {
			most := slices.MaxFunc(choices, func(a, b choice) int { return len(a.ways) - len(b.ways) })
			for k := range choices {
				if choices[k].name == most.name {
					choices[k].ways = []*Way{nil}
				}
			}
			total = 1
			for _, c := range choices {
				total *= len(c.ways)
			}
		}
	}
	if len(choices) == 0 {
		s.State.Tries++
		f(nil)
		return
	}
	s.State.Tries += total
	chosen := make(map[string]*Way, len(choices))
	var each func(left []choice)
	each = func(left []choice) {
		if len(left) == 0 {
			f(chosen)
			return
		}
		for _, w := range left[0].ways {
			chosen[left[0].name] = w
			each(left[1:])
		}
	}
	each(choices)
}

// choices lists the variables in the words that may hold several things. With
// program the first word names a program: that it is glued to what is empty is
// then a reading of its own.
func (s Expander) choices(list []*syntax.Word, program bool) (out []choice) {
	asked := map[string]bool{} // of these it counts whether they are set
	var names []string
	for _, w := range list {
		syntax.Walk(w, func(n syntax.Node) bool {
			x, ok := n.(*syntax.ParamExp)
			if !ok || x.Param == nil {
				return true
			}
			name := x.Param.Value
			if IsPositional(name) {
				name = "@"
			}
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
			asked[name] = asked[name] || x.Exp != nil && conditional(x.Exp.Op) || x.Repl != nil || program && w == list[0]
			return true
		})
	}
	if _, given := s.State.known["IFS"]; given && !slices.Contains(names, "IFS") {
		names = append(names, "IFS")
	}
	for _, name := range names {
		v := s.State.Get(name)
		c := choice{name: name}
		for i := range v.Ways {
			c.ways = append(c.ways, &v.Ways[i])
		}
		if v.Open && asked[name] && !slices.ContainsFunc(v.Ways, UnsetWay.equal) {
			c.ways = append(c.ways, &UnsetWay)
		}
		if v.Open {
			c.ways = append(c.ways, nil)
		}
		if len(c.ways) > 1 {
			out = append(out, c)
		}
	}
	return out
}
