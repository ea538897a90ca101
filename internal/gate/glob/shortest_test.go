package glob_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/glob"
)

// TestShortestAgreesWithEveryShortText judges the search by trying all texts of up
// to five characters. PIGATE_JUDGE_SEED draws other patterns.
func TestShortestAgreesWithEveryShortText(t *testing.T) {
	seed, err := strconv.ParseUint(os.Getenv("PIGATE_JUDGE_SEED"), 10, 64)
	if err != nil {
		seed = 12
	}
	draw := rand.New(rand.NewPCG(seed, 1))
	short := []string{""}
	for from := 0; len(short[from]) < 5; from++ {
		for _, c := range "abx " {
			short = append(short, short[from]+string(c))
		}
	}
	pattern := func() glob.Pattern {
		var b strings.Builder
		for range 1 + draw.IntN(5) {
			b.WriteString([]string{"a", "b", "a", "b", "*", "?", " *", " "}[draw.IntN(8)])
		}
		return glob.CompileRule(b.String())
	}
	found, empty := 0, 0
	for range 4000 {
		var all, none []glob.Pattern
		for range 1 + draw.IntN(2) {
			all = append(all, pattern())
		}
		for range draw.IntN(3) {
			none = append(none, pattern())
		}
		is := func(text string) bool {
			return !slices.ContainsFunc(all, func(p glob.Pattern) bool { return !p.Match(text, false) }) &&
				!slices.ContainsFunc(none, func(p glob.Pattern) bool { return p.Match(text, false) })
		}
		name := fmt.Sprintf("all %v, none %v", all, none)
		var texts []string
		whole := glob.Shortest(all, none, func(text string) bool {
			texts = append(texts, text)
			return len(texts) < 20
		})
		for i, text := range texts {
			if !is(text) {
				t.Fatalf("%s: %q is none", name, text)
			}
			if i > 0 && len(text) < len(texts[i-1]) {
				t.Fatalf("%s: %q comes after %q", name, text, texts[i-1])
			}
		}
		at := slices.IndexFunc(short, is)
		switch {
		case at < 0 && len(texts) > 0 && len(texts[0]) <= 5 && !strings.ContainsAny(texts[0], "yz"):
			t.Fatalf("%s: %q was found, and is none of the short texts", name, texts[0])
		case at >= 0 && (len(texts) == 0 || len(texts[0]) != len(short[at])):
			t.Fatalf("%s: found %q, and %q is the shortest", name, texts, short[at])
		case len(texts) == 0 && !whole:
			t.Fatalf("%s: the search did not end", name)
		case len(texts) == 0:
			empty++
		default:
			found++
		}
	}
	t.Logf("judged 4000 searches: %d with a text, %d without", found, empty)
	if found < 500 || empty < 500 {
		t.Errorf("%d searches found a text and %d none: the test tells little", found, empty)
	}
}

func TestShortestOfRules(t *testing.T) {
	for _, c := range []struct {
		all, none []string
		want      string
	}{
		{[]string{"git *", "git push *"}, nil, "git push"},
		{[]string{"git *"}, []string{"git"}, "git "},
		{[]string{"git status *", "git push *"}, nil, "-"},
		{[]string{"npm run *", "*deploy*"}, nil, "npm run deploy"},
		{[]string{"src/*", "*.go"}, []string{"src/*"}, "-"},
		{[]string{`a\*b`}, nil, "a*b"},
	} {
		compile := func(list []string) (patterns []glob.Pattern) {
			for _, p := range list {
				patterns = append(patterns, glob.CompileRule(p))
			}
			return patterns
		}
		got := "-"
		whole := glob.Shortest(compile(c.all), compile(c.none), func(text string) bool { got = text; return false })
		if got != c.want || whole != (got == "-") {
			t.Errorf("%q without %q: %q (whole %v), want %q", c.all, c.none, got, whole, c.want)
		}
	}
}
