package importer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/importer"
	"github.com/pigate/pigate/internal/testcorpus"
	"github.com/pigate/pigate/internal/transcript"
)

// found are the session files in a folder.
func found(t testing.TB, dir string) []transcript.File {
	t.Helper()
	files, problems, err := transcript.Find(transcript.Pi, dir)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	return files
}

func options(journal string) importer.Options {
	o := audittest.Options()
	o.Durability = audit.Process
	return importer.Options{Journal: journal, Audit: o, Home: "/home/u"}
}

// imported are the calls that the journal has from session files, each by what it
// was.
func imported(t testing.TB, journal string) []string {
	t.Helper()
	var list []string
	for _, row := range audittest.Imported(t, journal) {
		list = append(list, row.What())
	}
	return list
}

func wantWhole(t testing.TB, journal string) {
	t.Helper()
	v, err := audit.Verify(t.Context(), audit.VerifyOptions{}, journal)
	if err != nil || !v.Whole {
		t.Fatalf("the journal is not whole: %+v, %v", v, err)
	}
}

// session is a session of Pi as it is drawn: its lines, and which it was forked
// from.
type session struct {
	id    string
	lines []string
	own   []string // the commands of its own calls
}

// drawSessions draws sessions of which some are forks of older ones, with ids
// that a provider made at random and with ids that count from 1.
func drawSessions(t *rapid.T) []session {
	clock := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	stamp := func() string { return clock.Format("2006-01-02T15:04:05.000Z") }
	var list []session
	for n := range rapid.IntRange(1, 5).Draw(t, "sessions") {
		clock = clock.Add(time.Minute)
		s := session{id: fmt.Sprintf("s%d", n)}
		header := map[string]any{"type": "session", "version": 3, "id": s.id, "timestamp": stamp(), "cwd": "/home/u/shop"}
		var copied []string
		if n > 0 && rapid.Bool().Draw(t, "fork") {
			parent := list[rapid.IntRange(0, n-1).Draw(t, "of")]
			header["parentSession"] = "/x/2026_" + parent.id + ".jsonl"
			copied = parent.lines[1:rapid.IntRange(1, len(parent.lines)).Draw(t, "copied")]
		}
		s.lines = append([]string{text(header)}, copied...)
		random := rapid.Bool().Draw(t, "random ids")
		for i := range rapid.IntRange(0, 6).Draw(t, "calls") {
			if rapid.Bool().Draw(t, "later") {
				clock = clock.Add(time.Millisecond)
			}
			id, command := fmt.Sprintf("call_%d", i+1), fmt.Sprintf("make part-%d-%d", n, i)
			if random {
				id = fmt.Sprintf("toolu_01%022d", n*100+i)
			}
			s.own = append(s.own, command)
			s.lines = append(s.lines, text(map[string]any{"type": "message", "timestamp": stamp(), "message": map[string]any{"role": "assistant",
				"content": []any{map[string]any{"type": "toolCall", "id": id, "name": "bash", "arguments": map[string]any{"command": command}}}}}))
			if rapid.Bool().Draw(t, "answered") {
				s.lines = append(s.lines, text(map[string]any{"type": "message", "timestamp": stamp(), "message": map[string]any{"role": "toolResult",
					"toolCallId": id, "isError": rapid.Bool().Draw(t, "failed"), "durationMs": 3}}))
			}
		}
		list = append(list, s)
	}
	return list
}

func text(value any) string {
	out, err := json.Marshal(value)
	if err != nil {
		panic(err) // a map of texts always encodes
	}
	return string(out)
}

// TestEachCallOnce wants every call that was made to be imported once, however
// often forks repeat it and however often it is imported.
func TestEachCallOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "importer")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = os.RemoveAll(dir) }()
		sessions := drawSessions(t)
		var want []string
		for n, s := range sessions {
			want = append(want, s.own...)
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("2026-%d_%s.jsonl", n, s.id)), []byte(strings.Join(s.lines, "\n")+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		files, _, err := transcript.Find(transcript.Pi, dir)
		if err != nil {
			t.Fatal(err)
		}
		o := options(filepath.Join(dir, "journal.db"))
		o.DryRun = true
		dry, err := importer.Run(context.Background(), files, o)
		if err != nil || dry.Added != len(want) {
			t.Fatalf("a dry run would add %d, want %d: %v", dry.Added, len(want), err)
		}
		if _, err := os.Stat(o.Journal); !errors.Is(err, os.ErrNotExist) {
			t.Fatalf("a dry run made a journal: %v", err)
		}
		o.DryRun = false
		// Some files first, then all, then all again.
		first, err := importer.Run(context.Background(), files[:rapid.IntRange(0, len(files)).Draw(t, "first")], o)
		if err != nil {
			t.Fatal(err)
		}
		second, err := importer.Run(context.Background(), files, o)
		if err != nil {
			t.Fatal(err)
		}
		if first.Added+second.Added != len(want) || second.Calls != second.Added+second.AlreadyThere+second.Decided {
			t.Fatalf("added %d and %d of %d calls: %+v", first.Added, second.Added, len(want), second)
		}
		third, err := importer.Run(context.Background(), files, o)
		if err != nil || third.Added != 0 {
			t.Fatalf("importing again adds %d: %v", third.Added, err)
		}
		if len(want) == 0 {
			return
		}
		r, err := audit.OpenReader(context.Background(), o.Journal)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = r.Close() }()
		var got []string
		for row, err := range r.List(context.Background(), audit.Filter{Kind: gate.KindImport}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, row.What())
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("imported %q, want %q", got, want)
		}
	})
}

