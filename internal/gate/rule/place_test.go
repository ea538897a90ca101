package rule_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/rule"
)

func parse(t *testing.T, text string) rule.Rule {
	t.Helper()
	r, err := rule.Parse(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return r
}

func TestRulesOfAnotherFolder(t *testing.T) {
	for _, c := range []struct{ rule, below, under string }{
		{"edit:packages/a/src/*", "edit:src/*", "edit:/r/packages/a/src/*"},
		{"edit:*", "edit:*", "edit:*"},
		{"edit:packages/*", "edit:*", "edit:/r/packages/*"},
		{"edit:packages/*/x", "edit:*/x edit:x", "edit:/r/packages/*/x"},
		{"edit:docs/*", "", "edit:/r/docs/*"},
		{"edit:packages/a", "", "edit:/r/packages/a"},
		{"edit:packages/a/ *", "", "edit:/r/packages/a/ *"},
		{"edit:packages/a/~/x", "", "edit:/r/packages/a/~/x"},
		{"read:.env*", "", "read:/r/.env*"},
		{"edit:/etc/*", "edit:/etc/*", "edit:/etc/*"},
		{"edit:~/.ssh/*", "edit:~/.ssh/*", "edit:~/.ssh/*"},
		{"edit", "edit", "edit"},
		{"shell:make *", "shell:make *", "shell:make *"},
		{"mcp:a:b", "mcp:a:b", "mcp:a:b"},
	} {
		r := parse(t, c.rule)
		var texts []string
		for _, b := range r.Below("packages/a") {
			texts = append(texts, b.Text)
		}
		if got := strings.Join(texts, " "); got != c.below {
			t.Errorf("%s below packages/a: %q, want %q", c.rule, got, c.below)
		}
		if got := r.Under("/r").Text; got != c.under {
			t.Errorf("%s under /r: %q, want %q", c.rule, got, c.under)
		}
	}
	if r, err := parse(t, "edit:src/*").Above("packages/a"); err != nil || r.Text != "edit:packages/a/src/*" {
		t.Errorf("above: %q %v", r.Text, err)
	}
	if _, err := parse(t, "edit:src/*").Above("a*b"); err == nil {
		t.Error("a folder whose name has a star gives a rule")
	}
}

// A rule carried into another folder matches there what it matched before:
// for denying no less, for allowing no more.
func TestPlacesAgree(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 7))
	text := func(alphabet string, most int) string {
		var b strings.Builder
		for range 1 + draw.IntN(most) {
			b.WriteByte(alphabet[draw.IntN(len(alphabet))])
		}
		return b.String()
	}
	matched := 0
	for range 60_000 {
		r, err := rule.Parse("edit:" + text("ab/*? .", 6))
		if err != nil || r.Pattern.String() == "" {
			continue
		}
		rel, file := text("ab", 2), text("ab/ .", 4)
		if draw.IntN(2) == 0 {
			rel += "/" + text("ab", 2)
		}
		file = strings.Trim(file, "/")
		whole := r.Pattern.Match(rel+"/"+file, false)
		allowed := slices.ContainsFunc(r.Below(rel), func(b rule.Rule) bool { return b.Pattern.Match(file, false) })
		relative := r.Pattern.String()[0] != '/'
		if allowed && !whole && relative {
			t.Fatalf("%s in %s allows %q, which it did not: %+v", r.Text, rel, file, r.Below(rel))
		}
		if whole && relative && !r.Under("/r").Pattern.Match("/r/"+rel+"/"+file, false) {
			t.Fatalf("%s denies %s/%s and %s does not", r.Text, rel, file, r.Under("/r").Text)
		}
		if above, err := r.Above(rel); err == nil && relative && r.Pattern.Match(file, false) != above.Pattern.Match(rel+"/"+file, false) {
			t.Fatalf("%s and, above, %s differ on %q", r.Text, above.Text, file)
		}
		if whole && relative && allowed {
			matched++
		}
	}
	if matched < 1000 {
		t.Errorf("only %d of the texts matched: the test tells little", matched)
	}
}
