package audit_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

func TestRecordRefusesIncompleteEntries(t *testing.T) {
	t.Parallel()
	j := audittest.NewJournal(t)
	for name, e := range map[string]*gate.Entry{
		"no time":      {Kind: gate.KindWarning, Warning: &gate.Warning{}},
		"no body":      {Kind: gate.KindDecision, Time: 1},
		"wrong body":   {Kind: gate.KindOutcome, Time: 1, Warning: &gate.Warning{}},
		"unknown kind": {Kind: "party", Time: 1},
	} {
		if _, err := j.Record(t.Context(), e); err == nil {
			t.Errorf("%s: recorded", name)
		}
	}
	if seq := record(t, j, decision("s", "c", "x")); seq != 2 { // a gap says what is missing
		t.Errorf("the next entry is %d, want 2", seq)
	}
}

func TestHostileInput(t *testing.T) {
	t.Parallel()
	j := audittest.NewJournal(t)
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	inputs := map[string]struct{ in, want string }{
		"deep":             {deep, `"` + deep + `"`},
		"brackets in text": {`{"a":"` + strings.Repeat("[", 5000) + `"}`, `{"a":"` + strings.Repeat("[", 5000) + `"}`},
		"broken UTF-8":     {"{\"a\":\"\xff\"}", "{\"a\":\"\uFFFD\"}"},
		"NUL":              {`{"a":"\u0000"}`, `{"a":"\u0000"}`},
		"lone surrogate":   {`{"a":"\ud800"}`, `{"a":"\ud800"}`},
		"space":            {"{ \"a\" :\n 1 }", `{"a":1}`},
		"doubled key":      {`{"a":1,"a":2}`, `{"a":1,"a":2}`},
	}
	for name, c := range inputs {
		e := decision(name, "c", "x")
		e.Decision.Input = json.RawMessage(c.in)
		e.Decision.Tool = "to\x00ol\xff"
		record(t, j, e)
		got := list(t, j.Path(), audit.Filter{Session: name})
		if len(got) != 1 || string(got[0].Input) != c.want {
			t.Errorf("%s: %d rows, input %.200q", name, len(got), got[0].Input)
		}
		if got[0].Tool != "to\x00ol\uFFFD" {
			t.Errorf("%s: tool %q", name, got[0].Tool)
		}
	}
}

// Calls that run at the same time get numbers of their own.
func TestManyGoroutines(t *testing.T) {
	t.Parallel()
	j := audittest.NewJournal(t)
	const writers, each = 8, 25
	seqs := make(chan int64, writers*each)
	var group sync.WaitGroup
	for range writers {
		group.Go(func() {
			for range each {
				seq, err := j.Record(t.Context(), decision("s", "c", "x"))
				if err != nil {
					t.Error(err)
				}
				seqs <- seq
			}
		})
	}
	group.Wait()
	close(seqs)
	seen := map[int64]bool{}
	for seq := range seqs {
		seen[seq] = true
	}
	if len(seen) != writers*each || len(audittest.Rows(t, j.Path())) != writers*each {
		t.Errorf("%d numbers, want %d", len(seen), writers*each)
	}
}

func TestClosed(t *testing.T) {
	t.Parallel()
	j := open(t, filepath.Join(t.TempDir(), "journal.db"))
	record(t, j, decision("s", "c", "x"))
	for range 2 {
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := j.Record(t.Context(), decision("s", "c", "x")); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("record after close: %v", err)
	}
}

// A journal that is only named leaves the disk alone until it is needed.
func TestNewJournalIsLazy(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b")
	j := audit.NewJournal(filepath.Join(dir, "journal.db"), withDurability(audit.Process))
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder exists: %v", err)
	}
}

func TestPolicyStoredOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	pol := policy.New(policy.DefaultSettings(), nil)
	a, b := open(t, path), open(t, path)
	for _, j := range []*audit.Journal{a, b, a} {
		if err := j.Policy(t.Context(), pol.Digest(), pol.Canonical()); err != nil {
			t.Fatal(err)
		}
	}
	if got := query(t, path, "SELECT count(*) || json_extract(body, '$.policy') FROM entry WHERE pub GLOB '{\"kind\":\"policy\"*'"); got != "1"+string(pol.Canonical()) {
		t.Errorf("stored: %s", got)
	}
	if err := a.Policy(t.Context(), strings.Repeat("0", 64), pol.Canonical()); err == nil {
		t.Error("a policy was stored under a digest that is not its own")
	}
}

func TestContext(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	j := open(t, path)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := j.Record(ended, decision("s", "c", "x")); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}

	other := raw(t, path)
	mustExec(t, other, "BEGIN IMMEDIATE")
	short, cancel := context.WithTimeout(t.Context(), 1)
	defer cancel()
	<-short.Done()
	if _, err := j.Record(short, decision("s", "c", "x")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("with a deadline that has passed: %v", err)
	}
	waiting, cancel := context.WithCancel(t.Context())
	failed := make(chan error)
	go func() {
		_, err := j.Record(waiting, decision("s", "c", "x"))
		failed <- err
	}()
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled while it was locked: %v", err)
	}
	mustExec(t, other, "ROLLBACK")
	if seq := record(t, j, decision("s", "c", "x")); seq != 2 {
		t.Errorf("the first entry after the gap is %d", seq)
	}
	if entries, reason := gapOf(t, audittest.Rows(t, path)[0]); entries != 3 || !strings.Contains(reason, "context canceled") {
		t.Errorf("the gap is of %d entries: %s", entries, reason)
	}
}

// TestApproved finds what a process before this one let run.
func TestApproved(t *testing.T) {
	j := audittest.NewJournal(t)
	record := func(kind gate.Kind, call string, decision policy.Action) {
		t.Helper()
		e := &gate.Entry{Kind: kind, Time: 1, Session: "s", Call: call}
		if kind == gate.KindDecision {
			e.Decision = &gate.Decision{Action: decision, InputDigest: "d-" + call}
		} else {
			e.Outcome = &gate.Outcome{OK: true}
		}
		if _, err := j.Record(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	record(gate.KindDecision, "run", policy.Run)
	record(gate.KindDecision, "blocked", policy.Block)
	record(gate.KindDecision, "done", policy.Run)
	record(gate.KindOutcome, "done", "")
	for call, want := range map[string]bool{"run": true, "blocked": false, "done": false, "never": false} {
		found, same, err := j.Approved(t.Context(), "s", call, "d-"+call)
		if err != nil || found != want || found != same {
			t.Errorf("Approved(%q) = %v, %v, %v, want found %v", call, found, same, err, want)
		}
		if _, same, err := j.Approved(t.Context(), "s", call, "other"); err != nil || same {
			t.Errorf("Approved(%q) of another input = %v, %v", call, same, err)
		}
	}
	if found, _, err := j.Approved(t.Context(), "other", "run", "d-run"); err != nil || found {
		t.Errorf("Approved in another session = %v, %v, want nothing", found, err)
	}
}
