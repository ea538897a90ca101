package audit_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
)

// TestTraces holds what is read of the public parts alone.
func TestTraces(t *testing.T) {
	j := audittest.NewJournal(t)
	record(t, j, decision("s", "c1", "ls"))
	other := outcome("s", "c1", 0)
	other.Outcome.Mismatch = true
	record(t, j, other)
	record(t, j, outcome("s", "c2", 0))
	record(t, j, &gate.Entry{Kind: gate.KindWarning, Time: 7, Warning: &gate.Warning{Text: "x"}})
	r := reader(t, j.Path())
	var got []string
	for trace, err := range r.Traces(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintln(trace.Seq, trace.Kind, trace.Session, trace.Call, trace.Verdict, trace.Decision, trace.Of, trace.Mismatch))
	}
	want := []string{"1 decision s c1 ask run 0 false\n", "2 outcome s c1   1 true\n", "3 outcome s c2   0 false\n", "4 warning     0 false\n"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for trace, err := range r.Traces(t.Context()) {
		if err != nil || trace.Time != 1_767_323_045_000_006 {
			t.Errorf("%+v, %v", trace, err)
		}
		break
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	for _, err := range r.Traces(t.Context()) {
		var failed *audit.Error
		if !errors.As(err, &failed) {
			t.Errorf("of a closed reader: %v", err)
		}
	}
}
