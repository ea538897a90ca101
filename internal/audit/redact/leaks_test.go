package redact

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/audit/redact/clue"
)

// Every expression of the rules that come with gitleaks compiles, and every
// kind fits into a mask.
func TestRulesOfGitleaks(t *testing.T) {
	l, err := loadLeaks()
	if err != nil {
		t.Fatal(err)
	}
	if len(l.rules) < 200 {
		t.Errorf("only %d rules", len(l.rules))
	}
	for _, r := range l.rules {
		if _, err := r.regex(); err != nil {
			t.Errorf("%s: %v", r.id, err)
		}
		for _, a := range r.allowed {
			if _, err := a.compiled(); err != nil {
				t.Errorf("%s: %v", r.id, err)
			}
		}
		checkKind(t, r.id)
	}
	for _, f := range forms {
		checkKind(t, f.kind)
	}
	for _, kinds := range []map[string]string{clue.StrongWords, clue.WeakWords, clue.KeyOf} {
		for _, kind := range kinds {
			checkKind(t, kind)
		}
	}
}

func checkKind(t *testing.T, kind string) {
	t.Helper()
	if text := (Mask{Kind: kind, Digest: "00000000"}).text(); maskForm().FindString(text) != text {
		t.Errorf("%s is no mask", text)
	}
}

// What a rule of gitleaks finds in a text by itself, the masker finds in the
// midst of a long one.
func TestRulesOfGitleaksFindTheirsInLongTexts(t *testing.T) {
	m := New([]byte("a key"))
	l, err := loadLeaks()
	if err != nil {
		t.Fatal(err)
	}
	before := strings.Repeat("a line of words that are nothing\n", 40)
	seen := 0
	for i, r := range l.rules {
		regex, err := r.regex()
		if err != nil {
			t.Fatal(err)
		}
		calls := func(text string) (called bool) {
			l.words.Each(clue.LowerASCII(text), func(word, _ int) { called = called || slices.Contains(l.byWord[word], i) })
			return called
		}
		example := rapid.StringMatching(regex.String())
		for seed := range 12 {
			text := "x = " + example.Example(seed) + "\n"
			if !calls(text) {
				continue // only text around it could make it known
			}
			spans, err := r.find(text, 0, len(text))
			if err != nil {
				t.Fatal(err)
			}
			if len(spans) == 0 {
				continue // too regular, or listed as none
			}
			seen++
			got, _ := mask(t, m, before+text+before)
			for _, s := range spans {
				if secret := text[s.Start:s.End]; len(secret) > 8 && strings.Contains(got, secret) {
					t.Errorf("%s leaves %q of %q", r.id, secret, text)
				}
			}
		}
	}
	if seen < 300 {
		t.Errorf("only %d examples", seen)
	}
}
