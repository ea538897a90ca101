package suggest

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/text"
)

// Texts of a history are hostile; all of them leave here through shown.
func shown(s string, width int) string { return text.Cut(text.Visible(s), width) }

const (
	ruleWidth    = 72
	exampleWidth = 60
)

// Write shows drafts to a person: a ranked table, the reasons, and what can be
// done next. Times are in the zone. tested is nil without a backtest. width is
// how many characters a line of the screen has, 0 is no bound: on a narrow one the
// table leaves out what is said elsewhere or follows from the rest.
func Write(w io.Writer, r Result, tested *Backtest, zone *time.Location, width int) error {
	p := printer{w: w}
	p.head(r)
	p.table(r, zone, width)
	for i, d := range r.Drafts {
		p.reasons(i+1, d, approved(r))
	}
	p.tested(tested)
	p.settings(r)
	return p.err
}

// printer keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) say(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

func (p *printer) head(r Result) {
	allow := 0
	for _, d := range r.Drafts {
		if d.Effect == policy.Allow {
			allow++
		}
	}
	p.say("%s in %s of history", count(r.Prompts, "prompt"), span(r.Weeks))
	switch {
	case r.Prompts == 0:
		p.say(": there is nothing to spare.\n")
	case allow == 0:
		p.say(", and no rule to draft from them.\n")
	default:
		p.say("; %s would have spared %d of them (%s).\n", count(allow, "rule"), r.Spared, percent(r.Spared, r.Prompts))
	}
	if allow > 0 && !approved(r) {
		p.say("Nobody was ever asked about any of these calls: they ran, which does not say that somebody approved them.\n")
	}
	if r.Fixed > 0 {
		p.say("%d of them no allow rule can spare: they ask whatever the allowlist says.\n", r.Fixed)
	}
}

func (p *printer) table(r Result, zone *time.Location, width int) {
	if len(r.Drafts) == 0 || p.err != nil {
		return
	}
	p.say("\n")
	t := tabwriter.NewWriter(p.w, 0, 8, 2, ' ', 0)
	rows := [][]string{{"#", "RULE", "SAVES/WEEK", "SAVES", "APPROVED", "RAN", "SESSIONS", "DAYS", "LAST", "RISK", "UNSEEN", "SCORE"}}
	longest := 0
	for i, d := range r.Drafts {
		cells := row(i+1, d, zone)
		longest = max(longest, len([]rune(cells[1])))
		rows = append(rows, cells)
	}
	if width > 0 && longest+wideColumns > width {
		for i, cells := range rows {
			rule := shown(cells[1], max(leastRule, width-narrowColumns))
			rows[i] = []string{cells[0], rule, cells[3], cells[4], cells[5], cells[6], cells[9], cells[11]}
		}
	}
	for _, cells := range rows {
		if p.err == nil {
			_, p.err = fmt.Fprintln(t, strings.Join(cells, "\t"))
		}
	}
	if err := t.Flush(); p.err == nil {
		p.err = err
	}
}

// wideColumns is how wide the columns beside the rule are together, with the gaps,
// narrowColumns those that are left on a narrow screen; leastRule is how much of a
// rule there is to read at least.
const (
	wideColumns   = 86
	narrowColumns = 49
	leastRule     = 16
)

func row(n int, d Draft, zone *time.Location) []string {
	rule, unseen := shown(d.Rule, ruleWidth), "-"
	saves, week := strconv.Itoa(d.Saves), fmt.Sprintf("%.1f", d.SavesWeek)
	if d.Effect == policy.Deny {
		rule, saves, week = "deny? "+rule, "-", "-"
	}
	if d.Unseen > 0 {
		unseen = fmt.Sprintf("%.0f%%", 100*d.Unseen)
	}
	return []string{strconv.Itoa(n), rule, week, saves, strconv.Itoa(d.Approvals), strconv.Itoa(d.Runs), strconv.Itoa(d.Sessions), strconv.Itoa(d.Days),
		d.Last.Time().In(zone).Format("2006-01-02"), fmt.Sprintf("%.2f", d.Risk), unseen, fmt.Sprintf("%.2f", d.Score)}
}

// approved reports that a person approved something of what the drafts rest on.
func approved(r Result) bool {
	return slices.ContainsFunc(r.Drafts, func(d Draft) bool { return d.Approvals > 0 })
}

// reasons says a draft's risk in words, with examples.
func (p *printer) reasons(n int, d Draft, all bool) {
	p.say("\n%d  %s\n", n, shown(d.Rule, ruleWidth))
	if d.Effect == policy.Deny {
		p.say("   a question: you refused this %s in %s and never approved it; shall it be blocked from now on?\n", count(d.Denials, "time"), count(d.Sessions, "session"))
	} else {
		list := slices.Clone(d.RiskWords)
		if !all {
			list = slices.DeleteFunc(list, func(words string) bool { return words == neverAsked }) // said once
		}
		p.say("   %s\n", strings.Join(list, "; "))
	}
	p.examples(d)
	if len(d.Narrower) > 0 {
		p.say("   narrower: %s\n", shown(d.Narrower[0], ruleWidth))
	}
	if len(d.Wider) > 0 {
		p.say("   wider: %s\n", shown(d.Wider[0], ruleWidth))
	}
}

