package catalog

import (
	"slices"
	"strings"
)

// Program is what is known of a program. All of it is read only.
type Program struct {
	Command
	// Names are the base names it is run by, its own first.
	Names []string
	// Depth is how many words say what it does, -1 when that is not told.
	// Given, options before these words are stepped over.
	Depth int
	// Deeper are the subcommands that one more word belongs to.
	Deeper []string
	// Help are the options with which a subcommand only prints help or the
	// version.
	Help []string
	// AnyOrder reports that its operands have no fixed order and no subcommand
	// is among them.
	AnyOrder bool
	// Modules reports that an option of it names a module of python to run.
	Modules bool
	// Signals reports that it takes signals as options: -9, -KILL, -s KILL.
	Signals bool
	// Input says how it runs code that it reads from its input; nil when it
	// does not.
	Input *Input
	// Class is the risk of the program, Classes that of its subcommands, whose
	// words are joined by blanks.
	Class   Class
	Classes map[string]Class
	// Draft is what drafts may be made of.
	Draft Draft
	// LeavesFiles says which subcommands leave the files that their words name as
	// they are, MakesLinks which can put a symbolic link in place of a file.
	LeavesFiles, MakesLinks Some
	// Secrets say where its secrets stand, those of options with that role among
	// them.
	Secrets []SecretPlace
}

// Command is a program or one of its subcommands.
type Command struct {
	// Path are the words of the command, the program first.
	Path []string
	// Parent is nil for a program.
	Parent *Command
	Style  Style
	// Options are its own, harmless and guarded, in the order of the file.
	Options []*Option
	// SubOptions are options of all its subcommands.
	SubOptions []*Option
	// Inherit reports that its own may stand after its subcommands too.
	Inherit bool
	// OptionsFirst reports that options end at the first operand, EndAt are the
	// options after whose value they end.
	OptionsFirst bool
	// OperandsFirst reports that operands end at the first option that is no
	// capital letter, as those of find do.
	OperandsFirst bool
	EndAt         []string
	// Shorten reports that subcommands may be shortened, Fold that case and
	// dashes within an option's name do not count.
	Shorten, Fold bool
	// Guard is set when the command itself is guarded.
	Guard *Guard
	// Check is one of Checks, "" for none.
	Check string
	// Runs is nil when the command runs no other.
	Runs *Runs
	// Operands are what its operands are, in order; one of them goes on when
	// Repeats is set for it.
	Operands []Operand
	// Effects are what it does to files beside that, With what options make of
	// operands and effects.
	Effects Effects
	With    []With
	// Reads and Writes report that its words, or those of a subcommand, may name
	// files that it reads, or that it writes or deletes.
	Reads, Writes bool
	// Hosts reports that an operand with a colon is on another machine, Objects
	// that the name of a file may follow a colon (HEAD:file).
	Hosts, Objects bool
	// ListsFiles says when the command writes names of files or numbers of processes,
	// and WritesNumbers when it writes numbers, and nothing that a file's contents
	// could choose.
	ListsFiles, WritesNumbers Some
	// Same are the words of the subcommand whose effect it has, so that a deny
	// rule for that holds for it; nil when there is none.
	Same []string
	// Subs are the subcommands under all their names.
	Subs map[string]*Command

	subStyle Style
	origin
}

// Some says of which of the words of a command something holds: of all, of none
// but those listed, or of all but some.
type Some struct {
	All        bool
	Words, Not []string
}

// Covers reports that it holds where one of the words is given. A short option
// counts within a row of letters too, and "--*" is every long one.
func (s Some) Covers(words ...string) bool {
	given := func(name string) bool {
		return slices.ContainsFunc(words, func(w string) bool {
			if begin, ok := strings.CutSuffix(name, "*"); ok {
				return strings.HasPrefix(w, begin) && w != begin
			}
			return w == name || len(name) == 2 && name[0] == '-' && len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.Contains(w, name[1:])
		})
	}
	if s.All {
		return !slices.ContainsFunc(s.Not, given)
	}
	return slices.ContainsFunc(s.Words, given)
}

// origin is where a fact stands.
type origin struct {
	file *File
	at   int
}

// Place says where the fact stands; the zero Place when that is not known.
func (o origin) Place() Place {
	if o.file == nil {
		return Place{}
	}
	return o.file.place(o.at)
}

// Operand is what one operand is to the command.
type Operand struct {
	Role    Role
	Repeats bool
}

// Outer is the command around this one whose options may stand here too, or nil.
func (c *Command) Outer() *Command {
	if c.Parent != nil && c.Parent.Inherit {
		return c.Parent
	}
	return nil
}

// Sub follows words, those after the program and its options, to the innermost
// subcommand known, and returns it with the number of words it took.
func (c *Command) Sub(words ...string) (found *Command, n int) {
	for found = c; n < len(words); n++ {
		next := found.Subs[words[n]]
		if next == nil {
			break
		}
		found = next
	}
	return found, n
}

// Named returns the subcommand that a word names, also by its first letters where
// the command lets them be shortened and no other subcommand begins with them;
// nil when it names none.
func (c *Command) Named(word string) (found *Command) {
	if sub := c.Subs[word]; sub != nil || !c.Shorten || word == "" {
		return sub
	}
	for name, sub := range c.Subs {
		if strings.HasPrefix(name, word) {
			if found != nil && found != sub {
				return nil
			}
			found = sub
		}
	}
	return found
}

// Program is the program that the command is of.
func (c *Command) Program() *Command {
	for c.Parent != nil {
		c = c.Parent
	}
	return c
}

// Visible are the options that may stand behind the command: its own, and those
// of the commands around it that may stand here too. The first of a name counts.
func (c *Command) Visible() []*Option {
	list := c.Options
	if c.Parent != nil {
		list = append(list[:len(list):len(list)], c.Parent.SubOptions...)
	}
	if outer := c.Outer(); outer != nil {
		list = append(list[:len(list):len(list)], outer.Visible()...)
	}
	return list
}

// ElsewhereVisible are the options that may stand behind a subcommand which is
// not told, or behind the program itself when it has no subcommands.
func (p *Program) ElsewhereVisible() []*Option {
	if p.Depth < 1 || p.Inherit {
		return append(p.SubOptions[:len(p.SubOptions):len(p.SubOptions)], p.Options...)
	}
	return p.SubOptions
}

// Name is the command's own name, without the names around it.
func (c *Command) Name() string { return c.Path[len(c.Path)-1] }

// String returns the words of the command.
func (c *Command) String() string { return strings.Join(c.Path, " ") }

// Guards reports whether the command, or one below it, has guarded entries or a
// check.
func (c *Command) Guards() bool {
	if c.Guard != nil || c.Check != "" {
		return true
	}
	for _, o := range c.Options {
		if o.Guard != nil {
			return true
		}
	}
	for _, sub := range c.Subs {
		if sub.Guards() {
			return true
		}
	}
	return false
}
