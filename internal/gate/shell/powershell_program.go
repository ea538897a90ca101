package shell

import (
	"slices"
	"strings"
	"sync"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/model"
	"github.com/pigate/pigate/internal/gate/shell/pwsh"
	"github.com/pigate/pigate/internal/gate/shell/risk"
)

// run reads what the words of unit i do, and returns what the command writes
// when that is told. What else the words may be, where there are several values
// for them, is read for deny rules.
func (r *psReader) run(i int, words []psWord, piped bool, p place) (value psValue) {
	b := r.source.b
	name := pwsh.ProgramName(argv.ProgramName(withDashes(words[0].told())))
	n := 0
	r.vars.each(words, func(k pick) {
		args := r.vars.args(words, k, pwsh.IsCommand(name))
		if len(args) == 0 {
			return
		}
		if split := windowsArgs(args); split != nil && !pwsh.IsCommand(name) {
			defer r.reading(i, words, split, piped, p)
		}
		if n++; n > 1 {
			r.reading(i, words, args, piped, p)
			value = psValue{}
			return
		}
		if slices.ContainsFunc(words[0].parts, func(part psPart) bool { return part.variable != "" }) {
			b.opaque(i, "the program's name is in a variable")
		}
		r.program(i, words, args, piped, p)
		value = psEchoed(b.units[i].Program, args)
	})
	return value
}

// program reads the words of unit i as a command gets them.
func (r *psReader) program(i int, words []psWord, args []argv.Arg, piped bool, p place) {
	s, b := r.source, r.source.b
	args[0].Text = withDashes(args[0].Text)
	s.name(i, args)
	if u := &b.units[i]; u.Program != "" {
		if u.PowerShell = true; strings.EqualFold(u.Program, args[0].Text) {
			u.Program = pwsh.ProgramName(u.Program)
		}
	}
	program := b.units[i].Program
	s.command(i, args, feed{}, p)
	r.guard(i, program, words, args, piped)
}

// psEchoed is what a command of literal words writes into the pipeline.
func psEchoed(program string, args []argv.Arg) psValue {
	if !argv.HasField("echo write write-output", program) {
		return psValue{}
	}
	v := psValue{known: true}
	for _, a := range args[1:] {
		v.known = v.known && a.Literal && !strings.HasPrefix(a.Text, "-")
		v.list = append(v.list, a.Text)
	}
	return v
}

// reading adds another command that unit i may be, for deny rules. Where
// nothing in it is guarded it needs no rule of its own.
func (r *psReader) reading(i int, words []psWord, args []argv.Arg, piped bool, p place) {
	b := r.source.b
	if b.tries++; b.tries > argv.MaxTries || p.wrappers >= maxWrappers {
		b.opaque(i, "it can be too many commands")
		return
	}
	p = p.under(i, "expansion")
	p.wrappers++
	u := unit{Unit: model.Unit{Via: p.via, Parent: p.parent, Text: argv.QuoteWords(args)}}
	u.Bare, u.body = u.Text, len(u.Text)
	u.Start, u.End = b.units[i].Start, b.units[i].End
	n := b.add(u)
	r.program(n, words, args, piped, p)
	if u := &b.units[n]; !u.Wrapper && u.Opaque == "" {
		u.Wrapper, u.Transparent = true, true
	}
}

// guard marks unit i when its command does more than a rule for its name says,
// or when what it does cannot be told.
func (r *psReader) guard(i int, program string, words []psWord, args []argv.Arg, piped bool) {
	b := r.source.b
	hazard := func(a argv.Arg, h risk.Hazard) {
		h.Start, h.End = r.source.span(a.Start, a.End)
		b.units[i].Hazards = append(b.units[i].Hazards, h)
	}
	cmdlet := pwsh.Cmdlet(program)
	if g := psGuardOf(cmdlet); g != nil && g.never {
		b.opaque(i, "it "+g.why)
	} else if g != nil {
		hazard(args[0], risk.Hazard{Flag: cmdlet, Why: g.why, Kind: g.kind, Form: risk.FormProgram})
	}
	if _, fed := readsCode(b.known, program, args); piped && fed {
		b.opaque(i, "it runs what it reads from its input")
	}
	if argv.HasSubcommands(b.known, program) {
		if k := argv.SkipGlobal(b.known, program, args, 1); k < len(args) && !args[k].Literal {
			b.opaque(i, "the subcommand is not literal")
		}
	}
	if !pwsh.IsCommand(program) {
		return
	}
	if cmdlet == "foreach-object" {
		r.members(words)
	}
	verb, _, _ := strings.Cut(cmdlet, "-")
	for _, a := range args[1:] {
		name, _, _ := strings.Cut(strings.ToLower(a.Text), ":")
		switch {
		case psSets(name) || cmdlet == "tee-object" && len(name) > 1 && strings.HasPrefix("-variable", name):
			r.take(psSetter, psArgument, name)
		case strings.HasPrefix(name, "-redirectstandarde") || strings.HasPrefix(name, "-redirectstandardo"):
			hazard(a, risk.Hazard{Flag: a.Text, Why: "writes a file", Kind: risk.KindWrite, Form: risk.FormWord, Word: a.Text})
		case !argv.HasField(psReadingVerbs, verb) && slices.ContainsFunc(psDrives, func(d string) bool { return inDrive(strings.ToLower(a.Text), d) }):
			hazard(a, risk.Hazard{Flag: a.Text, Why: "changes what names mean", Kind: risk.KindExec, Form: risk.FormWord, Word: a.Text})
		}
	}
}

