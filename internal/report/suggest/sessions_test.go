package suggest

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/gate/policy"
)

// recorded reads the sessions of one project of the cases as import would.
func recorded(t testing.TB, dir string) *History {
	t.Helper()
	h, known := NewHistory(), map[string]int{}
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no sessions in %s: %v", dir, err)
	}
	for _, file := range files {
		addSession(t, h, known, file)
	}
	h.sort()
	return h
}

type sessionLine struct {
	Type      string    `json:"type"`
	ID        string    `json:"id"`
	Cwd       string    `json:"cwd"`
	Timestamp time.Time `json:"timestamp"`
	Message   struct {
		Role    string `json:"role"`
		Content []struct {
			Type      string          `json:"type"`
			ID        string          `json:"id"`
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
			Text      string          `json:"text"`
		} `json:"content"`
		ToolCallID string `json:"toolCallId"`
		IsError    bool   `json:"isError"`
	} `json:"message"`
}

func addSession(t testing.TB, h *History, known map[string]int, file string) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	session, cwd := "", ""
	open := map[string]int{} // the event of a call
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var l sessionLine
		if json.Unmarshal(lines.Bytes(), &l) != nil {
			continue
		}
		if l.Type == "session" {
			session, cwd = l.ID, l.Cwd
		}
		for _, c := range l.Message.Content {
			if c.Type != "toolCall" {
				continue
			}
			key := c.Name + "\x00" + cwd + "\x00" + string(c.Arguments)
			n, seen := known[key]
			if !seen {
				n = h.Subject(Subject{Request: policy.Request{Tool: c.Name, Input: c.Arguments, Cwd: cwd, Root: cwd, Trusted: true, HasUI: true, OS: "linux", Home: "/home/user",
					Installation: policy.Installation{AgentDir: "/home/user/.pi/agent", Journal: "/home/user/.pi/agent/pigate/journal.db"}}})
				known[key] = n
			}
			open[c.ID] = len(h.events)
			h.Saw(n, Sighting{Time: l.Timestamp.UnixMicro(), Session: session})
		}
		if l.Message.Role == "toolResult" {
			at, ok := open[l.Message.ToolCallID]
			if !ok {
				continue
			}
			text := ""
			if len(l.Message.Content) > 0 {
				text = l.Message.Content[0].Text
			}
			switch {
			case l.Message.IsError && strings.Contains(text, "blocked by the user"):
				h.events[at].word = Denied
			case l.Message.IsError:
				h.events[at].word = Failed
			default:
				h.events[at].word = Ran
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}
