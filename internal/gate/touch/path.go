package touch

import (
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"path"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/paths"
	"github.com/pigate/pigate/internal/gate/possible"
)

// Path is the absolute path of a file as far as a command tells it. The zero
// Path is any file at all.
type Path struct {
	// known are the names, from the root on, that are known; they hold the drive
	// or host of Windows. rest are the names behind them, the first of which is
	// not known.
	known []string
	rest  []name
	// placed reports that the path begins at the root; else it is below a folder
	// of which nothing is known, and known is empty.
	placed bool
}

// name is a name in a path that is not known to the last character, or one
// behind such a name.
type name struct {
	pieces argv.Text
	wide   bool // patterns in it match names that begin with a dot
}

// unknownName is a name, or several, of which nothing is known.
var unknownName = name{pieces: argv.Text{{Kind: argv.Unknown}}}

// plain returns the name when all of it is known.
func (n name) plain() (string, bool) {
	var b strings.Builder
	for _, p := range n.pieces {
		if p.Kind != argv.Plain {
			return "", false
		}
		b.WriteString(p.Text)
	}
	return b.String(), true
}

// open reports a name that is not told, of which nothing is known.
func (n name) open() bool {
	return n.spans() && !slices.ContainsFunc(n.pieces, func(p argv.Chunk) bool {
		return p.Kind != argv.Unknown && (p.Kind != argv.Glob || p.Text != "*")
	})
}

// spans reports a name that may hold slashes, and so be several.
func (n name) spans() bool {
	return slices.ContainsFunc(n.pieces, func(p argv.Chunk) bool { return p.Kind == argv.Unknown })
}

// into adds what the name may be.
func (n name) into(t *possible.Text) {
	start := true
	for _, p := range n.pieces {
		switch p.Kind {
		case argv.Glob:
			start = p.Matches(t, n.wide, start)
			continue
		case argv.Unknown:
			t.Many(possible.Every)
			continue
		case argv.Plain, argv.Home:
			t.Literal(p.Text)
		}
		start = false
	}
}

// may reports that the name may be this one.
func (n name) may(text string, fold bool) bool {
	if plain, ok := n.plain(); ok {
		return same(plain, text, fold) || fold && shortFor(plain, text)
	}
	var t possible.Text
	n.into(&t)
	if fold {
		return t.Meets(escape(text), true)
	}
	return t.MeetsText(text)
}

func same(a, b string, fold bool) bool { return a == b || fold && strings.EqualFold(a, b) }

// escape writes a text as the pattern that matches it alone.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`).Replace(text)
}

// shortFor reports that a name is a short one of Windows (GIT~1, SETTIN~1.JSO)
// that may stand for the long one.
func shortFor(short, long string) bool {
	stem, rest, ok := strings.Cut(short, "~")
	if !ok || stem == "" || len(stem) > 6 || rest == "" || rest[0] < '0' || rest[0] > '9' {
		return false
	}
	long = strings.ToUpper(strings.TrimLeft(strings.ReplaceAll(long, " ", ""), "."))
	stem = strings.ToUpper(stem)
	if strings.HasPrefix(long, stem) {
		return true
	}
	// From the fifth of a kind on it is two letters and a number made of the name.
	return len(stem) == 6 && strings.HasPrefix(long, stem[:2]) && strings.Trim(stem[2:], "0123456789ABCDEF") == ""
}

// Plain is the path of a known file; abs is absolute and clean, with forward
// slashes, as package paths has it.
func Plain(abs string) Path { return Path{known: split(abs), placed: true} }

func split(abs string) []string {
	var list []string
	for part := range strings.SplitSeq(abs, "/") {
		if part != "" {
			list = append(list, part)
		}
	}
	if strings.HasPrefix(abs, "//") && len(list) > 0 {
		list[0] = "//" + list[0]
	}
	return list
}

