package wire

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

func recent(_ context.Context, root string, n int) (string, error) {
	if n > 9 {
		return "", fmt.Errorf("%d is too many\x1b[2J", n)
	}
	return fmt.Sprintf("the last %d of %s", n, root), nil
}

func why(_ context.Context, session string) (string, error) {
	if session != "s" {
		return "", errors.New("no journal")
	}
	return "because", nil
}

func TestReports(t *testing.T) {
	h := newHost(t).initialize()
	for _, tt := range []struct {
		method string
		params map[string]any
		want   string
	}{
		{"gate/log", map[string]any{"root": "/p"}, `{"report":"the last 0 of /p"}`},
		{"gate/log", map[string]any{"root": "/p", "limit": 5}, `{"report":"the last 5 of /p"}`},
		{"gate/why", map[string]any{"session": "s"}, `{"report":"because"}`},
	} {
		if m := h.call(tt.method, tt.params); string(m.Result) != tt.want {
			t.Errorf("%s %v: %s %+v, want %s", tt.method, tt.params, m.Result, m.Error, tt.want)
		}
	}
}

func TestReportErrors(t *testing.T) {
	h := newHost(t).initialize()
	for _, tt := range []struct {
		method string
		params map[string]any
		code   int
		says   string
	}{
		{"gate/log", map[string]any{"root": "p"}, -32602, `gate/log: "root" is not an absolute path`},
		{"gate/log", map[string]any{"root": "/p", "limit": -1}, -32602, `gate/log: "limit" is negative`},
		{"gate/log", map[string]any{"root": "/p", "limit": 10}, -32603, `pigate: 10 is too many\u{1b}[2J`},
		{"gate/why", map[string]any{}, -32602, `gate/why: "session" is missing`},
		{"gate/why", map[string]any{"session": "other"}, -32603, "pigate: no journal"},
	} {
		m := h.call(tt.method, tt.params)
		if m.Error == nil || m.Error.Code != tt.code || m.Error.Message != tt.says {
			t.Errorf("%s %v: %+v, want %d %s", tt.method, tt.params, m.Error, tt.code, tt.says)
		}
	}
}

func TestSessionStartTellsTheProject(t *testing.T) {
	h := newHost(t).initialize()
	if m := h.call("session/start", map[string]any{"session": "s", "cwd": "/home/u/proj"}); m.Error != nil {
		t.Fatalf("session/start: %+v", m.Error)
	}
	if root := <-h.started; root != "/home/u/proj" {
		t.Errorf("started in %s, want the working directory", root)
	}
}
