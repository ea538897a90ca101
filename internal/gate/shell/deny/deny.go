package deny

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/model"
	"github.com/pigate/pigate/internal/gate/shell/pwsh"
)

// Pattern is the pattern of a deny rule compiled to match by meaning: its
// options may be clustered or not, long or short, abbreviated, and stand in any
// order and place. `rm -rf *` matches `rm -fr x`, `rm --recursive --force x`
// and `rm x -r -f`.
type Pattern struct {
	known    *catalog.Catalog
	program  string // as Unit.Program has it
	path     string // the first word when it holds a path, which must then be the same
	options  []namedOption
	operands []glob.Pattern // "*" alone stands for any number
	ran      bool           // only what a runner runs is meant
	rest     bool           // other options and operands may be there too
	sub      string         // the subcommand that the unit's first word must be, "" if not told
	alias    bool           // program is one of the names of a command of PowerShell
	cmdlet   *Pattern       // the pattern for that command, nil if its options are not PowerShell's
}

// namedOption is one option that the pattern names.
type namedOption struct {
	name  glob.Pattern // of the option's group
	also  []string     // names of the group that a pattern such as `--force*` begins with
	value glob.Pattern
	given bool // the pattern gives a value
}

// Compile compiles the pattern of a deny rule, as it is written in the
// rule: `*` and `?` are wildcards unless a backslash stands before them. It
// returns false when there is nothing to compare by meaning: the pattern does
// not begin with a literal program. Such a pattern is
// matched as text against Unit.Views, as every pattern is.
//
// Programs are read as known tells.
func Compile(known *catalog.Catalog, pattern string) (Pattern, bool) {
	fields := strings.Fields(pattern)
	if len(fields) == 0 || glob.Compile(fields[0]).Wild() || argv.IsAssignment(fields[0]) || strings.ContainsAny(fields[0], "'\"$`\\") {
		return Pattern{}, false
	}
	program := argv.ProgramName(fields[0])
	if program == "" {
		return Pattern{}, false
	}
	p := compile(known, program, fields)
	if names := pwsh.Names()[program]; names != nil {
		cmdlet := compile(known, strings.ToLower(names[0]), fields)
		letters := slices.ContainsFunc(fields, func(f string) bool { return strings.HasPrefix(f, "-") && len(f) < len("-xyz") })
		if p.alias = true; !letters || !argv.HasField(pwsh.UnixNames, program) {
			p.cmdlet = &cmdlet
		}
	}
	return p, true
}

// compile reads the fields of a pattern as the program would.
func compile(known *catalog.Catalog, program string, fields []string) Pattern {
	p := Pattern{known: known, program: program}
	if strings.Contains(fields[0], "/") {
		p.path = fields[0]
	}
	args := make([]argv.Arg, 0, len(fields))
	for _, f := range fields {
		args = append(args, argv.Arg{Text: unquoteField(f), Literal: true})
	}
	start := argv.SkipGlobal(p.known, p.program, args, 1)
	last := len(args) - 1
	if last >= start {
		if text, ok := strings.CutSuffix(args[last].Text, "*"); ok && !strings.HasSuffix(text, "\\") {
			p.rest = true // "*" alone, or glued to the last word
			if strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "--") && len(text) > 1 {
				args[last].Text = text
			}
		}
	}
	c := newInvocation(p.known, p.program, args[start:])
	for _, o := range c.options {
		d := namedOption{name: glob.Compile(o.name), value: glob.Compile(o.value), given: o.given}
		if d.name.Wild() {
			d.also = c.groupOf(strings.TrimRight(o.name, "*"))
		}
		p.options = append(p.options, d)
	}
	for _, w := range c.operands {
		p.operands = append(p.operands, glob.Compile(w))
		p.rest = p.rest || w == "*"
	}
	if len(p.operands) > 0 && !anyOrder(p.known, p.program) && !isContainerProgram(p.program) {
		p.sub, _ = p.operands[0].Literal()
	}
	return p
}

// OfRunner is the pattern for what a runner runs alone.
func (p Pattern) OfRunner() Pattern {
	p.ran = true
	return p
}

// Program is the program that the pattern denies, as Unit.Program has it. Only
// units of that program can match.
func (p Pattern) Program() string { return p.program }

// Match reports whether the unit does what the pattern denies.
func (p Pattern) Match(u model.Unit) bool {
	if p.program == "" || p.ran && !u.Ran || len(u.Words) == 0 || p.path != "" && u.Words[0].Text != p.path {
		return false
	}
	if u.PowerShell && p.alias && slices.Contains(u.Names(), p.program) && (p.cmdlet != nil && p.cmdlet.matchWords(u.Words) || p.matchWords(unixOptions(u.Words))) {
		return true
	}
	if u.Program != p.program {
		return false
	}
	if p.matchReadings(u.Words) {
		return true
	}
	words := argv.Emptied(p.known, p.program, u.Words)
	return words != nil && p.matchReadings(words)
}

// unixOptions writes the parameters of a command of PowerShell that programs of
// Unix have too as these have them: `rm -rf *` denies `Remove-Item -Recurse
// -Force x`.
func unixOptions(words []argv.Arg) []argv.Arg {
	words = slices.Clone(words)
	for k := range words {
		switch w := strings.ToLower(words[k].Text); {
		case len(w) > 1 && strings.HasPrefix("-recurse", w):
			words[k].Text = "--recursive"
		case len(w) > 2 && strings.HasPrefix("-force", w):
			words[k].Text = "--force"
		}
	}
	return words
}

// matchWords does so for one reading of the words, program first.
func (p Pattern) matchWords(words []argv.Arg) bool {
	return p.matchArgs(words[argv.SkipGlobal(p.known, p.program, words, 1):])
}

// matchArgs does so for one reading of the words after the program and the
// options before its subcommand.
func (p Pattern) matchArgs(args []argv.Arg) bool {
	if p.sub != "" && len(args) > 0 && !strings.HasPrefix(args[0].Text, "-") && canonicalSub(p.known, p.program, args[0].Text) != p.sub && !pwsh.IsCmdlet(p.program) {
		return false
	}
	c := newInvocation(p.known, p.program, args)
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
func (p Pattern) names(o option) bool {
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
func (p Pattern) operandsMatch(c invocation) bool {
	at := 0
	for i, want := range p.operands {
		if want.String() == "*" {
			continue
		}
		fixed := p.fixed(i)
		for {
			if at >= len(c.operands) {
				return false
			}
			at++
			if want.Match(c.operands[at-1], false) {
				break
			}
			if fixed {
				return false
			}
		}
	}
	return true
}

// fixed reports that nothing may stand before the operand numbered i of the
// pattern: it is a subcommand, or a mode as that of chmod.
func (p Pattern) fixed(i int) bool {
	return !p.rest || i == 0 && !pwsh.IsCmdlet(p.program) && (!anyOrder(p.known, p.program) || argv.HasField("chmod chown chgrp", p.program))
}

func (c *invocation) has(want namedOption) bool {
	for _, o := range c.options {
		if want.matches(o) {
			return true
		}
	}
	return false
}

func (d namedOption) matches(o option) bool {
	full, literal := d.name.Literal()
	switch {
	case !literal:
		return d.name.Match(o.name, false) || slices.Contains(d.also, o.name)
	case full != o.name && !slices.Contains(o.or, full) && !o.abbreviates(full):
		return false
	case d.given:
		return o.given && d.value.Match(o.value, false)
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
