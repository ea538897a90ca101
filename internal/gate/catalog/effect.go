package catalog

import (
	"slices"
	"strings"
)

// Effects are what a command does to files beside what its operands say.
type Effects uint8

// The effects; docs/programs.md describes them.
const (
	EffectTree    Effects = 1 << iota // a folder among the operands counts with all in it
	EffectBelow                       // folders among the operands are walked
	EffectUnpacks                     // writes files that its words do not name, below its folder
	EffectNested                      // the names in the place where files go are whole paths
	EffectListing                     // a folder among the operands counts with the names in it
	EffectParents                     // the folders above an operand count too
	EffectBackups                     // what is replaced is kept under a name that begins alike
)

var effects = map[string]Effects{"tree": EffectTree, "below": EffectBelow, "listing": EffectListing, "unpacks": EffectUnpacks, "nested": EffectNested, "parents": EffectParents, "backups": EffectBackups}

// With is what an option makes of the operands and effects of its command.
type With struct {
	// Options are the names, as they stand first in the list of options.
	Options []string
	// Operands replace those of the command, nil when they do not.
	Operands []Operand
	// From and To change the role of operands, Drop takes a role from them.
	From, To []Role
	Drop     []Role
	// Values change the role of the value of options.
	Values map[string]Role
	// Add and Remove are effects.
	Add, Remove Effects
}

// toOperands reads the list of operands.
func toOperands(v value) (list []Operand, problem string) {
	words, ok := v.words()
	if !ok {
		return nil, "operands are words"
	}
	repeats := 0
	for _, word := range words {
		name, more := strings.CutSuffix(word, "...")
		role, known := roles[name]
		if !known || name == "" {
			return nil, `an operand is no "` + word + `"`
		}
		if more {
			repeats++
		}
		list = append(list, Operand{role, more})
	}
	if repeats > 1 {
		return nil, "only one operand goes on"
	}
	return list, ""
}

// toWith reads one entry of the table with. A word of it is an effect, "-" and an
// effect or a role, "role=role", "--option=role", or, alone, a list of operands in
// parentheses.
func toWith(s *section, e entry) (w With, err error) {
	words, ok := e.value.words()
	if !ok || len(words) == 0 {
		return w, s.wrongAt(e.at, "%q says nothing", e.key)
	}
	for name := range strings.FieldsFuncSeq(e.key, func(r rune) bool { return r == ',' || r == ' ' }) {
		w.Options = append(w.Options, name)
	}
	if rest, found := strings.CutPrefix(strings.Join(words, " "), "("); found {
		list, problem := toOperands(value{kind: e.value.kind, text: strings.TrimSuffix(rest, ")")})
		if w.Operands = list; problem != "" {
			return w, s.wrongAt(e.at, "%s", problem)
		}
		return w, nil
	}
	for _, word := range words {
		if problem := w.change(word); problem != "" {
			return w, s.wrongAt(e.at, "%q %s", word, problem)
		}
	}
	return w, nil
}

// change reads one word.
func (w *With) change(word string) (problem string) {
	if effect, ok := effects[word]; ok {
		w.Add |= effect
		return ""
	}
	from, to, changes := strings.Cut(word, "=")
	switch role, known := roles[to]; {
	case !changes:
		name, removes := strings.CutPrefix(word, "-")
		effect, isEffect := effects[name]
		role, isRole := roles[name]
		switch {
		case removes && isEffect:
			w.Remove |= effect
		case removes && isRole:
			w.Drop = append(w.Drop, role)
		default:
			return "is no effect and no change"
		}
	case !known:
		return "names no role"
	case strings.HasPrefix(from, "-"):
		if w.Values == nil {
			w.Values = map[string]Role{}
		}
		w.Values[from] = role
	default:
		before, isRole := roles[from]
		if !isRole {
			return "names no role"
		}
		w.From, w.To = append(w.From, before), append(w.To, role)
	}
	return ""
}

// Has reports that the effect is among them.
func (e Effects) Has(effect Effects) bool { return e&effect != 0 }

// setTouches notes what the command, and each below it, may do to files that its
// words name.
func (c *Command) setTouches() {
	reads, writes := false, false
	note := func(r Role) {
		reads = reads || r.Reads()
		writes = writes || r.Writes()
	}
	for _, o := range c.Operands {
		note(o.Role)
	}
	for _, list := range [][]*Option{c.Options, c.SubOptions} {
		for _, o := range list {
			note(o.Role)
		}
	}
	for i := range c.With {
		w := &c.With[i]
		for _, o := range w.Operands {
			note(o.Role)
		}
		for _, r := range w.To {
			note(r)
		}
		for _, r := range w.Values {
			note(r)
		}
		writes = writes || w.Add.Has(EffectUnpacks)
	}
	writes = writes || c.Effects.Has(EffectUnpacks)
	reads = reads || c.Effects.Has(EffectBelow)
	for _, sub := range c.Subs {
		sub.setTouches()
		reads, writes = reads || sub.Reads, writes || sub.Writes
	}
	c.Reads, c.Writes = reads, writes
}

var (
	readingRoles = []Role{RoleRead, RoleEdit, RoleReplace, RoleBeside, RoleContent, RoleScript, RoleList, RoleMove, RoleOpen, RoleAddress}
	writingRoles = []Role{RoleWrite, RoleDelete, RoleTo, RoleInto, RoleEdit, RoleReplace, RoleBeside, RoleMove, RolePrefix, RoleRef, RoleFill, RoleOpen}
)

// Reads reports that what has the role is the name of a file that is read.
func (r Role) Reads() bool { return slices.Contains(readingRoles, r) }

// Writes reports that what has the role names a file that is written or deleted.
func (r Role) Writes() bool { return slices.Contains(writingRoles, r) }
