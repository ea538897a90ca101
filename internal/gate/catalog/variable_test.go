package catalog_test

import (
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/catalog"
)

func TestVariables(t *testing.T) {
	c, err := catalog.New([]catalog.File{{Name: "a", Text: "[x]\nclass = \"looks\"\n\n[y.variables]\n\"A B_*\" = \"runs\"\n\"B_PLAIN\" = \"\"\n\n[x.variables]\n\"C\" = \"loads\"\n"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"A": "runs", "B_ANY": "runs", "B_": "runs", "C": "loads", "B_PLAIN": "", "D": "", "AB": ""} {
		if why, ok := c.Variable(name); why != want || ok != (want != "") {
			t.Errorf("%s: %q, %v", name, why, ok)
		}
	}
	for text, want := range map[string]string{
		"[x.variables]\n\"A\" = 1\n":                            "a:2: x: what a variable does is a text",
		"[x.variables]\n\"A_*\" = \"\"\n":                       "a:2: x: \"A_*\" is no family",
		"[x.variables]\n\"*\" = \"runs\"\n":                     "is no family",
		"[x.variables]\nA = \"\"\n\n[y.variables]\nA = \"b\"\n": "a:5: y: the variable A is told otherwise",
	} {
		if _, err := catalog.New([]catalog.File{{Name: "a", Text: text}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
