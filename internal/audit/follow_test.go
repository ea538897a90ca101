package audit_test

import (
	"context"
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
)

// following pulls batches of a journal that grows.
type following struct {
	t    *testing.T
	next func() ([]audit.Row, error, bool)
}

func followed(t *testing.T, ctx context.Context, path string, f audit.Filter) *following {
	t.Helper()
	next, stop := iter.Pull2(audit.FollowEvery(ctx, path, f, time.Millisecond))
	t.Cleanup(stop)
	return &following{t, next}
}

// until collects rows as "seq outcome" until it has so many.
func (f *following) until(n int) (list []string) {
	f.t.Helper()
	for len(list) < n {
		batch, err, ok := f.next()
		if err != nil || !ok {
			f.t.Fatalf("%v, %v, after %q", err, ok, list)
		}
		for _, row := range batch {
			list = append(list, fmt.Sprintf("%d %s", row.Seq, row.Outcome))
		}
	}
	return list
}

func (f *following) want(list ...string) {
	f.t.Helper()
	if diff := cmp.Diff(list, f.until(len(list))); diff != "" {
		f.t.Error(diff)
	}
}

func TestFollow(t *testing.T) {
	t.Parallel()
	j := open(t, t.TempDir()+"/journal.db")
	add := func(call, command string) string {
		return fmt.Sprintf("%d ", record(t, j, decision("s", call, command)))
	}
	add("a", "one")
	two := add("b", "two")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	f := followed(t, ctx, j.Path(), audit.Filter{Kind: gate.KindDecision, Limit: 1})
	f.want(two)

	three := add("c", "three")
	f.want(three)
	record(t, j, outcome("s", "c", 0))
	f.want(three + "ok")
	record(t, j, outcome("s", "b", 1))
	f.want(two + "error")

	// The call and its outcome are on both sides of a rotation.
	four := add("d", "four")
	f.want(four)
	if _, err := audit.Rotate(t.Context(), j.Path(), audittest.Options()); err != nil {
		t.Fatal(err)
	}
	record(t, j, outcome("s", "d", 0))
	f.want(four + "ok")
	f.want(add("e", "five"))

	cancel()
	if batch, err, ok := f.next(); ok {
		t.Errorf("after the end: %v, %v", batch, err)
	}
}

// A filter on the outcome waits for it.
func TestFollowOutcome(t *testing.T) {
	t.Parallel()
	j := open(t, t.TempDir()+"/journal.db")
	one := record(t, j, decision("s", "a", "one"))
	record(t, j, outcome("s", "a", 1))
	f := followed(t, t.Context(), j.Path(), audit.Filter{Outcome: audit.OutcomeError, Limit: 1})
	f.want(fmt.Sprintf("%d error", one))
	record(t, j, decision("s", "b", "two"))
	three := record(t, j, decision("s", "c", "three"))
	record(t, j, outcome("s", "b", 0))
	record(t, j, outcome("s", "c", 2))
	f.want(fmt.Sprintf("%d error", three))

	four := record(t, j, decision("s", "d", "four"))
	none := followed(t, t.Context(), j.Path(), audit.Filter{Outcome: audit.OutcomeNone, Limit: 1})
	none.want(fmt.Sprintf("%d ", four))
	record(t, j, outcome("s", "d", 0))
	five := record(t, j, decision("s", "e", "five"))
	none.want(fmt.Sprintf("%d ", five))
}

func TestFollowNoJournal(t *testing.T) {
	t.Parallel()
	for batch, err := range audit.Follow(t.Context(), t.TempDir()+"/none.db", audit.Filter{}) {
		if err == nil || batch != nil {
			t.Errorf("%v, %v", batch, err)
		}
	}
}
