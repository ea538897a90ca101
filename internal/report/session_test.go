package report_test

import (
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report"
)

func yielding[T any](list []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, v := range list {
			if !yield(v, nil) {
				return
			}
		}
	}
}

const second = 1_000_000

func begun(seq int64, at audit.Micros, session, branch string) audit.Row {
	return audit.Row{Seq: seq, Time: at * second, Kind: gate.KindSessionStart, Session: session, Project: "/p", Body: []byte(`{"branch":"` + branch + `"}`)}
}

func over(seq int64, at audit.Micros, session, reason string) audit.Row {
	return audit.Row{Seq: seq, Time: at * second, Kind: gate.KindSessionEnd, Session: session, Body: []byte(`{"reason":"` + reason + `"}`)}
}

// A session that was opened again counts the time that it was open, and its
// last opening says how it ended.
func TestSessions(t *testing.T) {
	t.Parallel()
	starts := []audit.Row{begun(1, 10, "a", "main"), begun(4, 20, "b", ""), begun(9, 1000, "a", "topic")}
	ends := []audit.Row{over(6, 40, "a", "quit"), over(7, 50, "b", "reload"), over(12, 1200, "lost", "quit")}
	decided := func(seq int64, at audit.Micros, session string, v policy.Effect, a gate.Answer, d policy.Action) audit.Call {
		return audit.Call{Seq: seq, Time: at * second, Kind: gate.KindDecision, Session: session, Verdict: v, Answer: a, Decision: d}
	}
	calls := []audit.Call{
		decided(2, 15, "a", policy.Allow, "", policy.Run), decided(3, 18, "a", policy.Deny, "", policy.Block), decided(5, 30, "b", policy.Ask, gate.AnswerNoUI, policy.Block),
		decided(8, 55, "", policy.Pass, "", policy.Run), decided(10, 1030, "a", policy.Ask, gate.AnswerDismissed, policy.Block),
		decided(11, 1100, "lost", policy.Ask, gate.AnswerOnce, policy.Run),
	}
	got, err := report.NewSessions(yielding(starts), yielding(ends), yielding(calls))
	if err != nil {
		t.Fatal(err)
	}
	want := []report.Session{
		{ID: "a", Project: "/p", Branch: "topic", Started: 10 * second, Last: 1030 * second, Opened: 2, Duration: 60 * second, Calls: 3, Prompts: 1, Denied: 2, Blocked: 2},
		{ID: "b", Project: "/p", Started: 20 * second, Last: 50 * second, Opened: 1, Duration: 30 * second, Ended: "reload", Calls: 1, Blocked: 1},
		{ID: "lost", Started: 1100 * second, Last: 1200 * second, Duration: 100 * second, Ended: "quit", Calls: 1, Prompts: 1},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(report.Session{})); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct {
		since, until audit.Micros
		want         bool
	}{{0, 0, true}, {1030 * second, 0, true}, {1031 * second, 0, false}, {0, 10 * second, false}, {0, 11 * second, true}, {500 * second, 600 * second, true}} {
		if got[0].Between(c.since, c.until) != c.want {
			t.Errorf("between %d and %d is %v", c.since, c.until, !c.want)
		}
	}
}

// A question that nobody answered is told of, and so is what happened beside
// the gate.
func TestTimelineOfWhatWentWrong(t *testing.T) {
	t.Parallel()
	call := func(seq int64, at audit.Micros, kind gate.Kind, id string) audit.Row {
		return audit.Row{Seq: seq, Time: at * second, Kind: kind, Session: "a", Tool: "bash", Input: []byte(`{"command":"ls"}`), Body: []byte(`{"call":"` + id + `"}`)}
	}
	decided := func(seq int64, at audit.Micros, id string, answer gate.Answer, decision policy.Action) audit.Row {
		row := call(seq, at, gate.KindDecision, id)
		row.Answer, row.Decision = answer, decision
		return row
	}
	rows := []audit.Row{
		begun(1, 0, "a", ""),
		call(2, 1, gate.KindPrompt, "x"),
		call(3, 2, gate.KindPrompt, "y"),
		decided(4, 3, "z", "", policy.Run),
		call(5, 4, gate.KindPrompt, "w"),
		decided(6, 5, "x", gate.AnswerOnce, policy.Run),
		decided(7, 6, "z2", "", policy.Run),
		decided(8, 7, "w", gate.AnswerDeny, policy.Block),
		call(9, 8, gate.KindOutcome, "v"),
		decided(10, 61, "z3", "", policy.Run),
	}
	timeline, err := report.NewTimeline(yielding(rows))
	if err != nil {
		t.Fatal(err)
	}
	type brief struct {
		Seq, Through int64
		Kind         report.EventKind
		Calls        int
	}
	var got []brief
	for _, e := range timeline.Events {
		got = append(got, brief{e.Seq, e.Through, e.Kind, e.Calls})
	}
	want := []brief{{1, 0, report.EventStarted, 0}, {3, 0, report.EventUnanswered, 0}, {4, 7, report.EventRan, 2}, {6, 0, report.EventAsked, 0},
		{8, 0, report.EventAsked, 0}, {9, 0, report.EventUndecided, 0}, {10, 10, report.EventRan, 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if timeline.Calls != 5 || timeline.Prompts != 2 || timeline.Duration != 61*second || timeline.Ended != "" {
		t.Errorf("the session is %+v", timeline.Session)
	}
}

// Every call is told of once, in the order of the journal.
func TestTimelineTellsEveryCall(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var rows []audit.Row
		calls, at := 0, audit.Micros(0)
		for seq := range int64(rapid.IntRange(1, 40).Draw(rt, "entries")) {
			at += audit.Micros(rapid.IntRange(0, 40).Draw(rt, "pause")) * second
			id := rapid.SampledFrom([]string{"x", "y", "z"}).Draw(rt, "call")
			row := audit.Row{Seq: seq + 1, Time: at, Session: "a", Tool: "bash", Input: []byte(`{"command":"ls"}`), Body: []byte(`{"call":"` + id + `"}`)}
			row.Kind = rapid.SampledFrom([]gate.Kind{gate.KindDecision, gate.KindDecision, gate.KindPrompt, gate.KindAnswer, gate.KindOutcome, gate.KindWarning}).Draw(rt, "kind")
			if row.Kind == gate.KindDecision {
				calls++
				row.Decision = rapid.SampledFrom([]policy.Action{policy.Run, policy.Block}).Draw(rt, "decision")
				row.Answer = rapid.SampledFrom([]gate.Answer{"", "", gate.AnswerOnce, gate.AnswerDeny, gate.AnswerNoUI}).Draw(rt, "answer")
			}
			rows = append(rows, row)
		}
		timeline, err := report.NewTimeline(yielding(rows))
		if err != nil {
			rt.Fatal(err)
		}
		told, last := 0, int64(0)
		for _, e := range timeline.Events {
			if e.Seq <= last {
				rt.Fatalf("entry %d comes after %d", e.Seq, last)
			}
			last = e.Seq
			switch e.Kind {
			case report.EventRan:
				told += e.Calls
			case report.EventAsked, report.EventBlocked:
				told++
			default:
				// no decision
			}
		}
		if told != calls || timeline.Calls != calls {
			rt.Fatalf("%d calls, %d told of, %d counted", calls, told, timeline.Calls)
		}
	})
}
