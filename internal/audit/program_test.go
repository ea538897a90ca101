package audit_test

import (
	"slices"
	"testing"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate/policy"
)

func TestPrograms(t *testing.T) {
	t.Parallel()
	var row audit.Row
	for _, text := range []string{"git push", "/usr/bin/git log", "A=1 make", "A=1", `"ls" -a`, "./x=y"} {
		row.Resources = append(row.Resources, policy.Resource{Kind: policy.ShellUnit, Text: text})
	}
	row.Resources = append(row.Resources, policy.Resource{Kind: policy.EditPath, Text: "a.go"})
	if got, want := row.Programs(), []string{"git", "make", "(assignment)", "ls", "x=y"}; !slices.Equal(got, want) {
		t.Errorf("programs %q, want %q", got, want)
	}
}
