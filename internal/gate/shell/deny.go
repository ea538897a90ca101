package shell

import (
	"slices"
	"strings"
)

// DenyPattern is the pattern of a deny rule compiled to match by meaning: its
// options may be clustered or not, long or short, abbreviated, and stand in any
// order and place. `rm -rf *` matches `rm -fr x`, `rm --recursive --force x`
// and `rm x -r -f`.
type DenyPattern struct {
	program  string // as Unit.Program has it
	path     string // the first word when it holds a path, which must then be the same
	options  []denyOption
	operands []string // wildcard patterns; "*" alone stands for any number
	rest     bool     // other options and operands may be there too
	ran      bool     // only what a runner runs is meant
	sub      string   // the subcommand that the unit's first word must be, "" if not told
}

// denyOption is one option that the pattern names.
type denyOption struct {
	name  string   // of the option's group, or a wildcard pattern
	wild  bool     // name is a pattern
	also  []string // names of the group that a pattern such as `--force*` begins with
	value string   // a wildcard pattern
	given bool     // the pattern gives a value
}

// CompileDeny compiles the pattern of a deny rule, as it is written in the
// rule: `*` and `?` are wildcards unless a backslash stands before them. It
// returns false when there is nothing to compare by meaning: the pattern does
// not begin with a literal program. Such a pattern is
// matched as text against Unit.Views, as every pattern is.
func CompileDeny(pattern string) (DenyPattern, bool) {
	fields := strings.Fields(pattern)
	if len(fields) == 0 || isWild(fields[0]) || isAssignment(fields[0]) || strings.ContainsAny(fields[0], "'\"$`\\") {
		return DenyPattern{}, false
	}
	p := DenyPattern{program: programName(fields[0])}
	if p.program == "" {
		return DenyPattern{}, false
	}
	if strings.Contains(fields[0], "/") {
		p.path = fields[0]
	}
	args := make([]Arg, 0, len(fields))
	for _, f := range fields {
		args = append(args, Arg{Text: unquoteField(f), Literal: true})
	}
	start := skipGlobal(p.program, args, 1)
	last := len(args) - 1
	if last >= start {
		if text, ok := strings.CutSuffix(args[last].Text, "*"); ok && !strings.HasSuffix(text, "\\") {
			p.rest = true // "*" alone, or glued to the last word
			if strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "--") && len(text) > 1 {
				args[last].Text = text
			}
		}
	}
	c := newReadOptions(p.program, args[start:])
	for _, o := range c.options {
		d := denyOption{name: o.name, value: o.value, given: o.given}
		if d.wild = isWild(d.name); d.wild {
			d.also = c.groupOf(strings.TrimRight(d.name, "*"))
		}
		p.options = append(p.options, d)
	}
	for _, w := range c.operands {
		p.operands = append(p.operands, w)
		p.rest = p.rest || w == "*"
	}
	if len(p.operands) > 0 && !isWild(p.operands[0]) && !strings.Contains(p.operands[0], `\`) && !anyOrder(p.program) && !isContainerProgram(p.program) {
		p.sub = p.operands[0]
	}
	return p, true
}

// Program is the program that the pattern denies, as Unit.Program has it. Only
// units of that program can match.
func (p DenyPattern) Program() string { return p.program }

// Match reports whether the unit does what the pattern denies.
func (p DenyPattern) Match(u Unit) bool {
	if p.program == "" || u.Program != p.program || p.ran && !u.ran || len(u.words) == 0 || p.path != "" && u.words[0].Text != p.path {
		return false
	}
	if p.matchReadings(u.words) {
		return true
	}
	words := emptied(p.program, u.words)
	return words != nil && p.matchReadings(words)
}

// matchArgs does so for one reading of the words after the program and the
// options before its subcommand.
func (p DenyPattern) matchArgs(args []Arg) bool {
	if p.sub != "" && len(args) > 0 && !strings.HasPrefix(args[0].Text, "-") && canonicalSub(p.program, args[0].Text) != p.sub && !isCmdlet(p.program) {
		return false
	}
	c := newReadOptions(p.program, args)
	for _, want := range p.options {
		if !c.has(want) {
			return false
		}
	}
	if !p.rest {
		if len(c.operands) != len(p.operands) {
			return false
		}
		for _, o := range c.options {
			if o.name != "--" && !p.names(o) {
				return false
			}
		}
	}
	return p.operandsMatch(c)
}

// names reports whether the pattern names the option.
func (p DenyPattern) names(o readOption) bool {
	for _, want := range p.options {
		if want.matches(o) {
			return true
		}
	}
	return false
}

// operandsMatch compares operands in order. Others may stand between them if
// the pattern says so with a wildcard; the first is a subcommand where the
// program has any, and then nothing may stand before it.
func (p DenyPattern) operandsMatch(c readOptions) bool {
	at := 0
	for i, want := range p.operands {
		if want == "*" {
			continue
		}
		fixed := !p.rest || i == 0 && !anyOrder(p.program)
		for {
			if at >= len(c.operands) {
				return false
			}
			at++
			if wildMatch(want, c.operands[at-1]) {
				break
			}
			if fixed {
				return false
			}
		}
	}
	return true
}

func (c *readOptions) has(want denyOption) bool {
	for _, o := range c.options {
		if want.matches(o) {
			return true
		}
	}
	return false
}

func (d denyOption) matches(o readOption) bool {
	switch {
	case d.wild:
		return wildMatch(d.name, o.name) || slices.Contains(d.also, o.name)
	case d.name != o.name && !slices.Contains(o.or, d.name) && !o.abbreviates(d.name):
		return false
	case d.given:
		return o.given && wildMatch(d.value, o.value)
	}
	return true
}

// unquoteField removes the quotes around a word of a rule.
func unquoteField(f string) string {
	if n := len(f); n >= 2 && (f[0] == '\'' || f[0] == '"') && f[n-1] == f[0] {
		return f[1 : n-1]
	}
	return f
}

// isWild reports whether the text holds a wildcard.
func isWild(text string) bool {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '*', '?':
			return true
		}
	}
	return false
}

// wildMatch reports whether the pattern, in which `*` is any text and `?` one
// character, matches all of text.
func wildMatch(pattern, text string) bool {
	star, mark := -1, 0
	p, t := 0, 0
	for t < len(text) {
		if p < len(pattern) {
			switch c := pattern[p]; {
			case c == '*':
				star, mark = p, t
				p++
				continue
			case c == '?':
				p++
				for t++; t < len(text) && text[t]&0xc0 == 0x80; t++ {
				}
				continue
			case c == '\\' && p+1 < len(pattern) && strings.IndexByte(`*?\`, pattern[p+1]) >= 0:
				if pattern[p+1] == text[t] {
					p += 2
					t++
					continue
				}
			case c == text[t]:
				p++
				t++
				continue
			}
		}
		if star < 0 {
			return false
		}
		p = star + 1
		mark++
		t = mark
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
