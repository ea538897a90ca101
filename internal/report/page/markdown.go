package page

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/pigate/pigate/internal/report"
)

// maxMarkdown is how many rows of a list stand in Markdown, which people read
// between other things.
const maxMarkdown = 10

// WriteMarkdown writes a report in short, for a pull request: tables of GitHub's
// Markdown in which no text of the journal is anything but text. Times are those
// of the zone.
func WriteMarkdown(w io.Writer, r *Report, zone *time.Location) error {
	r = visible(r)
	m := &markdown{bufio.NewWriter(w)}
	m.line("# pigate report: %s", report.HarmlessInMarkdown(r.scope()))
	m.line("\n%s (%s)", r.span(zone), r.Zone)
	m.figures(r)
	m.notes(r)
	var rows [][]string
	for _, p := range r.Programs.Rows {
		rows = append(rows, []string{harmless(p.Name), number(p.Prompts), number(p.Approved), harmless(p.Example)})
	}
	m.table("Programs that cost most prompts", "No prompts in this period.", r.Programs.More, []string{"program", "prompts", "allowed", "most often"}, rows)
	rows = nil
	for _, d := range r.Denials.Rows {
		rows = append(rows, []string{clock(d.Time, zone), harmless(base(d.Project)), harmless(d.Tool), harmless(d.What), harmless(d.Why), by(d.Basis, d.Answer), strconv.Itoa(d.Times), strconv.FormatInt(d.Seq, 10)})
	}
	m.table("Denials", "Nothing was denied in this period.", r.Denials.More, []string{"time", "project", "tool", "what", "why", "by", "times", "entry"}, rows)
	rows = nil
	for _, a := range r.Approvals.Rows {
		var words []string
		for _, flag := range a.Flags {
			words = append(words, flagWords[flag])
		}
		rows = append(rows, []string{clock(a.Time, zone), harmless(base(a.Project)), harmless(a.Tool), harmless(a.What), strings.Join(words, ", "), by(a.Basis, a.Answer), strconv.Itoa(a.Times), strconv.FormatInt(a.Seq, 10)})
	}
	m.table("Approvals worth a second look", "No approval of this period needs a second look.", r.Approvals.More, []string{"time", "project", "tool", "what", "because", "by", "times", "entry"}, rows)
	rows = nil
	for _, u := range r.Rules.Rows {
		rows = append(rows, []string{harmless(u.Rule), harmless(string(u.Effect)), number(u.Calls), clock(u.Last, zone), report.HarmlessInMarkdown(tail(60, u.Where))})
	}
	m.table("Rules and their use", "No rule decided a call in this period.", r.Rules.More, []string{"rule", "effect", "calls", "last used", "where"}, rows)
	rows = nil
	for _, f := range r.Findings.Rows {
		rows = append(rows, []string{harmless(f.Rule), harmless(string(f.Kind)), report.HarmlessInMarkdown(cut(160, f.Text)), report.HarmlessInMarkdown(tail(60, f.Where()))})
	}
	m.table("Rules to tidy up", r.noFindings(), r.Findings.More, []string{"rule", "kind", "what is the matter", "where"}, rows)
	if err := m.Flush(); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// harmless is hostile text, shortened.
func harmless(s string) string { return report.HarmlessInMarkdown(cut(80, s)) }

// base is the name of a folder, of whatever system.
func base(folder string) string {
	return folder[strings.LastIndexAny(folder, `/\`)+1:]
}

type markdown struct{ *bufio.Writer }

func (m *markdown) line(format string, args ...any) { fmt.Fprintf(m, format+"\n", args...) }

func (m *markdown) figures(r *Report) {
	m.line("\n| figure | now | before |\n| --- | --- | --- |")
	for _, h := range r.headlines() {
		before := h.Before
		if before == "" {
			before = "–"
		}
		m.line("| %s | %s | %s |", h.Name, h.Now, before)
	}
}

func (m *markdown) notes(r *Report) {
	if len(r.Notes) == 0 {
		return
	}
	m.line("\n## What stands out\n")
	for _, n := range r.Notes {
		text := n.Text
		if n.Subject != "" {
			text = harmless(n.Subject) + " " + text
		}
		m.line("- %s %s", text, n.Next)
	}
}

func (m *markdown) table(title, empty string, more int, heads []string, rows [][]string) {
	m.line("\n## %s\n", title)
	if len(rows) == 0 {
		m.line("%s", empty)
		return
	}
	m.line("| %s |", strings.Join(heads, " | "))
	m.line("|%s", strings.Repeat(" --- |", len(heads)))
	for i, row := range rows {
		if i == maxMarkdown {
			break
		}
		m.line("| %s |", strings.Join(row, " | "))
	}
	if more += max(len(rows)-maxMarkdown, 0); more > 0 {
		m.line("\nand %s more", number(more))
	}
}
