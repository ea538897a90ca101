package touch

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/paths"
	"github.com/pigate/pigate/internal/gate/possible"
)

// Match is whether a path is, or may be, what is asked for.
type Match uint8

// The three answers.
const (
	No Match = iota
	Perhaps
	Yes
)

// May reports that one spelling of what the path may be matches the pattern of a
// rule: absolute, relative to the project at root, or behind "~/". Both folders are
// absolute. With below, a file somewhere below the path counts instead.
func (p Path) May(pattern, root, home string, fold, below bool) bool {
	for _, t := range p.texts(root, home, fold) {
		if below {
			t.Literal("/")
			t.Many(possible.Every)
		}
		if t.Meets(pattern, fold) {
			return true
		}
	}
	if abs, ok := p.Known(); ok && below { // below the project itself names stand without a folder in front
		if _, inside := paths.Inside(root, abs, fold); inside {
			if rel, _ := paths.Inside(root, abs, fold); rel == "." {
				var any possible.Text
				any.Many(possible.Every)
				return !rooted(pattern) && any.Meets(pattern, fold)
			}
			return !rooted(pattern) // above the project
		}
	}
	return false
}

func rooted(pattern string) bool {
	return strings.HasPrefix(pattern, "/") || strings.HasPrefix(pattern, "~") || len(pattern) > 1 && pattern[1] == ':'
}

// texts are the spellings of what the path may be.
func (p Path) texts(root, home string, fold bool) (list []possible.Text) {
	if !p.placed {
		var t possible.Text
		t.Optional(func(t *possible.Text) {
			t.Many(possible.Every)
			if len(p.rest) > 0 {
				t.Literal("/")
			}
		})
		p.tail(&t, false)
		return []possible.Text{t}
	}
	folder := p.knownFolder()
	add := func(head string) {
		var t possible.Text
		t.Literal(head)
		p.tail(&t, head != "" && !strings.HasSuffix(head, "/"))
		list = append(list, t)
	}
	add(folder)
	if rel, inside := paths.Inside(folder, root, fold); inside {
		if rel == "." && len(p.rest) > 0 {
			rel = ""
		}
		add(rel)
	}
	if rel, inside := paths.Inside(folder, home, fold); home != "" && inside {
		if rel == "." {
			add("~")
		} else {
			add("~/" + rel)
		}
	}
	return list
}

func (p Path) tail(t *possible.Text, slash bool) {
	for _, n := range p.rest {
		if slash {
			t.Literal("/")
		}
		n.into(t)
		slash = true
	}
}

// Within says whether the path is the base or lies below it; base is absolute.
// A name of which nothing is known counts only behind the base's name at anchor,
// so that not every variable may be every file.
func (p Path) Within(base string, anchor int, fold bool) Match {
	return p.relation(base, anchor, fold, false)
}

// Holds says whether the path is a folder above the base.
func (p Path) Holds(base string, anchor int, fold bool) Match {
	return p.relation(base, anchor, fold, true)
}

// Depth is the number of names in an absolute path, by which an anchor counts:
// that of the last name of the path is Depth less one.
func Depth(abs string) int { return len(split(abs)) }

// Depth is the number of names in the path, as far as they are told.
func (p Path) Depth() int { return len(p.known) + len(p.rest) }

// relation compares the path with a base, name by name.
func (p Path) relation(base string, anchor int, fold, above bool) Match {
	names := split(base)
	if !p.placed {
		return p.looseRelation(names, anchor, fold, above)
	}
	sure := Yes
	for k, n := range p.known {
		if k == len(names) {
			return yesUnless(above)
		}
		switch {
		case same(n, names[k], fold):
		case fold && shortFor(n, names[k]):
			sure = Perhaps
		default:
			return No
		}
	}
	return align(p.rest, names, len(p.known), anchor, fold, above, sure)
}

func yesUnless(above bool) Match {
	if above {
		return No
	}
	return Yes
}

// align compares names that are not known with those of a base from index k on.
func align(rest []name, names []string, k, anchor int, fold, above bool, sure Match) Match {
	for i, n := range rest {
		sure = Perhaps
		switch {
		case k >= len(names):
			if above {
				return No
			}
			return Perhaps
		case n.open():
			if k > anchor {
				return Perhaps
			}
			deep := Path{rest: rest[i+1:]}
			return deep.looseRelation(names, anchor, fold, above)
		case !n.may(names[k], fold) && !n.spans():
			return No
		case n.spans():
			if !n.reaches(names[k:], fold) {
				return No
			}
			return Perhaps
		}
		k++
	}
	if (k < len(names)) != above {
		return No
	}
	return sure
}

// reaches reports that a name with something unknown in it may begin the names.
func (n name) reaches(names []string, fold bool) bool {
	var t possible.Text
	n.into(&t)
	t.Optional(func(t *possible.Text) {
		t.Literal("/")
		t.Many(possible.Every)
	})
	for k := range names {
		if t.Meets(escape(strings.Join(names[:k+1], "/")), fold) {
			return true
		}
	}
	return false
}

// looseRelation compares a path below a folder that is not known: what is
// written of it must hold the base's name at anchor.
func (p Path) looseRelation(names []string, anchor int, fold, above bool) Match {
	for from := range names {
		if from > anchor {
			break
		}
		k, at := from, false
		for _, n := range p.rest {
			if k >= len(names) {
				if at && !above {
					return Perhaps
				}
				break
			}
			if n.open() {
				if at {
					return Perhaps
				}
				k = -1
				break
			}
			if !n.may(names[k], fold) {
				k = -1
				break
			}
			at = at || k == anchor
			k++
		}
		if k > 0 && at && (k < len(names)) == above {
			return Perhaps
		}
	}
	return No
}

// Below lists, for each name of the path that is or may be name, the names
// behind it, so that a caller may look for what stands below such a folder
// wherever it is. Sure reports that the name is that one.
func (p Path) Below(folder string, fold bool) (tails []Tail) {
	for k, n := range p.known {
		if same(n, folder, fold) || fold && shortFor(n, folder) {
			tails = append(tails, Tail{p.known[k+1:], p.rest})
		}
	}
	for k, n := range p.rest {
		if !n.open() && n.may(folder, fold) {
			tails = append(tails, Tail{nil, p.rest[k+1:]})
		}
	}
	return tails
}

// Tail is the part of a path behind one of its names.
type Tail struct {
	known []string
	rest  []name
}

// Empty reports that nothing stands behind the name.
func (t Tail) Empty() bool { return len(t.known)+len(t.rest) == 0 }

// Within says whether the tail is the relative path base or lies below it, Holds
// whether it is a folder above it.
func (t Tail) Within(base string, fold bool) Match { return t.relation(base, fold, false) }

// Holds is described at Within.
func (t Tail) Holds(base string, fold bool) Match { return t.relation(base, fold, true) }

func (t Tail) relation(base string, fold, above bool) Match {
	p := Path{known: t.known, rest: t.rest, placed: true}
	return p.relation(base, -1, fold, above)
}

// Cut returns the tail without its first names.
func (t Tail) Cut(n int) (Tail, bool) {
	if n <= len(t.known) {
		return Tail{t.known[n:], t.rest}, true
	}
	if n -= len(t.known); n <= len(t.rest) {
		return Tail{nil, t.rest[n:]}, true
	}
	return Tail{}, false
}
