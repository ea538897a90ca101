package shell_test

import (
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/shell"
	"github.com/pigate/pigate/internal/gate/shell/model"
)

// guardCase is a command under an allow rule, and the flags that the rule does
// not carry, joined by ", "; "" when it carries the command whole.
type guardCase struct {
	rule, command, want string
}

func checkGuards(t *testing.T, cases []guardCase) {
	t.Helper()
	for _, c := range cases {
		if got := strings.Join(unnamedFlags(shell.Bash(c.command), c.rule), ", "); got != c.want {
			t.Errorf("`%s` under `%s`: guarded %q, want %q", c.command, c.rule, got, c.want)
		}
	}
}

// unnamedFlags lists the hazards of all units that the rule does not name.
func unnamedFlags(a model.Analysis, rule string) []string {
	var flags []string
	for i := range a.Units {
		for _, h := range a.Units[i].Hazards {
			if !h.NamedBy(rule) {
				flags = append(flags, h.Flag)
			}
		}
	}
	return flags
}

func TestHazardSpansItsWords(t *testing.T) {
	for command, want := range map[string]string{
		"sort -u -o out.txt a":            "-o out.txt",
		"sort --output=out.txt a":         "--output=out.txt",
		"git stash drop stash@{0}":        "drop",
		"find . -name 'x' -delete":        "-delete",
		"sed -n 'w x' a":                  "'w x'",
		"true && curl -sL 'u' -o \"a b\"": "-o \"a b\"",
	} {
		for _, u := range shell.Bash(command).Units {
			for _, h := range u.Hazards {
				if got := command[h.Start:h.End]; got != want {
					t.Errorf("%s: %q spans %q, want %q", command, h.Flag, got, want)
				}
			}
		}
	}
}
