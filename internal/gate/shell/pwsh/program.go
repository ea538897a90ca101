package pwsh

import (
	"slices"
	"strings"
	"sync"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// run reads what the words of a command do, and returns what it writes when that
// is told. What else the words may be, where there are several values for them,
// is a reading of its own.
func (r *reader) run(c *Command, words []psWord) (value psValue) {
	name := ProgramName(argv.ProgramName(WithDashes(words[0].told())))
	r.vars.each(words, func(k pick) {
		args := r.vars.args(words, k, IsCommand(name))
		if len(args) == 0 {
			return
		}
		split := windowsArgs(args)
		first := len(c.Readings) == 0
		reading := r.reading(words, args)
		c.Readings = append(c.Readings, reading)
		if value = (psValue{}); first {
			c.Unnamed = slices.ContainsFunc(words[0].parts, func(part psPart) bool { return part.variable != "" })
			value = echoed(reading.Program, args)
		}
		if split != nil && !IsCommand(name) {
			c.Readings = append(c.Readings, r.reading(words, split))
		}
	})
	return value
}

// reading reads the words as a command gets them.
func (r *reader) reading(words []psWord, args []argv.Arg) Reading {
	args[0].Text = WithDashes(args[0].Text)
	out := Reading{Args: args}
	if argv.Nameless(args[0]) == "" {
		if out.Program = argv.ProgramName(args[0].Text); strings.EqualFold(out.Program, args[0].Text) {
			out.Program = ProgramName(out.Program)
		}
	}
	r.guard(&out, words)
	return out
}

// echoed is what a command of literal words writes into the pipeline.
func echoed(program string, args []argv.Arg) psValue {
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

// guard marks a command that does more than a rule for its name says, or of which
// what it does cannot be told.
func (r *reader) guard(out *Reading, words []psWord) {
	cmdlet := Cmdlet(out.Program)
	if g := guardOf(cmdlet); g != nil && g.never {
		out.Opaque = "it " + g.why
	} else if g != nil {
		out.Marks = append(out.Marks, Mark{Arg: out.Args[0], Flag: cmdlet, Why: g.why, Kind: g.kind, Named: true})
	}
	if !IsCommand(out.Program) {
		return
	}
	if cmdlet == "foreach-object" {
		r.members(words)
	}
	verb, _, _ := strings.Cut(cmdlet, "-")
	for _, a := range out.Args[1:] {
		name, _, _ := strings.Cut(strings.ToLower(a.Text), ":")
		switch {
		case setsVariable(name) || cmdlet == "tee-object" && len(name) > 1 && strings.HasPrefix("-variable", name):
			r.take(formSetter, inArgument, name)
		case strings.HasPrefix(name, "-redirectstandarde") || strings.HasPrefix(name, "-redirectstandardo"):
			out.Marks = append(out.Marks, Mark{Arg: a, Flag: a.Text, Why: "writes a file", Kind: catalog.KindWrite})
		case !argv.HasField(readingVerbs, verb) && slices.ContainsFunc(drives, func(d string) bool { return inDrive(strings.ToLower(a.Text), d) }):
			out.Marks = append(out.Marks, Mark{Arg: a, Flag: a.Text, Why: "changes what names mean", Kind: catalog.KindExec})
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
func (r *reader) members(words []psWord) {
	value := false
	for _, w := range words[1:] {
		name, given, colon := strings.Cut(strings.ToLower(WithDashes(w.told())), ":")
		is := func(list string) bool {
			return len(name) > 1 && slices.ContainsFunc(strings.Fields(list), func(full string) bool { return strings.HasPrefix(full, name) })
		}
		switch {
		case w.block || value:
			value = false
		case strings.HasPrefix(name, "-") && is(eachValues):
			value = !colon || given == "" && len(w.parts) == 1
		case strings.HasPrefix(name, "-") && is(eachBlocks) && !colon:
		default:
			r.take(formMember, inArgument, w.told())
		}
	}
}

// setsVariable reports a parameter that leaves something in a variable.
func setsVariable(name string) bool {
	if len(name) < 3 || name[0] != '-' {
		return false
	}
	return argv.HasField(setterAliases, name) || strings.Contains(name, "v") && slices.ContainsFunc(setters, func(full string) bool {
		return strings.HasPrefix(full, name) && len(name) >= len(full)-len("ariable")
	})
}

// guardOf returns what is known of a command that does more than its name
// says, nil for others.
func guardOf(program string) *guardEntry {
	all := guardNames()
	if g := all[program]; g != nil {
		return g
	}
	verb, _, _ := strings.Cut(program, "-")
	return all[verb+"-*"]
}

var guardNames = sync.OnceValue(func() map[string]*guardEntry {
	all := map[string]*guardEntry{}
	for k := range guardEntries {
		for _, name := range strings.Fields(guardEntries[k].commands) {
			all[name] = &guardEntries[k]
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