// inDrive reports a path in a drive, which may be an element of a list and the
// value of a parameter.
func inDrive(path, drive string) bool {
	at := strings.Index(path, drive)
	return at == 0 || at > 0 && strings.IndexByte(`:,\`, path[at-1]) >= 0
}

// members refuses the words of ForEach-Object that name a member.
func (r *psReader) members(words []psWord) {
	value := false
	for _, w := range words[1:] {
		name, given, colon := strings.Cut(strings.ToLower(withDashes(w.told())), ":")
		is := func(list string) bool {
			return len(name) > 1 && slices.ContainsFunc(strings.Fields(list), func(full string) bool { return strings.HasPrefix(full, name) })
		}
		switch {
		case w.block || value:
			value = false
		case strings.HasPrefix(name, "-") && is(psEachValues):
			value = !colon || given == "" && len(w.parts) == 1
		case strings.HasPrefix(name, "-") && is(psEachBlocks) && !colon:
		default:
			r.take(psMember, psArgument, w.told())
		}
	}
}

// psSets reports a parameter that leaves something in a variable.
func psSets(name string) bool {
	if len(name) < 3 || name[0] != '-' {
		return false
	}
	return argv.HasField(psSetterAliases, name) || strings.Contains(name, "v") && slices.ContainsFunc(psSetters, func(full string) bool {
		return strings.HasPrefix(full, name) && len(name) >= len(full)-len("ariable")
	})
}

// psGuardOf returns what is known of a command that does more than its name
// says, nil for others.
func psGuardOf(program string) *psGuard {
	all := psGuardNames()
	if g := all[program]; g != nil {
		return g
	}
	verb, _, _ := strings.Cut(program, "-")
	return all[verb+"-*"]
}

var psGuardNames = sync.OnceValue(func() map[string]*psGuard {
	all := map[string]*psGuard{}
	for k := range psGuards {
		for _, name := range strings.Fields(psGuards[k].commands) {
			all[name] = &psGuards[k]
		}
	}
	return all
})

// windowsArgs returns the words as a program on Windows gets them from a
// PowerShell before 7.3, which writes them into one line without escaping the
// quotes in them, and drops those that are empty. It is nil when that makes no
// difference.
func windowsArgs(args []argv.Arg) (list []argv.Arg) {
	if !slices.ContainsFunc(args[1:], func(a argv.Arg) bool { return a.Text == "" || strings.IndexByte(a.Text, '"') >= 0 }) {
		return nil
	}
	list = append(list, args[0])
	var word strings.Builder
	literal, quoted, open := true, false, false
	end := func(a argv.Arg) {
		if open {
			list = append(list, argv.Arg{Text: word.String(), Literal: literal, Quoted: true, Start: a.Start, End: a.End})
		}
		word.Reset()
		literal, open = true, false
	}
	for _, a := range args[1:] {
		text := a.Text
		if strings.ContainsAny(text, " \t\n") && !blanksQuoted(text) {
			text = `"` + text + `"`
		}
		for k := 0; k < len(text); k++ {
			switch c := text[k]; {
			case c == '\\' && k+1 < len(text) && text[k+1] == '"':
				k++
				word.WriteByte('"')
			case c == '"':
				quoted, open = !quoted, true
			case (c == ' ' || c == '\t' || c == '\n') && !quoted:
				end(a)
			default:
				word.WriteByte(c)
				open = true
			}
			literal = literal && a.Literal
		}
		if !quoted {
			end(a)
		} else {
			word.WriteByte(' ')
		}
	}
	end(args[len(args)-1])
	return list
}

// blanksQuoted reports that all blanks of a word stand between quotes that are in
// it, so that PowerShell adds none.
func blanksQuoted(text string) bool {
	quoted := false
	for _, c := range text {
		if c == '"' {
			quoted = !quoted
		} else if (c == ' ' || c == '\t' || c == '\n') && !quoted {
			return false
		}
	}
	return true
}
