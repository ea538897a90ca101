package catalog

import (
	"maps"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Class is what sort of thing a command does, "" when that is not told.
type Class string

// The classes, from the least to the most risky.
const (
	ClassLooks     Class = "looks"     // only looks
	ClassShapes    Class = "shapes"    // changes small things that are easy to undo
	ClassBuilds    Class = "builds"    // runs the project's own code
	ClassLocal     Class = "local"     // changes files or the repository, here only
	ClassReaches   Class = "reaches"   // reaches the network or installs what it fetches
	ClassPublishes Class = "publishes" // publishes, deploys or changes what others see
	ClassDestroys  Class = "destroys"  // deletes or overwrites for good
)

var classes = []Class{ClassLooks, ClassShapes, ClassBuilds, ClassLocal, ClassReaches, ClassPublishes, ClassDestroys}

// Draft is what rules may be drafted from a program's commands, "" when nothing
// special is told.
type Draft string

// What drafts may be made of.
const (
	DraftNever Draft = "never" // nothing is drafted
	DraftFree  Draft = "free"  // a rule may name nothing but the program
	DraftFile  Draft = "file"  // a rule names the file that it runs
	DraftTasks Draft = "tasks" // every word is one more thing to do
	DraftAlone Draft = "alone" // a rule may name the program alone, though it does more than look
)

var drafts = []Draft{DraftNever, DraftFree, DraftFile, DraftTasks, DraftAlone}

// SecretPlace is one place where a program takes a secret.
type SecretPlace struct {
	// After is a word that must have come before, such as a subcommand.
	After string
	// Joined are letters of options with the secret in the same word.
	Joined []string
	// Options are those with the secret in the next word, or after an equals
	// sign or a colon.
	Options []string
	// Logins are options with a name and a secret, joined by Separator.
	Logins    []string
	Separator string
	// Words are positions, counted from 1 after the word After or the name, of
	// arguments that are secrets; -1 is the last. With a Separator they are a
	// name and a secret. There must be Least arguments.
	Words []int
	Least int
	// Random: what looks like a word is no secret.
	Random bool

	origin
}

func toSecret(s *section, at int, v value) (SecretPlace, error) {
	x := SecretPlace{origin: origin{s.file, at}}
	if v.kind != unstable.InlineTable {
		return x, s.wrongAt(at, "a place of secrets is a table")
	}
	for _, e := range v.table {
		ok := true
		switch e.key {
		case "after":
			x.After = e.value.text
		case "joined":
			x.Joined, ok = e.value.words()
		case "option":
			x.Options, ok = e.value.words()
		case "login":
			x.Logins, ok = e.value.words()
		case "separator":
			x.Separator = e.value.text
		case "word":
			list := e.value.list
			if e.value.kind == unstable.Integer {
				list = []value{e.value}
			}
			for _, item := range list {
				n, isNumber := item.number()
				x.Words, ok = append(x.Words, n), ok && isNumber
			}
		case "least":
			x.Least, ok = e.value.number()
		case "random":
			x.Random, ok = e.value.yes()
		default:
			return x, s.wrongAt(e.at, "unknown field %q of secrets", e.key)
		}
		if !ok {
			return x, s.wrongAt(e.at, "%q has the wrong type", e.key)
		}
	}
	return x, nil
}

// marked lists the places of secrets that options of the command, and of those
// below it, are marked with.
func (c *Command) marked() (list []SecretPlace) {
	var files []*File
	byFile := map[*File]*SecretPlace{}
	for _, o := range append(c.Options[:len(c.Options):len(c.Options)], c.SubOptions...) {
		if o.Role != RoleSecret && o.Role != RoleLogin {
			continue
		}
		x := byFile[o.file]
		if x == nil {
			x = &SecretPlace{origin: o.origin}
			if c.Parent != nil {
				x.After = c.Name()
			}
			byFile[o.file], files = x, append(files, o.file)
		}
		for _, name := range o.Names {
			switch {
			case o.Role == RoleLogin:
				x.Logins = append(x.Logins, name)
			case len(name) == 2 && c.Style != StyleWords:
				x.Joined = append(x.Joined, name[1:])
				fallthrough
			default:
				x.Options = append(x.Options, name)
			}
		}
	}
	for _, f := range files {
		list = append(list, *byFile[f])
	}
	for _, name := range slices.Sorted(maps.Keys(c.Subs)) {
		if sub := c.Subs[name]; sub.Name() == name {
			list = append(list, sub.marked()...)
		}
	}
	return list
}
