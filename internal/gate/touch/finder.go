package touch

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"

	"github.com/pigate/pigate/internal/gate/catalog"
)

// finder finds what one reading of a command touches in one folder.
type finder struct {
	*reading
	place  place
	folder Path
	// unpacked is the folder below which it writes files that its words do not name.
	unpacked Path
	effects  catalog.Effects
	out      []Touch
}

func (f *finder) find() {
	c := f.command
	operands, effects := c.Operands, c.Effects
	var roles []func(catalog.Role) catalog.Role
	values := map[string]catalog.Role{}
	for i := range c.With {
		w := &c.With[i]
		if !slices.ContainsFunc(w.Options, f.has) {
			continue
		}
		if w.Operands != nil {
			operands = w.Operands
		}
		operands = slices.DeleteFunc(slices.Clone(operands), func(o catalog.Operand) bool { return slices.Contains(w.Drop, o.Role) })
		roles = append(roles, func(r catalog.Role) catalog.Role {
			if k := slices.Index(w.From, r); k >= 0 {
				return w.To[k]
			}
			return r
		})
		for name, role := range w.Values {
			values[name] = role
		}
		effects = effects&^w.Remove | w.Add
	}
	f.effects = effects
	change := func(r catalog.Role) catalog.Role {
		for _, role := range roles {
			r = role(r)
		}
		return r
	}
	var into *value
	f.unpacked = f.folder
	for i := range f.values {
		v := &f.values[i]
		role := v.option.Role
		for _, name := range v.option.Names {
			if other, ok := values[name]; ok {
				role = other
			}
		}
		switch role {
		case catalog.RoleFolder:
			f.folder = at(v.pieces, f.folder, f.place)
			f.unpacked = f.folder
		case catalog.RolePlace:
			f.unpacked = at(v.pieces, f.unpacked, f.place)
		case catalog.RoleInto:
			into = v
		default:
			f.touch(role, v.word, v.pieces, catalog.Effects(0))
		}
	}
	if !effects.Has(catalog.EffectUnpacks) {
		f.folder = f.unpacked
	}
	f.operandsTouch(operands, change, into)
	if more := severalOf(f.operands); len(operands) > 1 && len(more) > len(f.operands) {
		f.reading = &reading{command: f.command, program: f.program, given: f.given, operands: more, behind: f.behind}
		f.operandsTouch(operands, change, into)
	}
	if effects.Has(catalog.EffectUnpacks) {
		f.add(Touch{Action: Write, Path: f.unpacked.join(unknownName), Reach: Itself, Word: f.word()})
	}
}

// severalOf are the operands where each pattern matches two names.
func severalOf(operands []argv.Arg) (list []argv.Arg) {
	for _, word := range operands {
		list = append(list, word)
		if slices.ContainsFunc(word.Pieces(), func(p argv.Chunk) bool { return p.Kind == argv.Glob }) {
			list = append(list, word)
		}
	}
	return list
}

// has reports an option that was given, by one of its names or as the one that
// others stand for.
func (f *finder) has(name string) bool {
	if f.given[name] {
		return true
	}
	if f.command.Style == catalog.StyleCmdlet || f.command.Fold {
		for given := range f.given {
			if len(given) > 1 && len(given) <= len(name) && strings.EqualFold(given, name[:len(given)]) {
				return true
			}
		}
	}
	if strings.HasPrefix(name, "--") && (f.command.Style == catalog.StyleGNU || f.command.Style == catalog.StyleBundled) {
		for given := range f.given {
			if len(given) > 2 && strings.HasPrefix(given, "--") && strings.HasPrefix(name, given) && f.option(given) == nil {
				return true
			}
		}
	}
	return false
}

// word is the place to point at where no word names the file.
func (f *finder) word() argv.Arg {
	if len(f.operands) > 0 {
		return f.operands[0]
	}
	return argv.Arg{}
}

