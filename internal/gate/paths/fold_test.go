package paths

import (
	"testing"

	"pgregory.net/rapid"
)

// The short way of folding gives what the long one does.
func TestFoldOfASCII(t *testing.T) {
	for c := range 128 {
		if s := string(rune(c)); foldCase(s) != foldAny(s) {
			t.Errorf("%q folds to %q, want %q", s, foldCase(s), foldAny(s))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		if s := rapid.String().Draw(t, "s"); foldCase(s) != foldAny(s) {
			t.Fatalf("%q folds to %q, want %q", s, foldCase(s), foldAny(s))
		}
	})
}