// Long returns the paths that one with short names of Windows in it (GIT~1,
// SETTIN~1.JSO) may stand for; nil when it holds none.
func (p Path) Long() []Path {
	k := slices.IndexFunc(p.known, func(n string) bool { return shortFor(n, strings.Replace(n, "~", "", 1)) })
	if k < 0 {
		return nil
	}
	stem, _, _ := strings.Cut(p.known[k], "~")
	stems := []string{stem}
	if len(stem) == 6 {
		stems = append(stems, stem[:2])
	}
	var out []Path
	for _, stem := range stems {
		for _, dot := range []string{"", "."} {
			q := Path{known: p.known[:k:k], placed: p.placed}
			long := []name{{pieces: argv.Text{{Text: dot + stem}, {Kind: argv.Glob, Text: "*"}}}}
			for _, n := range p.known[k+1:] {
				long = append(long, name{pieces: argv.Text{{Text: n}}})
			}
			out = append(out, q.join(append(long, p.rest...)...))
		}
	}
	return out
}

// Known returns the absolute path when all of it is known.
func (p Path) Known() (abs string, ok bool) {
	if !p.placed || len(p.rest) > 0 {
		return "", false
	}
	return p.knownFolder(), true
}

// String writes the path for people: what is not known as "…", patterns as they
// stand.
func (p Path) String() string {
	var b strings.Builder
	if p.placed {
		b.WriteString(p.knownFolder())
	} else {
		b.WriteString("…")
	}
	for _, n := range p.rest {
		if !strings.HasSuffix(b.String(), "/") {
			b.WriteByte('/')
		}
		for _, piece := range n.pieces {
			if piece.Kind == argv.Unknown {
				b.WriteString("…")
			}
			b.WriteString(piece.Text)
		}
	}
	return b.String()
}

// knownFolder is the part that is known.
func (p Path) knownFolder() string {
	joined := strings.Join(p.known, "/")
	if len(p.known) > 0 && (strings.HasSuffix(p.known[0], ":") || strings.HasPrefix(p.known[0], "//")) {
		if len(p.known) == 1 {
			return joined + "/"
		}
		return joined
	}
	return "/" + joined
}

// Folder returns the folder that all of what the path may be lies below, or the
// path itself when it is known; ok is false when there is none.
func (p Path) Folder() (abs string, ok bool) { return p.knownFolder(), p.placed }

// Unknown reports that a name in the path is not told.
func (p Path) Unknown() bool { return slices.ContainsFunc(p.rest, name.spans) }

// join returns the path of names below a folder.
func (p Path) join(names ...name) Path {
	out := Path{known: slices.Clone(p.known), rest: slices.Clone(p.rest), placed: p.placed}
	for _, n := range names {
		plain, known := n.plain()
		switch {
		case known && (plain == "" || plain == "."):
		case known && plain == "..":
			out = out.parent()
		case !out.placed && len(out.rest) == 0 && n.open(): // below such a folder it says nothing
		case known && len(out.rest) == 0 && out.placed:
			out.known = append(out.known, plain)
		default:
			out.rest = append(out.rest, n)
		}
	}
	return out
}

// parent is the folder that holds the path.
func (p Path) parent() Path {
	switch n := len(p.rest); {
	case n > 0 && p.rest[n-1].spans():
		return Path{known: p.known, placed: p.placed, rest: []name{unknownName}}
	case n > 0:
		p.rest = p.rest[:n-1]
	case len(p.known) > 0 && (len(p.known) > 1 || !strings.HasSuffix(p.known[0], ":")):
		p.known = p.known[:len(p.known)-1]
	case !p.placed:
		p.rest = []name{unknownName}
	}
	return p
}

// last is the last name of the path; ok is false at the root.
func (p Path) last() (n name, ok bool) {
	if k := len(p.rest); k > 0 {
		return p.rest[k-1], true
	}
	if k := len(p.known); k > 0 && p.placed {
		return name{pieces: argv.Text{{Text: p.known[k-1]}}}, true
	}
	return n, false
}