func (p *printer) examples(d Draft) {
	if len(d.Examples) == 1 && strings.HasSuffix(d.Rule, d.Examples[0]) {
		return // the rule says it all
	}
	for i, example := range d.Examples {
		if i == examplesPrinted {
			p.say("   and %d more\n", d.Kinds-i)
			return
		}
		p.say("   such as  %s\n", shown(example, exampleWidth))
	}
}

// examplesPrinted is how many examples stand under the table.
const examplesPrinted = 3

func (p *printer) tested(b *Backtest) {
	switch {
	case b == nil:
		return
	case b.Prompts == 0:
		p.say("\nbacktest: nothing was asked in the last 30 %% of the time, so there is nothing to try the drafts on.\n")
		return
	}
	p.say("\nbacktest: %s drawn from what was before %s would have spared %d of %s since (%s; %s of the %d that rules can reach).\n",
		count(b.Rules, "rule"), time.UnixMicro(b.Cut).UTC().Format("2006-01-02"), b.Spared, count(b.Prompts, "prompt"), percent(b.Spared, b.Prompts), percent(b.Spared, b.Reachable), b.Reachable)
	if b.New > 0 {
		p.say("They would have let run %s that had not been seen before:\n", count(b.New, "call"))
		for _, example := range b.Examples {
			p.say("   %s\n", shown(example, exampleWidth))
		}
	}
	p.say("Calls among them that you refused later: %d.\n", b.Wrong)
}

func (p *printer) settings(r Result) {
	for _, s := range r.Settings {
		p.say("\nsetting: \"%s\": \"%s\" would spare %d of the %s by itself", s.Key, s.Value, s.Spares, count(r.Prompts, "prompt"))
		if s.Opens > 0 {
			p.say(", and put %d more within the reach of rules", s.Opens)
		}
		p.say(".\nThey ask now for every \">\"; with it 2>&1 and /dev/null are free, and a file is judged as an edit of it.\n")
	}
}

// WriteExplanation shows all that there is to say about one rule.
func WriteExplanation(w io.Writer, e Explanation, zone *time.Location) error {
	p := printer{w: w}
	p.say("%s\n\n", shown(e.Rule, 400))
	p.why(e, zone)
	p.lists(e)
	return p.err
}

// WriteWhy shows what speaks for and against a rule, without what it covers.
func WriteWhy(w io.Writer, e Explanation, zone *time.Location) error {
	p := printer{w: w}
	p.why(e, zone)
	return p.err
}

func (p *printer) why(e Explanation, zone *time.Location) {
	switch {
	case e.Drafted && e.Effect == policy.Deny:
		p.say("drafted as a question: refused %s in %s, never approved; %s would have been blocked\n", count(e.Denials, "time"), count(e.Sessions, "session"), count(e.Runs, "plain run"))
		return
	case e.Drafted:
		p.say("drafted: it would have spared %s beside the other drafts\n", count(e.Saves, "prompt"))
	case e.Veto != nil:
		p.say("never drafted: %s\n", shown(e.Veto.Words(), 200))
	case len(e.Missing) > 0:
		p.say("not drafted: %s\n", shown(strings.Join(e.Missing, "; "), 300))
	default:
		p.say("not drafted: beside the other drafts it spares too little\n")
	}
	p.say("evidence: %s and %s that ran well, %d that failed, %d left without an answer; %s, %s, %s",
		count(e.Approvals, "approval"), count(e.Runs, "call"), e.Failed, e.Dismissed, count(e.Kinds, "distinct command"), count(e.Sessions, "session"), count(e.Days, "day"))
	if e.Last != 0 {
		p.say(", last seen %s", e.Last.Time().In(zone).Format("2006-01-02"))
	}
	p.say("\nrisk: %.2f (%s)\nunseen: about %.0f%% of what it will allow was never seen\nscore: %.2f\n", e.Risk, strings.Join(e.RiskWords, "; "), 100*e.Unseen, e.Score)
}

func (p *printer) lists(e Explanation) {
	list := func(title string, texts []string) {
		if len(texts) > 0 {
			p.say("\n%s:\n", title)
		}
		for _, s := range texts {
			p.say("  %s\n", shown(s, 200))
		}
	}
	list("narrower", e.Narrower)
	list("wider", e.Wider)
	var matches []string
	for i, m := range e.Matches {
		if i == matchesShown {
			matches = append(matches, fmt.Sprintf("and %d more", len(e.Matches)-i))
			break
		}
		matches = append(matches, fmt.Sprintf("%4d  %s", m.Count, m.Text))
	}
	list("covers, of what is asked about today", matches)
	list("would also allow, never seen", e.Others)
}

// matchesShown is how many matches an explanation shows.
const matchesShown = 20

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func span(weeks float64) string {
	if weeks < 1.05 {
		return "a week"
	}
	return fmt.Sprintf("%.1f weeks", weeks)
}

func percent(n, of int) string {
	if of == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(n)/float64(of))
}
