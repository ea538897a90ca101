package shell

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/possible"
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/risk"
)

// dashNames adds the hazards of patterns that match a file whose name is an
// option and which the line itself names: `touch -- -delete && find . *`.
func (b *builder) dashNames() {
	var globs []int
	for i := range b.units {
		for _, a := range b.units[i].Words {
			if !a.Literal && strings.ContainsAny(a.Text, "*?[") {
				globs = append(globs, i)
				break
			}
		}
	}
	if globs == nil {
		return
	}
	names := b.namedLikeOptions()
	for _, i := range globs {
		for _, name := range names {
			b.dashName(i, name)
		}
	}
}

// namedLikeOptions lists the names in the line that begin with a dash and are
// no options where they stand.
func (b *builder) namedLikeOptions() (names []string) {
	add := func(word string, operand bool) {
		base := word[strings.LastIndexByte(word, '/')+1:]
		if len(base) > 1 && base[0] == '-' && (operand || base != word) && len(names) < argv.MaxGuesses {
			names = append(names, base)
		}
	}
	for i := range b.units {
		for _, list := range argv.Variants(b.units[i].Words) {
			ended := false
			for _, a := range list {
				add(a.Text, ended)
				ended = ended || a.Text == "--"
			}
		}
	}
	for _, r := range b.out.Redirections {
		add(r.Target, true)
		for _, name := range r.Names {
			add(name, true)
		}
	}
	return names
}

// dashName adds the hazards that unit i has when its patterns become the name.
func (b *builder) dashName(i int, name string) {
	u := &b.units[i]
	args := make([]argv.Arg, 0, len(u.Words))
	changed := false
	for _, a := range u.Words {
		args = append(args, a)
		if chunks := a.Chunks(); !a.Literal && chunks.Active() {
			var word possible.Text
			chunks.Into(&word, true, possible.Every, possible.Every)
			if word.MeetsText(name) {
				changed = true
				args[len(args)-1] = argv.Arg{Text: name, Literal: true, Start: a.Start, End: a.End}
			}
		}
	}
	if !changed || u.Program == "" || len(args) < 2 {
		return
	}
	for _, h := range risk.Find(b.known, u.Program, args[1:]) {
		if h.Word == name {
			h.Start, h.End = u.Start, u.End
			h.Why = "may come from a pattern, and " + h.Why
			u.Hazards = append(u.Hazards, h)
		}
	}
}
