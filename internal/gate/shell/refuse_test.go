package shell_test

import (
	"testing"

	"github.com/pigate/pigate/internal/gate/shell"
)

// TestRefused holds texts that bash, as a tool runs it, reads in another way
// than the parser: they are unparsed, and deny rules still see their pieces.
func TestRefused(t *testing.T) {
	for command, piece := range map[string]string{
		"ls !(a|b)":                   "ls !",
		"!(rm x)":                     "rm x",
		"echo a@(b|$(rm x))":          "rm x",
		"case x in @(a)) rm x;; esac": "rm x",
		"f() rm x":                    "rm x",
		"rm x | \\":                   "rm x",
		"rm x # \\\n y":               "rm x",
	} {
		a := shell.Bash(command)
		if a.Unparsed == "" {
			t.Errorf("%q is read, want it unparsed", command)
		}
		found := false
		for _, u := range a.Units {
			found = found || u.Text == piece
		}
		if !found {
			t.Errorf("%q: no piece %q in %q", command, piece, texts(a))
		}
	}
	for _, command := range []string{"[[ a == @(b|c) ]]", `echo a\\`, "f() { rm x; }", "f() (rm x)"} {
		if a := shell.Bash(command); a.Unparsed != "" {
			t.Errorf("%q is unparsed: %s", command, a.Unparsed)
		}
	}
}
