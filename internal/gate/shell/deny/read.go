package deny

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/pwsh"
)

// invocation is a command's words read as options and operands.
type invocation struct {
	known    *catalog.Catalog
	table    *optionTable
	options  []option
	operands []string
}

// option is one option of a command.
type option struct {
	name  string // the first name of its group: "-r" for -r, -R and --recursive
	value string
	given bool
	or    []string // what it may be instead
	least int      // with how many bytes it may abbreviate a longer name, 0 if it may not
}

// abbreviates reports whether the option is an abbreviation of the long option
// full.
func (o option) abbreviates(full string) bool {
	return o.least > 0 && len(o.name) >= o.least && strings.HasPrefix(full, o.name)
}

// newInvocation reads the words after the program and its global options.
func newInvocation(known *catalog.Catalog, program string, args []argv.Arg) invocation {
	c := invocation{known: known}
	sub := ""
	for _, a := range args {
		if len(a.Text) > 0 && a.Text[0] != '-' {
			sub = a.Text
			break
		}
	}
	t := optionsOf(known, program, canonicalSub(known, program, sub))
	c.table = t
	cmdlet, ended := pwsh.IsCmdlet(program), false
	table := argv.Table[optionGroup]{Style: t.style, Find: t.find}
	for i := 0; i < len(args); i++ {
		w := args[i].Text
		switch {
		case cmdlet:
			c.parameter(w)
		case ended || len(w) < 2 || w[0] != '-':
			c.operand(program, w)
		case w == "--":
			ended = true
			c.options = append(c.options, option{name: "--"})
		case t.signals && isSignal(w):
			c.options = append(c.options, option{name: "-s", value: signalName(w[1:]), given: true})
		default:
			found, next := table.Read(args, i)
			for _, f := range found {
				c.add(t, f)
			}
			i = next - 1
		}
	}
	return c
}

// groupOf returns the names that an option known by the table stands for.
func (c *invocation) groupOf(name string) []string {
	return c.table.groups[name].names
}

// isSignal reports a signal that is written as an option: -9, -KILL.
func isSignal(w string) bool {
	return w[1] >= '0' && w[1] <= '9' || len(w) > 2 && w[1] >= 'A' && w[1] <= 'Z'
}

func (c *invocation) add(t *optionTable, f argv.Found[optionGroup]) {
	o := option{value: f.Value, given: f.Given, or: f.Option.or}
	if t.signals {
		o.value = signalName(o.value)
	}
	if !f.Known && len(f.Name) > 2 {
		o.least = len("--a")
	}
	for _, o.name = range f.Option.names {
		c.options = append(c.options, o)
	}
}

// operand adds an operand by the name that its aliases share.
func (c *invocation) operand(program, w string) {
	if len(c.operands) == 0 {
		w = canonicalSub(c.known, program, w)
	}
	if isContainerProgram(program) && len(c.operands) == 1 {
		// `docker container rm` is `docker rm`, `docker image rm` is `docker rmi`.
		switch {
		case c.operands[0] == "container":
			c.operands[0] = w
			return
		case c.operands[0] == "image" && w == "rm":
			c.operands[0] = "rmi"
			return
		}
	}
	if len(c.operands) > 0 {
		for _, o := range c.table.begins {
			if strings.HasPrefix(w, o.Names[0]) && w != o.Names[0] {
				for _, name := range o.For {
					c.options = append(c.options, option{name: name})
				}
			}
		}
	}
	c.operands = append(c.operands, w)
}

// isContainerProgram reports the programs whose subcommands may stand behind
// what they are about: `docker container rm`.
func isContainerProgram(program string) bool {
	return program == "docker" || program == "podman" || program == "nerdctl"
}

// signalName gives a signal one spelling: its number where it is common.
func signalName(name string) string {
	name = strings.TrimPrefix(strings.ToUpper(name), "SIG")
	if k := slices.Index(signalNames, name); k > 0 {
		return string(rune('0'+k/10)) + string(rune('0'+k%10))
	}
	if len(name) == 1 {
		return "0" + name
	}
	return name
}

var signalNames = strings.Fields("0 HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM")

// parameter reads a word of a PowerShell command, where letter case does not
// count and parameters may be abbreviated.
func (c *invocation) parameter(w string) {
	w = strings.ToLower(w)
	if len(w) < 2 || w[0] != '-' {
		c.operands = append(c.operands, w)
		return
	}
	name, value, given := strings.Cut(w, ":")
	c.options = append(c.options, option{name: name, value: value, given: given, least: len("-x")})
}
