package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report/suggest"
)

const day = 24 * 3600 * 1_000_000

// study is a history of five days with two habits and a refusal.
func study(t *testing.T) *suggest.Study {
	t.Helper()
	h := suggest.NewHistory()
	call := func(command string) int {
		return h.Subject(suggest.Subject{Request: policy.Request{Tool: "bash", Input: []byte(fmt.Sprintf(`{"command":%q}`, command)), Cwd: "/p", Root: "/p", OS: "linux", Home: "/h"}})
	}
	for i, c := range []struct {
		text string
		word suggest.Word
	}{{"npm run a", suggest.Approved}, {"npm run build x", suggest.Approved}, {"npm run build y", suggest.Approved}, {"npm run build z", suggest.Approved}, {"make deploy", suggest.Denied}} {
		n := call(c.text)
		for d := range 5 {
			h.Saw(n, suggest.Sighting{Time: int64(1_700_000_000_000_000 + d*day + i), Session: fmt.Sprint(d), Word: c.word})
		}
	}
	return suggest.NewStudy(h, policy.New(policy.DefaultSettings(), nil), suggest.Options{})
}

// screen is the list with what was asked of it.
type screen struct {
	*model
	t    *testing.T
	said []string
	fail error
}

func newScreen(t *testing.T) *screen {
	s := &screen{t: t}
	s.model = newModel(Options{Study: study(t),
		Accept: func(d *suggest.Draft, text string) (string, error) {
			s.said = append(s.said, "accept "+d.Rule+" as "+text)
			return "saved " + text, s.fail
		},
		Reject: func(d *suggest.Draft) (string, error) {
			s.said = append(s.said, "reject "+d.Rule)
			return "rejected " + d.Rule, s.fail
		},
		Diff: func(_ *suggest.Draft, text string) (string, error) { return "+ " + text + "\x1b[2J", nil },
	})
	s.Update(tea.WindowSizeMsg{Width: 100, Height: 30})
	return s
}

func (s *screen) press(keys ...string) {
	for _, k := range keys {
		msg := tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
		switch k {
		case "enter":
			msg = tea.KeyPressMsg{Code: tea.KeyEnter}
		case "esc":
			msg = tea.KeyPressMsg{Code: tea.KeyEsc}
		case "clear":
			msg = tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl}
		}
		s.Update(msg)
	}
}

func (s *screen) shows(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if view := s.model.screen(); !strings.Contains(view, text) {
			s.t.Errorf("the screen does not show %q:\n%s", text, view)
		}
	}
}

func TestGoingThroughDrafts(t *testing.T) {
	s := newScreen(t)
	s.shows(">    1  shell:npm run build *   (spares 15)", "deny? refused 5 times", "runs the project's own code", keys)
	s.press("m")
	s.shows("3 distinct", "npm run build x")
	s.press("u")
	s.shows("never seen", "npm run build --force")
	s.press("d")
	s.shows(`+ shell:npm run build *\u{1b}[2J`)
	s.press("n")
	s.shows(">    1  shell:npm run build z")
	s.press("w", "a")
	s.shows("saved shell:npm run build *", "+  1", ">    2  shell:npm run a")
	s.press("x", "a")
	want := "accept shell:npm run build * as shell:npm run build *|reject shell:npm run a|accept shell:make deploy as shell:make deploy"
	if got := strings.Join(s.said, "|"); got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	s.press("a")
	s.shows("it is accepted already")
}

func TestEditing(t *testing.T) {
	s := newScreen(t)
	s.press("e", "clear", "shell:npm run build y", "enter", "a")
	s.shows("saved shell:npm run build y")
	s.press("e", "clear", "shell:npm *", "enter", "a")
	s.shows("not written: it would also let this run: npm ")
	s.press("e", "clear", "npm x", "enter")
	s.shows(`rule "npm x": `)
	s.press("e", "clear", "shell:never", "esc", "q")
	if got := strings.Join(s.said, "|"); got != "accept shell:npm run build * as shell:npm run build y" {
		t.Errorf("said %q", got)
	}
}

func TestWhatFailsIsSaid(t *testing.T) {
	s := newScreen(t)
	s.fail = errors.New("the disk is full")
	s.press("a")
	s.shows("the disk is full", ">    1  ")
}

func TestASmallScreen(t *testing.T) {
	s := newScreen(t)
	s.Update(tea.WindowSizeMsg{Width: 20, Height: 9})
	for _, line := range strings.Split(s.model.screen(), "\n") {
		if n := len([]rune(line)); n > 20 {
			t.Errorf("%q is %d wide", line, n)
		}
	}
	if n := strings.Count(s.model.screen(), "\n") + 1; n > 9 {
		t.Errorf("%d lines on a screen of 9:\n%s", n, s.model.screen())
	}
}

// Whoever does not see how to leave is caught in the list.
func TestEveryKeyIsNamedOnACommonScreen(t *testing.T) {
	s := newScreen(t)
	s.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	s.shows("a accept", "? why", "q quit")
	s.press("n")
	s.shows("(instead of ")
}
