package shell

import (
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
	"github.com/pigate/pigate/internal/gate/shell/model"
	"github.com/pigate/pigate/internal/gate/shell/pwsh"
	"github.com/pigate/pigate/internal/gate/shell/risk"
	"github.com/pigate/pigate/internal/gate/shell/wrap"
)

// PowerShell reads a command line as PowerShell would, as far as it is made of
// the constructs that the grammar of package pwsh names. Anything else makes the line unparsed,
// with the piece and the reason; what can be read of such a line is still
// shown to deny rules. Like Bash it never fails.
func (r Reader) PowerShell(command string) model.Analysis {
	return r.analyse(command, (*builder).powershell)
}

func (b *builder) powershell(command string) model.Analysis {
	b.aliases = true
	b.root = source{b: b, text: command}
	problem := b.readPowerShell(&b.root, place{parent: -1}, nil)
	if problem.Broken {
		f := splitter{source: &b.root, place: place{parent: -1}, known: map[string]bool{}}
		f.split(true)
		f.split(false)
	}
	if problem.Why != "" {
		b.out.Unparsed = problem.Why
	}
	return b.finish()
}

// readPowerShell lists what one PowerShell text would do. The text shares the
// variables v with the text around it, or has its own if v is nil; then it is
// read again until nothing more is found of their values, since a loop may use
// a value that is given further down.
func (b *builder) readPowerShell(s *source, p place, v *pwsh.Variables) pwsh.Problem {
	if v != nil {
		return b.readPowerShellOnce(s, p, v)
	}
	v = &pwsh.Variables{}
	before := *b
	for {
		problem := b.readPowerShellOnce(s, p, v)
		if !v.Again() {
			return problem
		}
		spent := *b
		*b = before
		b.nested, b.texts, b.split, b.memory.Tries, b.candidates = spent.nested, spent.texts, spent.split, spent.memory.Tries, spent.candidates
	}
}

func (b *builder) readPowerShellOnce(s *source, p place, v *pwsh.Variables) pwsh.Problem {
	events, problem := pwsh.Read(s.text, v)
	outer := b.power
	b.power = v
	r := psReplay{source: s, place: p, units: map[*pwsh.Command]int{}, outputs: map[*pwsh.Output]int{}}
	for k := range events {
		r.event(&events[k])
	}
	b.power = outer
	return problem
}

// psReplay makes units of what was read of a text.
type psReplay struct {
	source  *source
	place   place
	units   map[*pwsh.Command]int // their indices
	outputs map[*pwsh.Output]int
}

func (r *psReplay) event(e *pwsh.Event) {
	s, b := r.source, r.source.b
	switch e.Kind {
	case pwsh.CommandBegun:
		p := r.within(e.Command)
		u := model.Unit{Via: p.via, Parent: p.parent, Wrapper: e.Command.Idle, Transparent: e.Command.Idle}
		r.units[e.Command] = b.add(unit{Unit: u})
	case pwsh.CommandDropped:
		r.drop(e.Command)
	case pwsh.CommandEnded:
		r.ended(e.Command)
	case pwsh.OutputMet:
		r.output(e.Output)
	case pwsh.EnvironmentSet:
		why, known := b.known.Variable(e.Variable)
		if !known {
			why = "changes the environment of the programs after it"
		}
		h := risk.Hazard{Flag: e.Text + "=", Why: why, Kind: risk.KindExec}
		h.Start, h.End = s.span(e.Start, e.End)
		u := &b.units[r.units[e.Command]]
		u.Hazards = append(u.Hazards, h)
	case pwsh.PreferenceSet:
		u := &b.units[r.units[e.Command]]
		u.Wrapper, u.Transparent = false, false
	}
}

// within is the place of a command.
func (r *psReplay) within(c *pwsh.Command) place {
	p := r.place
	for _, step := range c.Path {
		p = p.within(step)
	}
	return p
}

// drop takes back the unit of a command, and counts those behind it anew.
func (r *psReplay) drop(c *pwsh.Command) {
	i := r.units[c]
	r.source.b.drop(i)
	delete(r.units, c)
	for other, k := range r.units {
		if k > i {
			r.units[other] = k - 1
		}
	}
}

