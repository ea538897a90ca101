package knowledge

import (
	"maps"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
)

// Command is what is known of a program or one of its subcommands.
type Command struct {
	// Command are the words that name it, without options.
	Command string   `json:"command"`
	Names   []string `json:"names"` // other names of the program
	Class   string   `json:"class"` // of the subcommand, else of the program; "" when not told
	Depth   int      `json:"depth"` // how many words say what the program does; -1 when not told
	Places  []Place  `json:"places"`
	// Guard is set when an allow rule must name the subcommand itself.
	Guard    *Guard   `json:"guard"`
	Check    string   `json:"check"` // what code finds that options cannot tell; "" for none
	SameAs   string   `json:"same_as"`
	Options  []Option `json:"options"`
	Operands []string `json:"operands"`
	// Runs says how it runs another command, as a file would write it; "" when it
	// runs none.
	Runs      string     `json:"runs"`
	Secrets   []Secret   `json:"secrets"`
	Variables []Variable `json:"variables"`
	// Classes are those of subcommands, by their words.
	Classes     map[string]string `json:"classes"`
	Subcommands []Subcommand      `json:"subcommands"`
}

// Guard is why an allow rule must name something.
type Guard struct {
	Kind  string `json:"kind"` // exec, write, net, read or state
	Why   string `json:"why"`  // what it does, in words that follow "it"
	When  string `json:"when"` // which values ask, "" for all
	Place Place  `json:"place"`
}

// Option is one option under all its names.
type Option struct {
	Names []string `json:"names"`
	// Value is none, attached, required, rest or two.
	Value string `json:"value"`
	Is    string `json:"is"` // what the value is: write, run, secret, …; "" when it is not told
	Guard *Guard `json:"guard"`
	Place Place  `json:"place"`
	// Of is the command that has the option, when it may stand here too.
	Of string `json:"of"`
}

// Secret is one place of secrets, as a file would write it.
type Secret struct {
	Where string `json:"where"`
	Place Place  `json:"place"`
}

// Variable is one environment variable, or a family.
type Variable struct {
	Name string `json:"name"`
	Why  string `json:"why"` // "" when it is harmless
	Place
}

// Subcommand is one that may follow.
type Subcommand struct {
	Names []string `json:"names"`
	Class string   `json:"class"`
	Guard *Guard   `json:"guard"`
	Place Place    `json:"place"`
}

// Show returns what is known of the program and the subcommand that words name;
// rest are the words that no file tells of. It is nil when the program is not
// known.
func (k *Known) Show(words []string) (c *Command, rest []string) {
	full := k.layers.Full()
	p, words := find(full, words)
	if p == nil {
		return nil, words
	}
	at, n := p.Sub(words...)
	rest = words[n:]
	c = &Command{Command: at.String(), Names: append([]string{}, p.Names[1:]...), Class: string(p.Class), Depth: p.Depth, Check: at.Check,
		SameAs: strings.Join(at.Same, " "), Guard: k.guard(at.Guard), Runs: at.Runs.String()}
	if class := classOf(p, at); class != "" {
		c.Class = class
	}
	if at == &p.Command {
		for _, place := range full.Places(p.Names[0]) {
			c.Places = append(c.Places, k.place(place))
		}
		c.Classes = map[string]string{}
		for words, class := range p.Classes {
			c.Classes[words] = string(class)
		}
		for _, v := range full.VariablesOf(p.Names...) {
			c.Variables = append(c.Variables, Variable{v.Name, v.Why, k.place(v.Place())})
		}
	} else {
		c.Places = []Place{k.place(at.Place())}
	}
	for _, o := range at.Operands {
		text := o.Role.String()
		if o.Repeats {
			text += "..."
		}
		c.Operands = append(c.Operands, text)
	}
	k.options(c, at)
	for _, x := range p.Secrets {
		if at == &p.Command || x.After == at.Name() {
			c.Secrets = append(c.Secrets, Secret{x.String(), k.place(x.Place())})
		}
	}
	k.subcommands(c, p, at)
	return c, rest
}

// find looks a program, or a module of python, up by the words that name it.
func find(c *catalog.Catalog, words []string) (*catalog.Program, []string) {
	if len(words) > 2 && words[1] == "-m" {
		if p := c.Module(strings.ToLower(words[2])); p != nil {
			return p, words[3:]
		}
	}
	name := strings.ToLower(words[0])
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	return c.Lookup(strings.TrimSuffix(name, ".exe")), words[1:]
}

func classOf(p *catalog.Program, c *catalog.Command) string {
	return string(p.Classes[strings.Join(c.Path[1:], " ")])
}

// options lists the options that may stand behind the command, its own first.
func (k *Known) options(c *Command, at *catalog.Command) {
	own := map[*catalog.Option]bool{}
	for _, o := range at.Options {
		own[o] = true
	}
	for _, o := range at.Visible() {
		line := Option{Names: o.Names, Value: o.Value.String(), Is: o.Role.String(), Guard: k.guard(o.Guard), Place: k.place(o.Place())}
		if !own[o] && at.Parent != nil {
			line.Of = at.Parent.String()
		}
		c.Options = append(c.Options, line)
	}
}

func (k *Known) subcommands(c *Command, p *catalog.Program, at *catalog.Command) {
	names := map[*catalog.Command][]string{}
	for _, name := range slices.Sorted(maps.Keys(at.Subs)) {
		sub := at.Subs[name]
		if name == sub.Name() {
			names[sub] = append([]string{name}, names[sub]...)
		} else {
			names[sub] = append(names[sub], name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(at.Subs)) {
		if sub := at.Subs[name]; name == sub.Name() {
			c.Subcommands = append(c.Subcommands, Subcommand{names[sub], classOf(p, sub), k.guard(sub.Guard), k.place(sub.Place())})
		}
	}
}

func (k *Known) guard(g *catalog.Guard) *Guard {
	if g == nil {
		return nil
	}
	return &Guard{Kind: string(g.Kind), Why: g.Why, When: g.When(), Place: k.place(g.Place())}
}
