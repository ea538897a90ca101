package wire

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
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
		{"gate/revoke", map[string]any{"session": "s", "root": "/p"}, `{"report":"revoked in /p by s"}`},
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
		{"gate/revoke", map[string]any{"session": "s", "root": "p"}, -32602, `gate/revoke: "session" is missing, or "root" is not an absolute path`},
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

func TestSuggestAsksWithoutACall(t *testing.T) {
	h := newHost(t).initialize()
	h.guard.Drafter = drafter{}
	place := map[string]any{"session": "s", "cwd": "/p", "root": "/p", "trusted": true, "approved": true, "has_ui": true, "mode": "tui"}
	h.request("gate/suggest", place)
	asked := h.id
	question := h.receive()
	want := `{"call":"","title":"Rules drafted from what ran and was approved in this project.\nChoosing one opens it for a last look; nothing is saved before that.",` +
		`"options":["1. shell:make * · approved 3×","Reject one, so that it stays away...","Close"]}`
	if question.Method != "ui/select" || string(question.Params) != want {
		t.Fatalf("question %s %s\nwant %s", question.Method, question.Params, want)
	}
	if m := h.call("gate/suggest", place); m.Error == nil || m.Error.Code != -32602 {
		t.Errorf("a second one at the same time: %+v, want it refused", m)
	}
	h.send(map[string]any{"jsonrpc": "2.0", "id": question.ID, "result": map[string]any{"choice": "Close"}})
	if m := h.receive(); string(m.ID) != fmt.Sprint(asked) || string(m.Result) != `{"report":"Nothing was saved."}` {
		t.Errorf("answer %s %s %+v", m.ID, m.Result, m.Error)
	}
	if m := h.call("gate/suggest", map[string]any{"session": "s", "cwd": "p"}); m.Error == nil || m.Error.Code != -32602 {
		t.Errorf("a relative folder: %+v, want it refused", m)
	}
}

// drafter drafts one rule.
type drafter struct{}

func (drafter) Drafts(context.Context, string, *policy.Policy) ([]gate.Suggestion, error) {
	return []gate.Suggestion{{Rule: "shell:make *", Evidence: "approved 3×"}}, nil
}