// operandsTouch gives each operand its role.
func (f *finder) operandsTouch(list []catalog.Operand, change func(catalog.Role) catalog.Role, into *value) {
	roles := assign(list, len(f.operands), into != nil)
	var sources []argv.Arg
	var last *argv.Arg
	found := false
	for k := range f.operands {
		word, role := f.operands[k], change(roles[k])
		if role == catalog.RoleTo {
			last = &f.operands[k]
			continue
		}
		if f.elsewhere(word.Text) {
			continue
		}
		if role == catalog.RolePlace {
			f.unpacked = at(word.Pieces(), f.folder, f.place)
			f.add(Touch{Action: Write, Path: f.unpacked, Word: word})
			if f.effects.Has(catalog.EffectParents) {
				f.parents(word, word.Pieces(), role)
			}
			continue
		}
		found = found || role != catalog.RoleText && role != catalog.RolePlain
		f.touch(role, word, word.Pieces(), f.effects)
		if role == catalog.RoleRead || role == catalog.RoleMove {
			sources = append(sources, word)
		}
	}
	switch {
	case into != nil:
		f.destination(into.word, at(into.pieces, f.folder, f.place), sources, true, false)
	case last != nil && !(f.elsewhere(last.Text)):
		folder := len(sources) > 1 || strings.HasSuffix(last.Text, "/") || last.Text == "." || last.Text == ".."
		f.destination(*last, at(last.Pieces(), f.folder, f.place), f.allSources(last), folder, true)
	case last == nil && len(sources) == 1 && !f.command.Hosts && slices.ContainsFunc(list, func(o catalog.Operand) bool { return change(o.Role) == catalog.RoleTo }):
		f.destination(sources[0], f.folder, sources, true, false)
	}
	if !found && f.effects.Has(catalog.EffectBelow) && slices.ContainsFunc(list, func(o catalog.Operand) bool { return change(o.Role) == catalog.RoleRead }) &&
		!slices.ContainsFunc(list, func(o catalog.Operand) bool { return o.Role == catalog.RoleTo }) {
		f.add(Touch{Action: Read, Path: f.folder, Reach: Below, Word: f.word()})
	}
}

// allSources are the operands in front of the destination, those on other machines
// among them.
func (f *finder) allSources(last *argv.Arg) (list []argv.Arg) {
	for k := range f.operands {
		if &f.operands[k] != last {
			list = append(list, f.operands[k])
		}
	}
	return list
}

// assign gives n operands their roles. With into, the operand where files go
// stands under an option.
func assign(list []catalog.Operand, n int, into bool) []catalog.Role {
	if into {
		list = slices.DeleteFunc(slices.Clone(list), func(o catalog.Operand) bool { return o.Role == catalog.RoleTo })
	}
	roles := make([]catalog.Role, n)
	more := slices.IndexFunc(list, func(o catalog.Operand) bool { return o.Repeats })
	for k := range roles {
		switch {
		case more < 0 && k < len(list):
			roles[k] = list[k].Role
		case more < 0:
			roles[k] = catalog.RolePlain
		case k < more:
			roles[k] = list[k].Role
		case n-k <= len(list)-1-more && n >= len(list):
			roles[k] = list[len(list)-(n-k)].Role
		default:
			roles[k] = list[more].Role
		}
	}
	return roles
}

// elsewhere reports an operand on another machine: a colon before any slash.
func (f *finder) elsewhere(text string) bool {
	if !f.command.Hosts {
		return false
	}
	host, _, ok := strings.Cut(text, ":")
	drive := f.place.Windows() && len(host) == 1
	return ok && !drive && !strings.Contains(host, "/") || strings.Contains(text, "://")
}

// touch adds what a word with a role names.
func (f *finder) touch(role catalog.Role, word argv.Arg, pieces argv.Text, effects catalog.Effects) {
	reach := Itself
	switch {
	case effects.Has(catalog.EffectBelow):
		reach = Below
	case effects.Has(catalog.EffectTree):
		reach = Tree
	case effects.Has(catalog.EffectListing):
		reach = Listing
	}
	switch role {
	case catalog.RoleContent:
		f.content(word, pieces)
		return
	case catalog.RoleAddress:
		f.address(word, pieces)
		return
	default: // its text is a path, or nothing that is touched
	}
	if !role.Reads() && !role.Writes() {
		return
	}
	if len(pieces) == 1 && pieces[0].Kind == argv.Plain && standard(pieces[0].Text) {
		return
	}
	p := at(pieces, f.folder, f.place)
	if list := f.found(p); list != nil && effects.Has(catalog.EffectBelow) && role.Writes() {
		f.out = append(f.out, list...)
		return
	}
	one := func(a Action, p Path, reach Reach) { f.add(Touch{Action: a, Path: p, Reach: reach, Word: word}) }
	switch role {
	case catalog.RoleRead, catalog.RoleList:
		one(Read, p, reach)
		f.object(word)
	case catalog.RoleScript:
		one(Execute, p, Itself)
	case catalog.RoleRef:
		f.add(Touch{Action: Write, Path: p, Reach: reach, Maybe: word.Start < f.behind, Word: word})
	case catalog.RoleFill:
		one(Write, p, Tree)
	case catalog.RoleWrite, catalog.RoleTo:
		one(Write, p, reach)
	case catalog.RolePrefix:
		one(Write, p.more(false), Itself)
	case catalog.RoleDelete:
		one(Delete, p, reach)
	case catalog.RoleMove:
		one(Read, p, Tree)
		one(Delete, p, Tree)
	case catalog.RoleOpen:
		one(Read, p, reach)
		one(Write, p, reach)
	case catalog.RoleEdit:
		one(Write, p, reach)
		if one(Write, p.more(false), Itself); strings.HasSuffix(word.Text, "/") {
			one(Write, p.join(unknownName), Itself)
		}
	case catalog.RoleReplace:
		one(Read, p, reach)
		one(Delete, p, reach)
		one(Write, p.more(true), Itself)
	case catalog.RoleBeside:
		one(Read, p, reach)
		one(Write, p.more(true), Itself)
	default: // the word names no file
	}
	if effects.Has(catalog.EffectParents) && role.Writes() {
		f.parents(word, pieces, role)
	}
}

