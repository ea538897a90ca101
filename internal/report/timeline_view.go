package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/text"
)

// answerWords say what came of a question.
var answerWords = map[gate.Answer]string{
	gate.AnswerOnce:      "allowed once",
	gate.AnswerSession:   "allowed for the session",
	gate.AnswerSave:      "allowed, and rules saved",
	gate.AnswerDeny:      "denied",
	gate.AnswerDismissed: "dismissed",
	gate.AnswerAborted:   "aborted",
}

// WriteTimeline writes what happened in a session for people.
func WriteTimeline(w io.Writer, t Timeline, screen Screen) error {
	out := bufio.NewWriter(w)
	say := func(name, format string, args ...any) {
		fmt.Fprintf(out, "%-9s %s\n", name, text.Visible(fmt.Sprintf(format, args...)))
	}
	say("session", "%s", t.ID)
	say("project", "%s", cmp.Or(t.Project, "-"))
	if t.Parent != "" {
		say("parent", "%s", t.Parent)
	}
	if t.Agent != "" {
		say("agent", "%s", t.Agent)
	}
	for _, s := range t.SubAgents {
		say("sub-agent", "%s", strings.TrimSpace(s.ID+" "+s.Agent))
	}
	if t.Branch != "" {
		say("branch", "%s", t.Branch)
	}
	if t.Remote != "" {
		say("remote", "%s", t.Remote)
	}
	opened := ""
	if t.Opened > 1 {
		opened = fmt.Sprintf(", opened %d times", t.Opened)
	}
	say("open", "%s, from %s on%s", Took(t.Duration), t.Started.Time().In(screen.Zone).Format("2006-01-02 15:04:05 -07:00"), opened)
	say("ended", "%s", cmp.Or(t.Ended, "no end is recorded"))
	say("calls", "%d: %d asked about, %d denied, %d blocked in all", t.Calls, t.Prompts, t.Denied, t.Blocked)
	fmt.Fprintln(out)
	const what = 4
	g := grid{screen: screen, flexible: what}
	g.add(titles("SEQ", "TIME", "EVENT", "WHAT"))
	for i := range t.Events {
		g.add(t.Events[i].cells(screen))
		if g.full() {
			if err := g.flush(out); err != nil {
				return err
			}
		}
	}
	if err := g.flush(out); err != nil {
		return err
	}
	return out.Flush()
}

func (e *Event) cells(screen Screen) []gridCell {
	layout := "01-02 15:04:05"
	if e.Kind == EventRan {
		layout = "01-02 15:04"
	}
	return []gridCell{{text: fmt.Sprint(e.Seq)}, {text: e.Time.Time().In(screen.Zone).Format(layout)},
		{string(e.Kind), e.shade()}, {text: cell(e.words(), 160)}}
}

func (e *Event) shade() shade {
	switch e.Kind {
	case EventAsked:
		if e.Decision == policy.Block {
			return alarm
		}
		return warning
	case EventBlocked, EventChanged, EventUndecided, EventUnanswered:
		return alarm
	case EventStarted, EventEnded, EventRan, EventSaved, EventWarned:
	}
	return plain
}

// words say what happened; the text is hostile.
func (e *Event) words() string {
	switch e.Kind {
	case EventRan:
		return e.ranWords()
	case EventAsked:
		return e.call() + ": " + e.answerWords()
	case EventBlocked:
		return e.call() + ": " + e.blockedWords()
	case EventUnanswered:
		return e.call() + ": the question has no answer in the journal"
	case EventChanged:
		return e.call() + ": another input ran than was approved"
	case EventUndecided:
		return e.Tool + " ran and was never decided" + e.failure()
	case EventSaved:
		if e.Error != "" {
			return "not saved: " + strings.Join(e.Rules, ", ") + ": " + e.Error
		}
		said := slices.Clone(e.Rules)
		for _, r := range e.Removed {
			said = append(said, "removed "+r)
		}
		return strings.Join(said, ", ") + " in " + e.File
	case EventStarted, EventEnded, EventWarned:
	}
	return e.Text
}

func (e *Event) call() string { return e.Tool + " " + e.What }

func (e *Event) failure() string {
	if e.Outcome == audit.OutcomeError {
		return ", and reported an error"
	}
	return ""
}

func (e *Event) blockedWords() string {
	why := cmp.Or(strings.Join(e.Reasons, "; "), "by "+string(e.Basis))
	if e.Answer == gate.AnswerNoUI {
		return "nobody could be asked: " + why
	}
	return why
}

func (e *Event) answerWords() string {
	words := cmp.Or(answerWords[e.Answer], string(e.Answer))
	if e.Waited > 0 {
		words += " after " + Took(e.Waited)
	}
	if e.AskedIn != "" {
		words += " in the session that began it"
	}
	return words + e.failure()
}

// ranWords count the calls of a minute: all, by name, and what is noteworthy.
func (e *Event) ranWords() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s", e.Calls, one(e.Calls, "call", "calls"))
	for i, n := range e.Names {
		sep := ", "
		if i == 0 {
			sep = ": "
		}
		fmt.Fprintf(&b, "%s%s", sep, n.Name)
		if n.Calls > 1 {
			fmt.Fprintf(&b, " %d times", n.Calls)
		}
	}
	for _, n := range []struct {
		count int
		words string
	}{{e.Failed, "reported an error"}, {e.Granted, "allowed for the session before"}, {e.Disabled, "with the gate switched off"}} {
		if n.count > 0 {
			fmt.Fprintf(&b, "; %d %s", n.count, n.words)
		}
	}
	return b.String()
}

func one(n int, singular, plural string) string {
	if n == 1 {
		return singular
	}
	return plural
}
