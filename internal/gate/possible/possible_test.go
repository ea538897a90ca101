package possible_test

import (
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/possible"
	"pgregory.net/rapid"
)

func text(build func(*possible.Text)) possible.Text {
	var t possible.Text
	build(&t)
	return t
}

func TestMeets(t *testing.T) {
	unknown := text(func(t *possible.Text) { t.Literal("rm -rf "); t.Many(possible.Every) })
	name := text(func(t *possible.Text) { t.Literal("cat "); t.One(possible.NoDash); t.Many(possible.NoSlash) })
	optional := text(func(t *possible.Text) {
		t.Literal("git")
		t.Optional(func(t *possible.Text) { t.Literal(" "); t.Many(possible.Every) })
		t.Literal(" push")
	})
	repeated := text(func(t *possible.Text) {
		t.Literal("cp")
		t.Repeated(func(t *possible.Text) { t.Literal(" .e"); t.Many(possible.NoBlank) })
	})
	either := text(func(t *possible.Text) {
		t.Literal("ls ")
		t.Either(func(t *possible.Text) { t.Literal("a") }, func(t *possible.Text) { t.Literal("bc") })
		t.Literal("!")
	})
	set := text(func(t *possible.Text) {
		t.OneOf(possible.NoSlash, possible.Set{Chars: "-.", Letters: true})
		t.OneOf(possible.NoSlash, possible.Set{Chars: "x", Not: true})
	})
	for _, c := range []struct {
		text    possible.Text
		pattern string
		want    bool
	}{
		{unknown, "rm -rf /*", true}, {unknown, "rm -r *", false}, {unknown, "rm *", true}, {unknown, "rm -rf", false}, {unknown, "rm -rf *", true},
		{name, "cat .env", true}, {name, "cat .env *", true}, {name, "cat -n", false}, {name, "cat /etc/*", false}, {name, "cat ?", true}, {name, "cat", false},
		{optional, "git push *", true}, {optional, "git * push", true}, {optional, "git push", true}, {optional, "git pull", false},
		{repeated, "cp .ea .eb", true}, {repeated, "cp .e .e .e *", true}, {repeated, "cp x *", false}, {repeated, "cp", false},
		{either, "ls a!", true}, {either, "ls bc!", true}, {either, "ls abc!", false}, {either, `ls \a!`, false}, {either, "LS A!", false},
		{set, "-a", true}, {set, "Zy", true}, {set, "-x", false}, {set, "1a", false}, {set, "a/", false}, {set, "??", true}, {set, "?", false},
		{possible.Text{}, "", true}, {possible.Text{}, "*", true}, {possible.Text{}, "?", false},
	} {
		if got := c.text.Meets(c.pattern, false); got != c.want {
			t.Errorf("%v meets %q: %v", c.text, c.pattern, got)
		}
	}
	if !either.Meets("LS A!", true) {
		t.Error("letter case counts with fold")
	}
	if star := text(func(t *possible.Text) { t.Literal("*") }); !star.Meets(`\*`, false) || star.Meets(`\?`, false) {
		t.Error("an escaped wildcard is not itself")
	}
}

// A text that is known meets a pattern when the pattern, tried in the plainest
// way, matches it; and it still does when some of it is unknown.
func TestMeetsWhatMatches(t *testing.T) {
	met := 0
	rapid.Check(t, func(t *rapid.T) {
		known := rapid.StringMatching(`[ab /-]{0,7}`).Draw(t, "text")
		pattern := rapid.StringMatching(`[ab /*?-]{0,6}`).Draw(t, "pattern")
		want := matches(pattern, known) || strings.HasSuffix(pattern, " *") && matches(strings.TrimSuffix(pattern, " *"), known)
		if got := text(func(t *possible.Text) { t.Literal(known) }).Meets(pattern, false); got != want {
			t.Fatalf("%q meets %q: %v", known, pattern, got)
		}
		if !want {
			return
		}
		met++
		open := text(func(p *possible.Text) {
			for _, r := range known {
				switch part := rapid.IntRange(0, 5).Draw(t, "part"); part {
				case 0:
					p.Many(possible.Every)
				case 1:
					p.One(possible.Every)
				case 2:
					p.Optional(func(p *possible.Text) { p.Literal(string(r)) })
				case 3:
					p.Repeated(func(p *possible.Text) { p.Literal(string(r)) })
				case 4:
					p.Either(func(p *possible.Text) { p.Literal("xy") }, func(p *possible.Text) { p.Literal(string(r)) })
				default:
					p.Literal(string(r))
				}
			}
		})
		if !open.Meets(pattern, false) {
			t.Fatalf("%v, which holds %q, does not meet %q", open, known, pattern)
		}
	})
	if met == 0 {
		t.Fatal("no pattern matched")
	}
}

// matches tries every length for each star.
func matches(pattern, s string) bool {
	switch {
	case pattern == "":
		return s == ""
	case pattern[0] == '*':
		return matches(pattern[1:], s) || s != "" && matches(pattern, s[1:])
	}
	return s != "" && (pattern[0] == '?' || pattern[0] == s[0]) && matches(pattern[1:], s[1:])
}

// A text longer than what is looked at ends in any text at all.
func TestMeetsLong(t *testing.T) {
	long := text(func(t *possible.Text) {
		t.Literal(strings.Repeat("x", 5000))
		t.Optional(func(t *possible.Text) { t.Literal("y") })
		t.Literal("z")
	})
	if !long.Meets("x*z", false) || !long.Meets("x*q", false) || long.Meets("y*", false) {
		t.Error("a long text is cut wrongly")
	}
}
