package audit_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

func TestPastTellsPeopleFromRules(t *testing.T) {
	j := audittest.NewJournal(t)
	past := audit.NewPast(j.Path())
	t.Cleanup(func() {
		if err := past.Close(); err != nil {
			t.Error(err)
		}
	})
	req := policy.Request{Tool: "bash", Input: []byte(`{"command":"make"}`), Cwd: "/p", Root: "/p"}
	if _, err := past.History(t.Context(), req); !errors.Is(err, audit.ErrChanged) {
		t.Fatalf("before the first look: %v, want ErrChanged", err)
	}
	at := int64(0)
	decide := func(root string, answer gate.Answer, action policy.Action, basis policy.Basis) {
		t.Helper()
		at++
		r := req
		r.Cwd, r.Root = root, root
		record(t, j, &gate.Entry{Kind: gate.KindDecision, Time: at, Session: "s", Call: "c",
			Decision: &gate.Decision{Request: r, Verdict: policy.Ask, Answer: answer, Action: action, Basis: basis}})
	}
	decide("/p", gate.AnswerOnce, policy.Run, policy.BasisUser)
	if err := past.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	decide("/p", gate.AnswerSession, policy.Run, policy.BasisUser) // after the look, and known all the same
	decide("/p", "", policy.Run, policy.BasisGrant)
	decide("/p", "", policy.Run, policy.BasisRule)
	decide("/p", "", policy.Run, policy.BasisRule)
	decide("/p", gate.AnswerDeny, policy.Block, policy.BasisUser)
	decide("/p", gate.AnswerAborted, policy.Block, policy.BasisUser)
	decide("/elsewhere", gate.AnswerOnce, policy.Run, policy.BasisUser)
	for _, r := range []policy.Request{req, {Tool: "bash", Input: []byte(`{"command": "make", "timeout": 5}`), Cwd: "/p"}} {
		got, err := past.History(t.Context(), r)
		if want := (gate.History{Approved: 2, Denied: 1, Unasked: 3, LastRan: 5, LastDenied: 6}); err != nil || got != want {
			t.Errorf("history of %s is %+v, %v; want %+v", r.Input, got, err, want)
		}
	}
	// What the journal becomes, it follows.
	if _, err := audit.Rotate(t.Context(), j.Path(), audittest.Options()); err != nil {
		t.Fatal(err)
	}
	if _, err := past.History(t.Context(), req); !errors.Is(err, audit.ErrChanged) {
		t.Errorf("after a rotation: %v, want ErrChanged", err)
	}
	if err := past.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := past.History(t.Context(), req); err != nil || got.Approved != 2 {
		t.Errorf("after a rotation: %+v, %v", got, err)
	}
}

func TestPastOfNoJournal(t *testing.T) {
	past := audit.NewPast(filepath.Join(t.TempDir(), "journal.db"))
	if err := past.Refresh(t.Context()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error is %v", err)
	}
	if err := past.Close(); err != nil {
		t.Error(err)
	}
}
