// Package tui is a list in the terminal in which a person goes through
// drafted rules, one by one, and says what becomes of each. It decides nothing
// and writes nothing itself: what the person says is handed to functions.
package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report/suggest"
)

// Options are what the list shows, and what it does when the person says so.
type Options struct {
	Study *suggest.Study
	// Accept carries out a draft as the person left its text, Reject keeps it away;
	// both return a line that says what was done.
	Accept func(d *suggest.Draft, text string) (done string, err error)
	Reject func(d *suggest.Draft) (done string, err error)
	// Diff shows how the configuration file would change.
	Diff func(d *suggest.Draft, text string) (string, error)
}

// Run shows the list until the person leaves it. in and out are a terminal.
func Run(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	_, err := tea.NewProgram(newModel(o), tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out)).Run()
	if errors.Is(err, tea.ErrInterrupted) || ctx.Err() != nil {
		return nil // the person left
	}
	if err != nil {
		return fmt.Errorf("show drafts: %w", err)
	}
	return nil
}

// item is a draft with what the person made of it so far.
type item struct {
	draft *suggest.Draft
	// rungs are the texts that can be had, from the narrowest to the widest; at is
	// the one that is chosen. What the person wrote is one more.
	rungs []string
	at    int
	// said is "", "accepted" or "rejected".
	said string
}

func (i *item) text() string { return i.rungs[i.at] }

// pane is what is shown below the list.
type pane int

const (
	whyPane pane = iota
	matchesPane
	othersPane
	diffPane
)

type model struct {
	options       Options
	items         []*item
	cursor        int
	pane          pane
	editing       bool
	input         textinput.Model
	message       string
	width, height int
	explained     map[string]suggest.Explanation
}

func newModel(o Options) *model {
	m := &model{options: o, width: 80, height: 24, input: textinput.New(), explained: map[string]suggest.Explanation{}}
	m.input.Prompt = "rule: "
	drafts := o.Study.Result().Drafts
	for i := range drafts {
		d := &drafts[i]
		rungs := slices.Clone(d.Narrower)
		slices.Reverse(rungs)
		at := len(rungs)
		m.items = append(m.items, &item{draft: d, rungs: append(append(rungs, d.Rule), d.Wider...), at: at})
	}
	return m
}

// Init implements tea.Model.
func (m *model) Init() tea.Cmd { return nil }

// Update implements tea.Model.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		if m.editing {
			return m, m.edit(msg)
		}
		return m, m.key(msg.String())
	case tea.PasteMsg:
		if m.editing {
			var cmd tea.Cmd
			m.input, cmd = m.input.Update(msg)
			return m, cmd
		}
	}
	return m, nil
}

// key does what a key says.
func (m *model) key(name string) tea.Cmd {
	m.message = ""
	switch name {
	case "q", "esc", "ctrl+c":
		return tea.Quit
	case "up", "k":
		m.move(-1)
		return nil
	case "down", "j":
		m.move(1)
		return nil
	case "m":
		m.pane = matchesPane
		return nil
	case "u":
		m.pane = othersPane
		return nil
	case "d":
		m.pane = diffPane
		return nil
	case "?":
		m.pane = whyPane
		return nil
	}
	i := m.items[m.cursor]
	if i.said != "" {
		m.message = "it is " + i.said + " already"
		return nil
	}
	switch name {
	case "n":
		m.rung(i, -1, "there is nothing narrower")
	case "w":
		m.rung(i, 1, "there is nothing wider that would be drafted")
	case "a":
		m.accept(i)
	case "x":
		m.reject(i)
	case "e":
		m.editing = true
		m.input.SetValue(i.text())
		m.input.CursorEnd()
		m.input.SetWidth(max(10, m.width-len(m.input.Prompt)-1))
		return m.input.Focus()
	}
	return nil
}

func (m *model) move(by int) {
	m.cursor = min(max(0, m.cursor+by), len(m.items)-1)
}

func (m *model) rung(i *item, by int, otherwise string) {
	if at := i.at + by; at >= 0 && at < len(i.rungs) {
		i.at = at
		return
	}
	m.message = otherwise
}

// edit takes a key while a rule is being written.
func (m *model) edit(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "esc", "ctrl+c":
		m.editing = false
		return nil
	case "enter":
		m.editing = false
		m.write(m.items[m.cursor], m.input.Value())
		return nil
	}
	var cmd tea.Cmd
	m.input, cmd = m.input.Update(msg)
	return cmd
}

// write makes what the person wrote the text of a draft.
func (m *model) write(i *item, text string) {
	if i.draft.Effect == policy.Allow {
		e, err := m.options.Study.Explain(text)
		if err != nil {
			m.message = err.Error()
			return
		}
		text = e.Rule
	}
	if at := slices.Index(i.rungs, text); at >= 0 {
		i.at = at
		return
	}
	i.at++
	i.rungs = slices.Insert(i.rungs, i.at, text)
}

// accept carries a draft out, unless something speaks against what it has become.
func (m *model) accept(i *item) {
	if i.draft.Effect == policy.Allow {
		if e, err := m.explain(i.text()); err != nil {
			m.message = err.Error()
			return
		} else if e.Veto != nil {
			m.message = "not written: " + e.Veto.Words() + "; who means it writes it into the file"
			return
		}
	}
	done, err := m.options.Accept(i.draft, i.text())
	if err != nil {
		m.message = err.Error()
		return
	}
	i.said, m.message = "accepted", done
	m.move(1)
}

func (m *model) reject(i *item) {
	done, err := m.options.Reject(i.draft)
	if err != nil {
		m.message = err.Error()
		return
	}
	i.said, m.message = "rejected", done
	m.move(1)
}

// explain says all about a text; the study is asked once.
func (m *model) explain(text string) (suggest.Explanation, error) {
	if e, known := m.explained[text]; known {
		return e, nil
	}
	e, err := m.options.Study.Explain(text)
	if err == nil {
		m.explained[text] = e
	}
	return e, err
}
