package main

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/cases"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/config"
)

// aCase is a line of a case file: a request as check --batch reads it, with the
// right verdict and why.
type aCase struct {
	ID      string          `json:"id"`
	Tool    string          `json:"tool"`
	Input   json.RawMessage `json:"input"`
	Command string          `json:"command"`
	Cwd     string          `json:"cwd"`
	Allow   []string        `json:"allow"`
	Deny    []string        `json:"deny"`
	// Settings are those of the line, else of its file.
	Settings json.RawMessage `json:"settings"`
	Want     string          `json:"want"`
	Kind     string          `json:"kind"`
	Why      string          `json:"why"`
}

// readCases reads a file of cases; settings are for lines without any.
func readCases(t *testing.T, path, settings string) []aCase {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []aCase
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		c := aCase{Tool: "bash", Cwd: "/home/u/proj"}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if c.Input == nil {
			if c.Input, err = encode(map[string]string{"command": c.Command}); err != nil {
				t.Fatal(err)
			}
		}
		if settings != "" && c.Settings == nil {
			c.Settings = json.RawMessage(settings)
		}
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatalf("%s holds no cases", path)
	}
	return cases
}

// answerCase sends the case through check --batch.
func answerCase(t *testing.T, c aCase) batchAnswer {
	t.Helper()
	line, err := encode(map[string]any{"id": c.ID, "tool": c.Tool, "input": c.Input, "cwd": c.Cwd, "allow": c.Allow, "deny": c.Deny,
		"settings": c.Settings, "trusted": true, "os": "linux", "home": "/home/u"})
	if err != nil {
		t.Fatal(err)
	}
	b := batch{where: gate.Installation{AgentDir: "/home/u/.pi/agent", Journal: "/home/u/.pi/agent/pigate/journal.db"},
		reader: config.NewReader("/home/u/.pi/agent")}
	a, err := b.answer(line)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return a
}

// TestReports holds what users of such gates reported: each line has one right
// verdict.
func TestReports(t *testing.T) {
	for _, c := range readCases(t, "testdata/reports.jsonl", "") {
		if a := answerCase(t, c); string(a.Verdict) != c.Want {
			t.Errorf("%s: %s under allow %q deny %q is %s, want %s: %s\n%+v", c.ID, c.Input, c.Allow, c.Deny, a.Verdict, c.Want, c.Why, a.Reasons)
		}
	}
}

// TestEscapes holds commands that must not slip through an allow rule, or that
// a deny rule must catch.
func TestEscapes(t *testing.T) {
	for _, c := range readCases(t, "testdata/escapes.jsonl", `{"redirections":"precise"}`) {
		a := answerCase(t, c)
		switch {
		case c.Want == "not-allow" && a.Verdict == gate.Allow:
			t.Errorf("%s: %s slips through %q: %s", c.Kind, c.Input, c.Allow, c.Why)
		case c.Want == "deny" && a.Verdict != gate.Deny:
			t.Errorf("%s: %s is %s and dodges %q: %s", c.Kind, c.Input, a.Verdict, c.Deny, c.Why)
		}
	}
}

// TestHarmless wants read-only commands to stay allowed under a rule for their
// program: questions nobody needs cost attention. The programs whose guarded
// flags may ask are listed with the reason.
func TestHarmless(t *testing.T) {
	path, there := cases.Path(t, "harmless.jsonl")
	if !there {
		return
	}
	cases := readCases(t, path, `{"redirections":"precise"}`)
	asks := 0
	for _, c := range cases {
		if a := answerCase(t, c); a.Verdict != gate.Allow {
			asks++
			t.Logf("asks: %s (%s)", c.Input, a.Reasons[0].Words())
		}
	}
	if share := float64(asks) / float64(len(cases)); share > 0.02 {
		t.Errorf("%d of %d harmless commands ask (%.1f %%), want at most 2 %%", asks, len(cases), 100*share)
	}
}

// TestDisagreements wants a question for every line that bash reads in another
// way than the parser.
func TestDisagreements(t *testing.T) {
	path, there := cases.Path(t, "parser-disagreements.jsonl")
	if !there {
		return
	}
	for _, c := range readCases(t, path, `{"redirections":"precise"}`) {
		c.Allow, c.Deny = []string{"shell:*"}, []string{}
		if a := answerCase(t, c); a.Verdict == gate.Allow {
			t.Errorf("%s is allowed, want a question", c.Input)
		}
	}
}

// TestCommandsAreDecided runs real command lines through the gate: each gets a
// verdict with a reason, and what is allowed under a rule for everything has
// only literal programs.
func TestCommandsAreDecided(t *testing.T) {
	path, there := cases.Path(t, "commands.jsonl")
	if !there {
		return
	}
	for _, c := range readCases(t, path, "") {
		c.Allow, c.Deny = []string{"shell:ls *"}, []string{"shell:rm -rf *"}
		a := answerCase(t, c)
		if len(a.Reasons) == 0 {
			t.Errorf("%s is %s without a reason", c.Input, a.Verdict)
		}
		if a.Verdict == gate.Deny && !strings.Contains(string(c.Input), "r") { // rm may be spelled r'm'
			t.Errorf("%s is denied by a rule about rm", c.Input)
		}
	}
}