// more returns the path with something behind its last name: a suffix that is
// not known.
func (p Path) more(stem bool) Path {
	n, ok := p.last()
	if !ok || n.open() {
		return p
	}
	pieces := slices.Clone(n.pieces)
	if plain, known := n.plain(); known && stem {
		if ext := path.Ext(plain); ext != plain {
			pieces = argv.Text{{Text: strings.TrimSuffix(plain, ext)}}
		}
	}
	n.pieces = append(pieces, argv.Chunk{Kind: argv.Glob, Text: "*"})
	return p.parent().join(n)
}

// at returns the path that a word names for a command that works in a folder.
func at(word argv.Text, folder Path, where place) Path {
	wide := where.wide
	if len(word) == 0 {
		return folder
	}
	if where.backslash {
		word = slices.Clone(word)
		for k := range word {
			word[k].Text = strings.ReplaceAll(word[k].Text, `\`, "/")
		}
	}
	// The folders in front of a pattern are spelled out.
	if head := word[0]; head.Kind == argv.Glob {
		end := strings.IndexAny(head.Text, "*?[")
		if end < 0 {
			end = len(head.Text)
		}
		if cut := strings.LastIndexByte(head.Text[:end], '/') + 1; cut > 0 {
			word = append(argv.Text{{Text: head.Text[:cut]}, {Kind: argv.Glob, Text: head.Text[cut:]}}, word[1:]...)
		}
	}
	first, base := word[0], folder
	switch {
	case first.Kind == argv.Unknown: // it may begin at the root
		base = Path{}
	case first.Kind == argv.Home:
		base = where.home(first.Text, folder)
		word = word[1:]
	case first.Kind == argv.Plain:
		head, tail := first.Text, ""
		if len(word) > 1 {
			cut := strings.LastIndexByte(head, '/') + 1
			head, tail = head[:cut], head[cut:]
		}
		if head == "" {
			break
		}
		base = where.plain(head, folder)
		word = append(argv.Text{{Text: tail}}, word[1:]...)
	}
	return base.join(names(word, wide)...)
}

// names splits pieces at slashes.
func names(word argv.Text, wide bool) (list []name) {
	now := name{wide: wide}
	for _, p := range word {
		if p.Kind == argv.Unknown {
			now.pieces = append(now.pieces, p)
			continue
		}
		for k, part := range strings.Split(p.Text, "/") {
			if k > 0 {
				list, now = append(list, now), name{wide: wide}
			}
			if part != "" {
				piece := argv.Chunk{Kind: p.Kind, Text: part}
				if p.Kind == argv.Glob && !strings.ContainsAny(part, "*?[") {
					piece.Kind = argv.Plain
				}
				now.pieces = append(now.pieces, piece)
			}
		}
	}
	return append(list, now)
}

// place is what spelling a path depends on.
type place struct {
	paths.Place
	wide      bool
	backslash bool // a backslash separates folders
}

// home is the folder that a tilde with a name behind it means.
func (w place) home(tilde string, folder Path) Path {
	home := paths.Slash(w.Home, w.Place)
	user := strings.TrimPrefix(tilde, "~")
	switch {
	case tilde == "~+":
		return folder
	case home == "":
		return Path{}
	case user == "" || same(user, path.Base(home), w.FoldCase()):
		return Plain(home)
	case user == "-":
		return Path{}
	}
	return Plain(path.Dir(home) + "/" + user)
}

// plain is the path that a text without expansions means.
func (w place) plain(text string, folder Path) Path {
	if strings.HasPrefix(text, "~") { // in quotes it is a name, and is read as the other thing too
		user, rest, _ := strings.Cut(text, "/")
		return w.home(user, folder).join(names(argv.Text{{Text: rest}}, false)...)
	}
	from := w.Place
	cwd, known := folder.Known()
	if from.Cwd = cwd; known || paths.Rooted(text, from) || w.Windows() && strings.HasPrefix(text, `\`) {
		if !known {
			from.Cwd = "/"
		}
		if abs, ok := paths.ShellTarget(text, from); ok {
			return Plain(abs)
		}
	}
	return folder.join(names(argv.Text{{Text: text}}, false)...)
}
