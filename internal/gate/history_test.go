package gate

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/gate/policy"
)

var noon = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

// before is a moment before noon.
func before(d time.Duration) int64 { return noon.Add(-d).UnixMicro() }

func TestHistoryWords(t *testing.T) {
	const day = 24 * time.Hour
	for _, tt := range []struct {
		history History
		want    string
	}{
		{History{}, ""},
		{History{Approved: 12, Denied: 1, LastRan: before(day), LastDenied: before(3 * day)}, "allowed 12 times, last yesterday; denied once"},
		{History{Approved: 1, LastRan: before(30 * time.Second)}, "allowed once, just now"},
		{History{Approved: 2, LastRan: before(90 * time.Second)}, "allowed twice, last a minute ago"},
		{History{Approved: 2, LastRan: before(59 * time.Minute)}, "allowed twice, last 59 minutes ago"},
		{History{Approved: 2, LastRan: before(time.Hour)}, "allowed twice, last an hour ago"},
		{History{Approved: 2, LastRan: before(12 * time.Hour)}, "allowed twice, last 12 hours ago"},
		{History{Approved: 2, LastRan: before(12*time.Hour + time.Minute)}, "allowed twice, last yesterday"},
		{History{Approved: 2, LastRan: before(13 * day)}, "allowed twice, last 13 days ago"},
		{History{Approved: 2, LastRan: before(14 * day)}, "allowed twice, last on 2026-02-24"},
		{History{Approved: 3, Denied: 1, LastRan: before(2 * day), LastDenied: before(time.Hour)}, "allowed 3 times; denied once, an hour ago"},
		{History{Denied: 3, LastDenied: before(day)}, "denied 3 times, last yesterday"},
		{History{Approved: 1, Unasked: 5, LastRan: before(day)}, "allowed once; ran unasked 5 times, last run yesterday"},
		{History{Unasked: 1, LastRan: before(day)}, "ran unasked once, last run yesterday"},
		{History{Approved: 3}, "allowed 3 times"},
		{History{Approved: 1, LastRan: before(-time.Hour)}, "allowed once, just now"}, // the clock was set back
	} {
		if got := tt.history.Words(noon); got != tt.want {
			t.Errorf("%+v\n got %q\nwant %q", tt.history, got, tt.want)
		}
	}
}

// memory is a Historian with one answer.
type memory func(ctx context.Context, req policy.Request) (History, error)

func (m memory) History(ctx context.Context, req policy.Request) (History, error) { return m(ctx, req) }

func remembers(h History) memory {
	return func(context.Context, policy.Request) (History, error) { return h, nil }
}

// forCommand is how the notes of a question about a command begin.
const forCommand = "for session: this command, any timeout or other field"

// notes are the lines below the first of the question that a guard puts, which
// waits that long for the history.
func notes(t *testing.T, historian Historian, wait time.Duration, change func(*fixture, *policy.Request)) string {
	t.Helper()
	f := newFixture(t).answer(OptionDeny)
	f.guard.Historian, f.guard.patience = historian, wait
	req := bash("touch a.txt")
	if change != nil {
		change(f, &req)
	}
	f.guard.Decide(t.Context(), req)
	if len(f.person.prompts) != 1 {
		t.Fatalf("%d questions were put", len(f.person.prompts))
	}
	_, notes, _ := strings.Cut(f.person.prompts[0].Title, "\n")
	return notes
}

func TestQuestionTellsHistory(t *testing.T) {
	h := History{Approved: 12, Denied: 1}
	got := notes(t, remembers(h), time.Hour, nil)
	if want := forCommand + "\nallowed 12 times; denied once · writes `a.txt` · no rule allows it"; got != want {
		t.Errorf("notes are %q, want %q", got, want)
	}
	got = notes(t, remembers(h), time.Hour, func(_ *fixture, req *policy.Request) {
		req.Tool, req.Input = "write", []byte(`{"path":"b.txt","content":"x"}`)
	})
	if want := "for session: this file, any content\nthis file: allowed 12 times; denied once · no rule allows it\n  + x"; got != want {
		t.Errorf("notes of a write are %q, want %q", got, want)
	}
}

func TestQuestionWithoutHistory(t *testing.T) {
	want := forCommand + "\nwrites `a.txt` · no rule allows it"
	for name, historian := range map[string]Historian{
		"nobody knows": nil,
		"none":         remembers(History{}),
		"an error": memory(func(context.Context, policy.Request) (History, error) {
			return History{Approved: 1}, errors.New("broken")
		}),
		"a panic": memory(func(context.Context, policy.Request) (History, error) { panic("broken") }),
		"too late": memory(func(ctx context.Context, _ policy.Request) (History, error) {
			<-ctx.Done()
			return History{Approved: 1}, ctx.Err()
		}),
		"deaf to its context": memory(func(context.Context, policy.Request) (History, error) {
			<-t.Context().Done() // only when the test is over
			return History{Approved: 1}, nil
		}),
	} {
		if got := notes(t, historian, time.Millisecond, nil); got != want {
			t.Errorf("%s: notes are %q, want %q", name, got, want)
		}
	}
	got := notes(t, remembers(History{Approved: 1}), time.Hour, func(f *fixture, _ *policy.Request) {
		f.guard.Lenient, f.book.err = true, errors.New("disk full")
	})
	if got != want {
		t.Errorf("with a broken journal the notes are %q, want %q", got, want)
	}
}
