package redact_test

import (
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/audit/redact"
	"github.com/pigate/pigate/internal/gate/catalog"
)

// TestPrograms: what files tell of programs is masked from then on, also when
// they are gone.
func TestPrograms(t *testing.T) {
	programs := &redact.Programs{}
	m := redact.New([]byte("0123456789abcdef0123456789abcdef")).Knowing(programs)
	masked := func(text string) string {
		t.Helper()
		out, _, err := m.Text(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	const text = "cd /x && ZapCtl -p web --key Xk39dkfKd93kd status && other --key Xk39dkfKd93kd"
	if got := masked(text); got != text {
		t.Fatalf("before anything is known: %s", got)
	}
	before := programs.Generation()
	layers, problems := catalog.NewLayers([]catalog.File{{Name: "x", Text: "[zapctl]\noptions = \"--key=secret\"\n"}}, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	programs.Learn(layers)
	programs.Learn(layers)
	programs.Learn(nil)
	if programs.Generation() != before+1 {
		t.Errorf("the same was learned twice")
	}
	if got := masked(text); strings.Count(got, "Xk39dkfKd93kd") != 1 || !strings.Contains(got, "--key [secret:password:") || !strings.HasSuffix(got, "other --key Xk39dkfKd93kd") {
		t.Errorf("masked: %s", got)
	}
	var none *redact.Programs
	none.Learn(layers)
	if none.Generation() != 0 {
		t.Error("nothing has learned something")
	}
}
