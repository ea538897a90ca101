package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/text"
)

// more are the fields of an entry's detail that Show tells of.
type more struct {
	Call    string `json:"call"`
	Cwd     string `json:"cwd"`
	Trusted bool   `json:"trusted"`
	Waited  int64  `json:"waited_us"`
	Policy  any    `json:"policy"`
	Grant   string `json:"grant"`
	Note    string `json:"note"`
	AskedIn string `json:"asked_in"`
}

func moreOf(row *audit.Row) (m more) {
	_ = json.Unmarshal(row.Body, &m) // an entry of another form has less to tell
	return m
}

// Show writes an entry whole, for people, and nothing that a terminal would act
// on but the screen's own colours.
func Show(w io.Writer, s audit.Shown, screen Screen) error {
	out := bufio.NewWriter(w)
	as := func(as shade, name, format string, args ...any) {
		fmt.Fprintf(out, "%-9s %s\n", name, screen.paint(text.Visible(fmt.Sprintf(format, args...)), as))
	}
	say := func(name, format string, args ...any) { as(plain, name, format, args...) }
	row := &s.Entry
	m := moreOf(row)
	say("entry", "%d, %s", row.Seq, row.Kind)
	say("time", "%s", row.Time.Time().In(screen.Zone).Format("2006-01-02 15:04:05.000000 -07:00"))
	if row.Session != "" {
		say("session", "%s", row.Session)
	}
	if row.Project != "" {
		say("project", "%s", row.Project)
	}
	switch {
	case row.Kind == gate.KindDecision:
		showWhat(out, say, row, &m)
		showDecision(as, row, &m)
		if s.History != nil {
			say("history", "%s", historyWords(s.History, screen))
		}
		sayPolicy(say, fmt.Sprint(m.Policy), m.Trusted, s.Policy)
	case row.Kind == gate.KindImport && !row.Erased:
		showWhat(out, say, row, &m)
		showOrigin(say, row, screen)
	default:
		say("says", "%s", what(row))
	}
	say("link", "%d in the chain", s.Link.Seq)
	say("  hash", "%s", s.Link.Hash)
	say("  prev", "%s", s.Link.Prev)
	if !s.Link.Intact {
		as(alarm, "", "the hash is not that of the entry: it was changed; see pigate audit verify")
	}
	return out.Flush()
}

// showWhat tells what a call was.
func showWhat(out io.Writer, say func(string, string, ...any), row *audit.Row, m *more) {
	say("call", "%s", m.Call)
	if m.Cwd != "" && m.Cwd != row.Project {
		say("folder", "%s", m.Cwd)
	}
	say("tool", "%s", row.Tool)
	fmt.Fprintln(out)
	for line := range strings.SplitSeq(text.VisibleLines(row.What()), "\n") {
		fmt.Fprintf(out, "  %s\n", line)
	}
	fmt.Fprintln(out)
	for _, res := range row.Resources {
		via := ""
		if res.Via != "" {
			via = "  (by " + res.Via + ")"
		}
		say("unit", "%s%s", res.Text, via)
	}
}

// showDecision tells what was decided about a call, and what came of it.
func showDecision(as func(shade, string, string, ...any), row *audit.Row, m *more) {
	say := func(name, format string, args ...any) { as(plain, name, format, args...) }
	as(verdictShade(row), "verdict", "%s", row.Verdict)
	for _, reason := range row.Reasons {
		about := ""
		if reason.Resource != "" {
			about = ": " + reason.Resource
		}
		say("  why", "%s%s", reason.Words(), about)
	}
	if row.Answer != "" {
		say("answer", "%s%s", row.Answer, after(m.Waited))
	}
	as(decisionShade(row), "decision", "%s, by %s", row.Decision, row.Basis)
	if m.Grant != "" {
		say("  grant", "%s", m.Grant)
	}
	if m.Note != "" {
		say("  note", "%s", m.Note)
	}
	if row.Outcome == "" {
		say("outcome", "none was reported")
		return
	}
	as(outcomeShade(row), "outcome", "%s%s", outcome(row), after(row.Duration))
}

// showOrigin tells where an imported call comes from.
func showOrigin(say func(string, string, ...any), row *audit.Row, screen Screen) {
	i := row.Imported()
	result := string(i.Result)
	if result == "" {
		result = "the file does not tell"
	}
	say("result", "%s", result)
	say("from", "a session of %s: %s", i.Source, i.File)
	say("imported", "%s; it is not known whether anybody approved it",
		audit.Micros(i.ImportedAt).Time().In(screen.Zone).Format("2006-01-02 15:04:05"))
}

// historyWords say what became of the call in the project to this day.
func historyWords(h *audit.ShownHistory, screen Screen) string {
	last := func(n int, at *audit.Micros) string {
		return fmt.Sprintf("%d %s, last %s", n, one(n, "time", "times"), at.Time().In(screen.Zone).Format("2006-01-02 15:04:05"))
	}
	words := "to this day it never ran"
	if h.LastRan != nil {
		words = "to this day it ran " + last(h.Ran, h.LastRan)
	}
	if h.Approved > 0 {
		words += fmt.Sprintf("; approved %d %s", h.Approved, one(h.Approved, "time", "times"))
	}
	if h.LastDenied != nil {
		words += "; denied " + last(h.Denied, h.LastDenied)
	}
	return words
}

func after(us int64) string {
	if us == 0 {
		return ""
	}
	return ", after " + Took(us)
}

// sayPolicy names the policy and lists its rules.
func sayPolicy(say func(string, string, ...any), digest string, trusted bool, policy json.RawMessage) {
	trust := "the project was not trusted"
	if trusted {
		trust = "the project was trusted"
	}
	say("policy", "%s; %s", digest, trust)
	var p *struct {
		Allow, Deny []string
	}
	if json.Unmarshal(policy, &p) != nil || p == nil {
		say("", "its rules are not in these files, or were erased")
		return
	}
	for _, rule := range p.Deny {
		say("  deny", "%s", rule)
	}
	for _, rule := range p.Allow {
		say("  allow", "%s", rule)
	}
}