// parents adds the folders above a path, as its word spells them.
func (f *finder) parents(word argv.Arg, pieces argv.Text, role catalog.Role) {
	action := Write
	if role == catalog.RoleDelete {
		action = Delete
	}
	text := pieces
	for k := len(text) - 1; k >= 0; k-- {
		for {
			cut := strings.LastIndexByte(strings.TrimSuffix(text[k].Text, "/"), '/')
			if cut < 1 {
				break
			}
			head := slices.Clone(text[:k+1])
			head[k].Text = head[k].Text[:cut]
			text = head
			above := at(head, f.folder, f.place)
			if action == Write && leadsTo(above, at(pieces, f.folder, f.place)) {
				continue // that it is made goes without saying
			}
			f.add(Touch{Action: action, Path: above, Word: word})
		}
	}
}

// leadsTo reports that a known folder is the path or stands above it.
func leadsTo(folder, p Path) bool {
	n := len(folder.known)
	return len(folder.rest) == 0 && folder.placed && p.placed && n <= len(p.known) && slices.Equal(folder.known, p.known[:n])
}

// found lists what is deleted of the files below a folder when options say which
// names are looked for; nil when none does.
func (f *finder) found(folder Path) (list []Touch) {
	for _, v := range f.values {
		if v.option.Role != catalog.RoleName {
			continue
		}
		n := name{wide: true}
		for _, p := range v.pieces {
			if p.Kind == argv.Plain && strings.ContainsAny(p.Text, "*?[") {
				p.Kind = argv.Glob
			}
			n.pieces = append(n.pieces, p)
		}
		list = append(list, Touch{Action: Delete, Path: folder.join(n), Reach: Tree, Word: v.word},
			Touch{Action: Delete, Path: folder.join(unknownName, n), Reach: Tree, Word: v.word})
		if last, ok := folder.last(); ok {
			if plain, known := last.plain(); !known || n.may(plain, true) {
				list = append(list, Touch{Action: Delete, Path: folder, Reach: Tree, Word: v.word})
			}
		}
	}
	return list
}

// content adds the file of a value that holds text, or a file's name behind @.
func (f *finder) content(word argv.Arg, pieces argv.Text) {
	text := pieces[0].Text
	if pieces[0].Kind != argv.Plain {
		return
	}
	_, after, found := strings.Cut(text, "@")
	if !found {
		if _, after, found = strings.Cut(text, "=<"); !found {
			return
		}
	}
	after, _, _ = strings.Cut(after, ";")
	rest := append(argv.Text{{Text: after}}, pieces[1:]...)
	if after == "-" && len(rest) == 1 {
		return
	}
	f.add(Touch{Action: Read, Path: at(rest, f.folder, f.place), Word: word})
}

// address adds the file of an address that begins with file:, which is read.
func (f *finder) address(word argv.Arg, pieces argv.Text) {
	const scheme = "file:"
	text := pieces[0].Text
	if pieces[0].Kind != argv.Plain || len(text) < len(scheme) || !strings.EqualFold(text[:len(scheme)], scheme) {
		return
	}
	text = text[len(scheme):]
	if rest, ok := strings.CutPrefix(text, "//"); ok {
		host, path, _ := strings.Cut(rest, "/")
		if host != "" && !strings.EqualFold(host, "localhost") && host != "127.0.0.1" {
			return
		}
		text = "/" + path
	}
	f.add(Touch{Action: Read, Path: at(append(argv.Text{{Text: text}}, pieces[1:]...), f.folder, f.place), Word: word})
}

// object adds the file behind a colon, as in HEAD:file and :0:file.
func (f *finder) object(word argv.Arg) {
	if !f.command.Objects {
		return
	}
	at := strings.IndexByte(word.Text, ':')
	if at == 0 && len(word.Text) > 2 && word.Text[2] == ':' {
		at = 2 // the stage of a conflict
	}
	if at >= 0 {
		f.add(Touch{Action: Read, Path: f.folder.join(names(cut(&word, at+1), false)...), Word: word})
	}
}

// standard reports a name that is the input or output, or no file that keeps
// what is written.
func standard(name string) bool {
	return name == "-" || name == "" || name == "/dev/null" || name == "/dev/stdin" || name == "/dev/stdout" || name == "/dev/stderr" || name == "/dev/tty" ||
		strings.HasPrefix(name, "/dev/fd/")
}

func (f *finder) add(t Touch) {
	f.out = append(f.out, t)
	if t.Action == Write && f.effects.Has(catalog.EffectBackups) {
		t.Path = t.Path.more(false)
		f.out = append(f.out, t)
	}
}