func (r *psReplay) output(o *pwsh.Output) {
	b := r.source.b
	out := model.Redirection{Op: o.Op, Target: o.Target, Literal: o.Literal, Names: o.Names, Harmless: o.Harmless, Unit: -1}
	if r.source.elsewhere && !o.Harmless {
		out.Literal, out.Names = false, nil
	}
	out.Start, out.End = r.source.span(o.Start, o.End)
	r.outputs[o] = len(b.out.Redirections)
	b.out.Redirections = append(b.out.Redirections, out)
}

// ended completes the unit of a command, and reads what it runs.
func (r *psReplay) ended(c *pwsh.Command) {
	s, b, i := r.source, r.source.b, r.units[c]
	for _, o := range c.Outputs {
		b.out.Redirections[r.outputs[o]].Unit = i
	}
	u := &b.units[i]
	u.Text = r.text(c.Pieces, true)
	if u.Bare = r.text(c.Pieces, c.Result); u.Bare == "" {
		u.Bare = u.Text
	}
	u.body = len(u.Text)
	u.Start, u.End = s.span(c.Start, c.End)
	p := r.within(c)
	for n := range c.Readings {
		if n > 0 {
			r.reading(i, c, &c.Readings[n], p)
			continue
		}
		if c.Unnamed {
			b.opaque(i, "the program's name is in a variable")
		}
		r.program(i, c, &c.Readings[n], p)
	}
}

// text is the text of a unit: the pieces of the source with one blank where it has
// blanks, without those marked as output if output is false.
func (r *psReplay) text(list []pwsh.Piece, output bool) string {
	pieces := make([]bash.Piece, 0, len(list))
	for _, p := range list {
		pieces = append(pieces, bash.Piece{Start: p.Start, End: p.End, Output: p.Output})
	}
	return pwsh.Collapse(bash.Join(r.source.text, pieces, output))
}

// program reads the words of unit i as a command gets them.
func (r *psReplay) program(i int, c *pwsh.Command, reading *pwsh.Reading, p place) {
	s, b := r.source, r.source.b
	s.name(i, reading.Args)
	if u := &b.units[i]; u.Program != "" {
		u.PowerShell, u.Program = true, reading.Program
	}
	s.command(i, reading.Args, wrap.Feed{}, p)
	if reading.Opaque != "" {
		b.opaque(i, reading.Opaque)
	}
	for _, m := range reading.Marks {
		h := risk.Hazard{Flag: m.Flag, Why: m.Why, Kind: m.Kind, Form: risk.FormWord, Word: m.Arg.Text}
		if m.Named {
			h.Form, h.Word = risk.FormProgram, ""
		}
		h.Start, h.End = s.span(m.Arg.Start, m.Arg.End)
		b.units[i].Hazards = append(b.units[i].Hazards, h)
	}
	if _, fed := wrap.ReadsCode(b.known, reading.Program, reading.Args); c.Piped && fed {
		b.opaque(i, "it runs what it reads from its input")
	}
	if argv.HasSubcommands(b.known, reading.Program) {
		if k := argv.SkipGlobal(b.known, reading.Program, reading.Args, 1); k < len(reading.Args) && !reading.Args[k].Literal {
			b.opaque(i, "the subcommand is not literal")
		}
	}
}

// reading adds another command that unit i may be, for deny rules. Where
// nothing in it is guarded it needs no rule of its own.
func (r *psReplay) reading(i int, c *pwsh.Command, reading *pwsh.Reading, p place) {
	b := r.source.b
	if b.memory.Tries++; b.memory.Tries > argv.MaxTries || p.wrappers >= wrap.MaxWrappers {
		b.opaque(i, "it can be too many commands")
		return
	}
	p = p.under(i, "expansion")
	p.wrappers++
	u := unit{Unit: model.Unit{Via: p.via, Parent: p.parent, Text: argv.QuoteWords(reading.Args)}}
	u.Bare, u.body = u.Text, len(u.Text)
	u.Start, u.End = b.units[i].Start, b.units[i].End
	n := b.add(u)
	r.program(n, c, reading, p)
	if u := &b.units[n]; !u.Wrapper && u.Opaque == "" {
		u.Wrapper, u.Transparent = true, true
	}
}