// TestTwoAtOnce lets two imports of the same files run at once, while a gate
// records.
func TestTwoAtOnce(t *testing.T) {
	dir := writeSessions(t, 3, 400)
	files := found(t, dir)
	journal := filepath.Join(t.TempDir(), "journal.db")
	live := audit.NewJournal(journal, audittest.Options())
	var work sync.WaitGroup
	for range 2 {
		work.Go(func() {
			if _, err := importer.Run(t.Context(), files, options(journal)); err != nil {
				t.Error(err)
			}
		})
	}
	work.Go(func() {
		for i := range 50 {
			e := &gate.Entry{Kind: gate.KindWarning, Time: int64(i + 1), Warning: &gate.Warning{Text: "x"}}
			if _, err := live.Record(t.Context(), e); err != nil {
				t.Error(err)
			}
		}
	})
	work.Wait()
	if err := live.Close(); err != nil {
		t.Fatal(err)
	}
	list := imported(t, journal)
	if len(list) != 1200 {
		t.Errorf("%d calls were imported, want 1200", len(list))
	}
	wantWhole(t, journal)
}

// TestInterrupted ends an import in its middle and lets another go on.
func TestInterrupted(t *testing.T) {
	files := found(t, writeSessions(t, 4, 500))
	o := options(filepath.Join(t.TempDir(), "journal.db"))
	ctx, cancel := context.WithCancel(t.Context())
	o.Progress = func(done, total int64) {
		if done > total/2 {
			cancel()
		}
	}
	first, err := importer.Run(ctx, files, o)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("err = %v, want that it was cancelled", err)
	}
	if first.Added == 2000 {
		t.Fatal("the import came to its end")
	}
	o.Progress = nil
	second, err := importer.Run(t.Context(), files, o)
	if err != nil {
		t.Fatal(err)
	}
	if first.Added+second.Added != 2000 || second.AlreadyThere != first.Added {
		t.Errorf("%d and then %d calls were added, want 2000; %d were there already", first.Added, second.Added, second.AlreadyThere)
	}
	if n := len(imported(t, o.Journal)); n != 2000 {
		t.Errorf("the journal has %d calls, want 2000", n)
	}
	wantWhole(t, o.Journal)
}

// TestDecidedCallsAreNotImported wants the gate's own record of a call to be
// enough, in the session and in its forks.
func TestDecidedCallsAreNotImported(t *testing.T) {
	dir := t.TempDir()
	o := options(filepath.Join(dir, "journal.db"))
	j := audit.NewJournal(o.Journal, audittest.Options())
	for _, call := range []string{"call_1", "toolu_01AAAAAAAAAAAAAAAAAAAAAA"} {
		d := &gate.Decision{Request: policy.Request{Session: "s0", Call: call, Tool: "bash", Input: json.RawMessage(`{"command":"ls"}`), Cwd: "/home/u/shop"}}
		if _, err := j.Record(t.Context(), &gate.Entry{Kind: gate.KindDecision, Time: 1, Session: "s0", Call: call, Decision: d}); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	calls := `{"type":"message","timestamp":"2026-03-01T09:00:01.000Z","message":{"role":"assistant","content":[` +
		`{"type":"toolCall","id":"call_1","name":"bash","arguments":{"command":"ls"}},` +
		`{"type":"toolCall","id":"toolu_01AAAAAAAAAAAAAAAAAAAAAA","name":"bash","arguments":{"command":"ls"}},` +
		`{"type":"toolCall","id":"call_2","name":"bash","arguments":{"command":"pwd"}}]}}` + "\n"
	for name, header := range map[string]string{
		"2026-1_s0.jsonl": `{"type":"session","version":3,"id":"s0","timestamp":"2026-03-01T09:00:00.000Z","cwd":"/home/u/shop"}`,
		"2026-2_s1.jsonl": `{"type":"session","version":3,"id":"s1","timestamp":"2026-03-02T09:00:00.000Z","cwd":"/home/u/shop","parentSession":"/x/2026-1_s0.jsonl"}`,
		"2026-3_s2.jsonl": `{"type":"session","version":3,"id":"s2","timestamp":"2026-03-03T09:00:00.000Z","cwd":"/home/u/shop","parentSession":"/x/2026-2_s1.jsonl"}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(header+"\n"+calls), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := importer.Run(t.Context(), found(t, dir), o)
	if err != nil || s.Added != 1 || s.Decided != 6 || s.AlreadyThere != 2 {
		t.Errorf("%+v, %v; want 1 added, 6 decided, 2 already there", s, err)
	}
	if list := imported(t, o.Journal); !slices.Equal(list, []string{"pwd"}) {
		t.Errorf("imported %q", list)
	}
}

// TestRecordedSessions imports the sessions beside the checkout: every call of
// theirs, each once.
func TestRecordedSessions(t *testing.T) {
	dir := testcorpus.Path(t, ".")
	files := found(t, filepath.Join(dir, "sessions"))
	for source, name := range map[transcript.Source]string{transcript.Claude: "claude", transcript.Codex: "codex"} {
		more, problems, err := transcript.Find(source, filepath.Join(dir, "transcripts", name))
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		files = append(files, more...)
	}
	o := options(filepath.Join(t.TempDir(), "journal.db"))
	s, err := importer.Run(t.Context(), files, o)
	if err != nil || s.BrokenLines > 0 || s.Calls == 0 || s.Added != s.Calls {
		t.Fatalf("%+v, %v; want every call to be added", s, err)
	}
	if s, err = importer.Run(t.Context(), files, o); err != nil || s.Added > 0 || s.AlreadyThere != s.Calls {
		t.Errorf("%+v, %v; want nothing to be added twice", s, err)
	}
	wantWhole(t, o.Journal)
}
