package kin_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/kin"
	"github.com/pigate/pigate/internal/gate/policy"
)

var asks = gate.Question{Request: policy.Request{Session: "child", Call: "c", Tool: "bash", Input: []byte(`{"command":"make"}`)}, Agent: "reviewer", Approved: true}

func TestAQuestionIsAnswered(t *testing.T) {
	for name, agentDir := range map[string]string{"near": t.TempDir(), "far": filepath.Join(t.TempDir(), strings.Repeat("long/", 30))} {
		t.Run(name, func(t *testing.T) {
			heard := make(chan gate.Question, 1)
			l, err := kin.Listen(agentDir, "parent", "/home/u/proj", func(_ context.Context, q gate.Question) gate.Reply {
				heard <- q
				return gate.Reply{Action: policy.Run, Answer: gate.AnswerOnce, Said: "fine"}
			})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			parents := kin.Parents{AgentDir: agentDir}
			if root := parents.Root("parent"); root != "/home/u/proj" {
				t.Errorf("the project of the session is %q", root)
			}
			reply, err := parents.Ask(t.Context(), "parent", asks)
			if err != nil || reply != (gate.Reply{Action: policy.Run, Answer: gate.AnswerOnce, Said: "fine"}) {
				t.Errorf("reply = %+v, %v", reply, err)
			}
			if q := <-heard; q.Agent != "reviewer" || !q.Approved || string(q.Request.Input) != string(asks.Request.Input) || q.Request.Session != "child" {
				t.Errorf("heard %+v", q)
			}
		})
	}
}

func TestNobodyIsThere(t *testing.T) {
	dir := t.TempDir()
	parents := kin.Parents{AgentDir: dir}
	if _, err := parents.Ask(t.Context(), "parent", asks); err == nil || parents.Root("parent") != "" {
		t.Errorf("without a note: %v", err)
	}
	l, err := kin.Listen(dir, "parent", "/p", func(context.Context, gate.Question) gate.Reply { return gate.Reply{Action: policy.Run} })
	if err != nil {
		t.Fatal(err)
	}
	note, err := filepath.Glob(filepath.Join(dir, "pigate", "ask", "*.json"))
	if err != nil || len(note) != 1 {
		t.Fatal(note, err)
	}
	text, err := os.ReadFile(note[0])
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if _, err := os.Stat(note[0]); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the note stays: %v", err)
	}
	// As a gate that was cut off leaves it.
	if err := os.WriteFile(note[0], text, 0o600); err != nil {
		t.Fatal(err)
	}
	if reply, err := parents.Ask(t.Context(), "parent", asks); err == nil {
		t.Errorf("with the note of a gate that is gone: %+v", reply)
	}
	// The next gate takes it away, and leaves those alone that listen.
	for _, session := range []string{"another", "third"} {
		l, err := kin.Listen(dir, session, "/p", func(context.Context, gate.Question) gate.Reply { return gate.Reply{} })
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
	}
	if _, err := os.Stat(note[0]); !errors.Is(err, os.ErrNotExist) || parents.Root("another") == "" {
		t.Errorf("what is left: %v, and of one that listens %q", err, parents.Root("another"))
	}
}

func TestASecretIsNeeded(t *testing.T) {
	dir := t.TempDir()
	l, err := kin.Listen(dir, "parent", "/p", func(context.Context, gate.Question) gate.Reply {
		t.Error("a question without the secret is put")
		return gate.Reply{Action: policy.Run}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	file := filepath.Join(dir, "pigate", "ask")
	notes, err := filepath.Glob(filepath.Join(file, "*.json"))
	if err != nil || len(notes) != 1 {
		t.Fatal(notes, err)
	}
	text, err := os.ReadFile(notes[0])
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		for path, want := range map[string]os.FileMode{file: 0o700, notes[0]: 0o600} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s has the mode %v, want %v (%v)", path, info.Mode(), want, err)
			}
		}
	}
	forged := strings.Replace(string(text), `"secret":"`, `"secret":"x`, 1)
	if err := os.WriteFile(notes[0], []byte(forged), 0o600); err != nil {
		t.Fatal(err)
	}
	if reply, err := (kin.Parents{AgentDir: dir}).Ask(t.Context(), "parent", asks); err == nil {
		t.Errorf("reply = %+v", reply)
	}
}

func TestWhoWaitsNoMoreIsNotAskedFor(t *testing.T) {
	dir := t.TempDir()
	opened, closed := make(chan struct{}), make(chan struct{})
	l, err := kin.Listen(dir, "parent", "/p", func(ctx context.Context, _ gate.Question) gate.Reply {
		close(opened)
		<-ctx.Done()
		close(closed)
		return gate.Reply{Action: policy.Run}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error)
	go func() {
		_, err := kin.Parents{AgentDir: dir}.Ask(ctx, "parent", asks)
		failed <- err
	}()
	<-opened
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	<-closed
}

func TestAFolderThatOthersReadIsRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "pigate", "ask"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "pigate", "ask"), 0o755); err != nil {
		t.Fatal(err)
	}
	if l, err := kin.Listen(dir, "parent", "/p", nil); err == nil {
		l.Close()
		t.Error("it listens in a folder that others can read")
	}
}
