package report

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// Past is what became of a call before. The tags are the fields of
// `pigate audit why --json`.
type Past struct {
	// Calls is how often it was decided at all.
	Calls Times `json:"calls"`
	// Ran counts those that ran, Failed those of them that reported an error, Asked
	// those a person was asked about, Denied those that a rule or the person denied,
	// Blocked all that did not run.
	Ran     Times `json:"ran"`
	Failed  Times `json:"failed"`
	Asked   Times `json:"asked"`
	Denied  Times `json:"denied"`
	Blocked Times `json:"blocked"`
	// Answers are the answers there were, in the order of the dialog.
	Answers []AnswerTimes `json:"answers"`
}

// Times is how often something happened, and when last: Seq and Time are 0 and
// nil for never.
type Times struct {
	Count int           `json:"count"`
	Seq   int64         `json:"last_seq"`
	Time  *audit.Micros `json:"last_time"`
}

// AnswerTimes is how often an answer was given.
type AnswerTimes struct {
	Answer gate.Answer `json:"answer"`
	Times
}

var answerOrder = []gate.Answer{gate.AnswerOnce, gate.AnswerSession, gate.AnswerSave, gate.AnswerDeny, gate.AnswerDismissed, gate.AnswerAborted, gate.AnswerNoUI}

// NewPast counts decisions on a call, oldest first: those of the very same call
// apart from those that it was only a part of. is tells which; it is asked once
// for all calls with the same Subject.
func NewPast(calls iter.Seq2[audit.Call, error], is func(subject int64) (bool, error)) (same, within Past, err error) {
	answers := [2]map[gate.Answer]Times{{}, {}}
	known := map[int64]bool{}
	for c, err := range calls {
		if err != nil {
			return same, within, err
		}
		whole, asked := known[c.Subject]
		if !asked {
			if whole, err = is(c.Subject); err != nil {
				return same, within, err
			}
			known[c.Subject] = whole
		}
		p, a := &same, answers[0]
		if !whole {
			p, a = &within, answers[1]
		}
		p.add(&c)
		if c.Answer != "" {
			t := a[c.Answer]
			t.add(&c)
			a[c.Answer] = t
		}
	}
	same.Answers, within.Answers = inOrder(answers[0]), inOrder(answers[1])
	return same, within, nil
}

func inOrder(answers map[gate.Answer]Times) []AnswerTimes {
	list := []AnswerTimes{}
	for _, a := range answerOrder {
		if t := answers[a]; t.Count > 0 {
			list = append(list, AnswerTimes{a, t})
		}
	}
	return list
}

func (p *Past) add(c *audit.Call) {
	for _, count := range []struct {
		times *Times
		is    bool
	}{
		{&p.Calls, true},
		{&p.Ran, c.Decision == policy.Run},
		{&p.Failed, c.Outcome == audit.OutcomeError},
		{&p.Asked, asked(c.Answer)},
		{&p.Denied, denied(c.Verdict, c.Answer)},
		{&p.Blocked, c.Decision == policy.Block},
	} {
		if count.is {
			count.times.add(c)
		}
	}
}

func (t *Times) add(c *audit.Call) {
	t.Count++
	t.Seq, t.Time = c.Seq, &c.Time
}

// WritePast writes for people what became of a call before, and of those that it
// was a part of.
func WritePast(w io.Writer, same, within Past, screen Screen) error {
	out := bufio.NewWriter(w)
	if same.Calls.Count == 0 {
		fmt.Fprintln(out, "before: never")
	} else {
		fmt.Fprintf(out, "before: %s\n", same.Calls.words(screen))
		same.write(out, screen)
	}
	if within.Calls.Count > 0 {
		fmt.Fprintf(out, "as a part of other calls: %s\n", within.Calls.words(screen))
		within.write(out, screen)
	}
	return out.Flush()
}

func (p *Past) write(out io.Writer, screen Screen) {
	for _, c := range []struct {
		name  string
		times Times
		as    shade
	}{{"ran", p.Ran, plain}, {"failed", p.Failed, alarm}, {"asked", p.Asked, warning}, {"denied", p.Denied, alarm}, {"blocked", p.Blocked, alarm}} {
		if c.times.Count == 0 || c.name == "blocked" && p.Blocked == p.Denied {
			continue
		}
		fmt.Fprintf(out, "  %s%s %s\n", screen.paint(c.name, c.as), strings.Repeat(" ", 8-len(c.name)), c.times.words(screen))
		if c.name == "asked" {
			for _, a := range p.Answers {
				if asked(a.Answer) {
					fmt.Fprintf(out, "    %s: %s\n", answerWords[a.Answer], a.words(screen))
				}
			}
		}
	}
}

// words say how often and when last, with the number of the entry.
func (t Times) words(screen Screen) string {
	times := strconv.Itoa(t.Count) + " times, last"
	if t.Count == 1 {
		times = "1 time,"
	}
	return fmt.Sprintf("%s %s (%d)", times, t.Time.Time().In(screen.Zone).Format("2006-01-02 15:04:05"), t.Seq)
}
