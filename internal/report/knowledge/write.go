package knowledge

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/text"
)

// String returns who says it, the file and the line.
func (p Place) String() string {
	if p.From == FromPigate {
		return fmt.Sprintf("pigate's %s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// Write writes a command for people. Text of files is made harmless.
func (c *Command) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	say := func(format string, args ...any) { fmt.Fprintln(out, text.Visible(fmt.Sprintf(format, args...))) }
	say("%s", c.Command)
	for i, p := range c.Places {
		if i == 0 {
			say("  told in %s", p)
		} else {
			say("  and in  %s", p)
		}
	}
	for _, line := range []struct{ label, text string }{{"other names", strings.Join(c.Names, " ")}, {"class", c.Class}, {"check", c.Check},
		{"same as", c.SameAs}, {"operands", strings.Join(c.Operands, " ")}, {"runs", c.Runs}} {
		if line.text != "" {
			say("  %-11s %s", line.label, line.text)
		}
	}
	if c.Guard != nil {
		say("  asks: %s", c.Guard)
	}
	if len(c.Subcommands) > 0 {
		say("subcommands")
	}
	for _, s := range c.Subcommands {
		say("  %s", columns(strings.Join(s.Names, ", "), s.note(), s.Guard, s.Place))
	}
	if len(c.Options) > 0 {
		say("options")
	}
	for i := 0; i < len(c.Options); {
		o := &c.Options[i]
		if o.Guard != nil {
			say("  %s", columns(o.spelled(), "", o.Guard, o.Place))
			i++
			continue
		}
		var plain []string // those of one line of a file stand together
		for ; i < len(c.Options) && c.Options[i].Guard == nil && c.Options[i].Place == o.Place && c.Options[i].Of == o.Of; i++ {
			plain = append(plain, c.Options[i].spelled())
		}
		of := ""
		if o.Of != "" {
			of = "of " + o.Of + "  "
		}
		lines := text.Wrap(text.Visible(strings.Join(plain, "   ")), 90)
		for n, line := range lines {
			if line = strings.TrimRight(line, " "); n == len(lines)-1 {
				line += "  " + of + "[" + o.Place.String() + "]"
			}
			say("  %s", line)
		}
	}
	if len(c.Classes) > 0 {
		say("classes of subcommands")
	}
	byClass := map[string][]string{}
	for words, class := range c.Classes {
		byClass[class] = append(byClass[class], words)
	}
	for _, class := range slices.Sorted(maps.Keys(byClass)) {
		slices.Sort(byClass[class])
		say("  %-11s %s", class, strings.Join(byClass[class], ", "))
	}
	if len(c.Secrets) > 0 {
		say("secrets")
	}
	for _, s := range c.Secrets {
		say("  %s", columns(s.Where, "", nil, s.Place))
	}
	if len(c.Variables) > 0 {
		say("environment variables")
	}
	for _, v := range c.Variables {
		why := "asks: it " + v.Why
		if v.Why == "" {
			why = "harmless"
		}
		say("  %-28s %s  [%s]", v.Name, why, v.Place)
	}
	return out.Flush()
}

// String says why it asks.
func (g *Guard) String() string {
	words := "it " + g.Why + " (" + g.Kind + ")"
	if g.When != "" {
		words += ", " + g.When
	}
	return words
}

func columns(name, note string, g *Guard, p Place) string {
	if g != nil {
		note = strings.TrimPrefix(note+"; asks: "+g.String(), "; ")
		p = g.Place
	}
	return fmt.Sprintf("%-28s %s  [%s]", name, note, p)
}

func (s *Subcommand) note() string { return s.Class }

// spelled writes the option as a command would.
func (o *Option) spelled() string {
	value := strings.ToUpper(o.Is)
	if value == "" {
		value = "VALUE"
	}
	names := strings.Join(o.Names, ", ")
	switch o.Value {
	case "attached":
		return names + "[=" + value + "]"
	case "required":
		return names + " " + value
	case "rest":
		return names + value
	case "two":
		return names + " " + value + " VALUE"
	}
	return names
}
