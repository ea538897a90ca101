package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report/suggest"
	"github.com/pigate/pigate/internal/text"
)

const keys = "a accept  x reject  n narrower  w wider  e edit  m matches  u unseen  d diff  ? why  q quit"

// listHeight is the most lines that the list takes; it scrolls.
const listHeight = 10

// View implements tea.Model. Whatever the agent wrote is shown so that a terminal
// does nothing but show it.
func (m *model) View() tea.View {
	v := tea.NewView(m.screen())
	v.AltScreen = true
	return v
}

func (m *model) screen() string {
	var lines []string
	shown := max(1, min(listHeight, m.height/2))
	first := max(0, min(m.cursor-shown/2, len(m.items)-shown))
	for n, i := range m.items[first:min(len(m.items), first+shown)] {
		lines = append(lines, m.line(first+n, i))
	}
	position := ""
	if len(m.items) > shown {
		position = m.cut(fmt.Sprintf("%8d of %d", m.cursor+1, len(m.items)))
	}
	lines = append(lines, position)
	room := m.height - len(lines) - 3
	foot := m.folded(keys, "  ")
	switch {
	case m.editing:
		foot = []string{m.input.View()}
	case len(foot) > max(1, room/2):
		foot = []string{m.cut(keys)}
	}
	room -= len(foot) - 1
	body := m.body()
	if len(body) > room {
		body = append(body[:max(0, room-1)], "…")
	}
	lines = append(lines, body...)
	lines = append(lines, "", m.cut(m.message))
	lines = append(lines, foot...)
	return strings.Join(lines, "\n")
}

// line is a draft in the list.
func (m *model) line(n int, i *item) string {
	cursor, mark := " ", " "
	if n == m.cursor {
		cursor = ">"
	}
	switch i.said {
	case "accepted":
		mark = "+"
	case "rejected":
		mark = "-"
	}
	what := fmt.Sprintf("spares %d", i.draft.Saves)
	if i.text() != i.draft.Rule { // what it spares beside the others was counted for the draft alone
		what = fmt.Sprintf("instead of %s", i.draft.Rule)
	}
	if i.draft.Effect == policy.Deny {
		what = fmt.Sprintf("deny? refused %d times", i.draft.Denials)
	}
	return m.cut(fmt.Sprintf("%s %s %2d  %s   (%s)", cursor, mark, n+1, i.text(), what))
}

// cut makes hostile text one harmless line that fits.
func (m *model) cut(s string) string { return text.Cut(text.Visible(s), max(1, m.width)) }

// body is the pane of the draft under the cursor.
func (m *model) body() []string {
	i := m.items[m.cursor]
	if m.pane == diffPane {
		text, err := m.options.Diff(i.draft, i.text())
		if err != nil {
			return []string{m.cut(err.Error())}
		}
		return m.cutAll(strings.Split(strings.TrimRight(text, "\n"), "\n"))
	}
	e, err := m.explain(i.text())
	if i.draft.Effect == policy.Deny {
		e, err = suggest.Explanation{Draft: *i.draft, Drafted: true}, nil
		for _, text := range i.draft.Examples {
			e.Matches = append(e.Matches, suggest.Match{Text: text, Count: i.draft.Denials})
		}
	}
	if err != nil {
		return []string{m.cut(err.Error())}
	}
	var list []string
	switch m.pane {
	case matchesPane:
		list = append(list, fmt.Sprintf("%d distinct, the most frequent first:", len(e.Matches)))
		for _, match := range e.Matches {
			list = append(list, fmt.Sprintf("%5d  %s", match.Count, match.Text))
		}
	case othersPane:
		list = append(list, "would also be allowed, and was never seen:")
		for _, text := range e.Others {
			list = append(list, "  "+text)
		}
		if len(e.Others) == 0 {
			list[0] = "nothing else comes to mind that it would allow"
		}
	case whyPane, diffPane:
		var b strings.Builder
		if err := suggest.WriteWhy(&b, e, time.Local); err != nil {
			return []string{m.cut(err.Error())}
		}
		for _, line := range strings.Split(strings.TrimRight(b.String(), "\n"), "\n") {
			list = append(list, m.folded(text.Visible(line), " ")...)
		}
	}
	return m.cutAll(list)
}

// folded breaks text that holds nothing hostile into lines that fit, between
// words that a blank, or two, set apart.
func (m *model) folded(text, blank string) []string {
	var lines []string
	for _, word := range strings.Split(text, blank) {
		last := len(lines) - 1
		if last < 0 || len([]rune(lines[last]))+len(blank)+len([]rune(word)) > m.width {
			lines = append(lines, m.cut(word))
			continue
		}
		lines[last] += blank + word
	}
	return lines
}

func (m *model) cutAll(list []string) []string {
	for i := range list {
		list[i] = m.cut(list[i])
	}
	return list
}
