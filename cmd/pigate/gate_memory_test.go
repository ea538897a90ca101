package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

const memoryProject = "/home/u/proj"

// longJournal is a journal of more entries than a dialog could look through, the
// last of them an approved call.
func longJournal(t *testing.T) *audit.Journal {
	t.Helper()
	options := audittest.Options()
	options.Durability = audit.Process
	j, err := audit.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db"), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	for i := range int64(4200) {
		d := &gate.Decision{Request: makeRequest("read", "path"), Verdict: policy.Pass, Action: policy.Run, Basis: policy.BasisPass}
		later := true
		if i == 0 {
			d.Request, d.Verdict, d.Answer, d.Basis, later = makeRequest("bash", "command"), policy.Ask, gate.AnswerOnce, policy.BasisUser, false
		}
		e := &gate.Entry{Kind: gate.KindDecision, Time: i + 1, Session: "s", Call: fmt.Sprint(i), Later: later, Decision: d}
		if _, err := j.Record(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	// What may come later is there when something else is committed.
	if _, err := j.Record(t.Context(), &gate.Entry{Kind: gate.KindWarning, Time: 5000, Warning: &gate.Warning{Text: "the end"}}); err != nil {
		t.Fatal(err)
	}
	return j
}

func makeRequest(tool, field string) policy.Request {
	input, _ := json.Marshal(map[string]string{field: "make"}) // a map of strings always encodes
	return policy.Request{Session: "s", Tool: tool, Input: input, Cwd: memoryProject, Root: memoryProject, OS: "linux"}
}

// unwarned is a memory that must have nothing to complain of.
func unwarned(t *testing.T, journal string) *memory {
	m := newMemory(journal, func(err error) { t.Errorf("warning: %v", err) })
	t.Cleanup(func() {
		if err := m.past.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// pigateProgram is this test as the program pigate.
func pigateProgram(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := "pigate" // by which TestMain knows what it is
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	program := filepath.Join(t.TempDir(), name)
	if err := os.Link(self, program); err != nil {
		if err := copyFile(self, program); err != nil {
			t.Fatal(err)
		}
	}
	return program
}

func copyFile(from, to string) error {
	body, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, body, 0o700)
}

// A long journal is indexed by another process, and then the history is there.
func TestLongJournalIsIndexedAside(t *testing.T) {
	j := longJournal(t)
	program := pigateProgram(t)
	m := unwarned(t, j.Path())
	m.index = func(ctx context.Context) error { return index(ctx, program, j.Path()) }

	if err := m.past.Refresh(t.Context()); !errors.Is(err, audit.ErrBehind) {
		t.Fatalf("a journal without its index: %v, want ErrBehind", err)
	}
	if _, err := m.past.History(t.Context(), makeRequest("bash", "command")); !errors.Is(err, audit.ErrBehind) {
		t.Fatalf("history: %v, want ErrBehind", err)
	}
	if err := m.catchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	h, err := m.History(t.Context(), makeRequest("bash", "command"))
	if err != nil || h.Approved != 1 {
		t.Errorf("history after that: %+v, %v", h, err)
	}
}

// A session goes on across a rotation, and so does what its dialogs know.
func TestHistoryFollowsARotation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := audittest.NewJournal(t)
		m := unwarned(t, j.Path())
		req := makeRequest("bash", "command")
		e := &gate.Entry{Kind: gate.KindDecision, Time: 1, Session: "s", Call: "c",
			Decision: &gate.Decision{Request: req, Verdict: policy.Ask, Answer: gate.AnswerOnce, Action: policy.Run, Basis: policy.BasisUser}}
		if _, err := j.Record(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		if err := m.renew(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := audit.Rotate(t.Context(), j.Path(), audittest.Options()); err != nil {
			t.Fatal(err)
		}
		if _, err := m.History(t.Context(), req); !errors.Is(err, audit.ErrChanged) {
			t.Fatalf("the first question after a rotation: %v, want ErrChanged", err)
		}
		synctest.Wait() // for what that has begun
		if h, err := m.History(t.Context(), req); err != nil || h.Approved != 1 {
			t.Errorf("the next one: %+v, %v", h, err)
		}
	})
}

func TestIndexingThatFails(t *testing.T) {
	program := pigateProgram(t)
	err := index(t.Context(), program, filepath.Join(t.TempDir(), "none.db"))
	var exit *exec.ExitError
	if !errors.As(err, &exit) || !strings.Contains(err.Error(), "no journal") {
		t.Errorf("error is %v, want what the program said", err)
	}
	if err := index(t.Context(), program+"-gone", "x.db"); err == nil {
		t.Error("a program that is not there is no error")
	}
}

// Nothing is tried at the same time as itself, nor again and again.
func TestCatchingUpIsNotRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory("x.db", func(err error) { t.Error(err) })
		var mu sync.Mutex
		tried := 0
		release := make(chan struct{})
		m.index = func(context.Context) error {
			mu.Lock()
			tried++
			mu.Unlock()
			<-release
			return nil
		}
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				if err := m.catchUp(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		close(release)
		all.Wait()
		if err := m.catchUp(t.Context()); err != nil || tried != 1 {
			t.Errorf("tried %d times, %v; want once", tried, err)
		}
	})
}
