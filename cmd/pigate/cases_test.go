package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/testcorpus"
)

// aCase is a line of a case file: a request as check --batch reads it, with the
// right verdict and why.
type aCase struct {
	ID      string          `json:"id"`
	Tool    string          `json:"tool"`
	Input   json.RawMessage `json:"input"`
	Command string          `json:"command"`
	Cwd     string          `json:"cwd"`
	OS      string          `json:"os"`
	Home    string          `json:"home"`
	Allow   []string        `json:"allow"`
	Deny    []string        `json:"deny"`
	Ask     []string        `json:"ask"`
	// Settings are those of the line, else of its file.
	Settings json.RawMessage `json:"settings"`
	Want     wanted          `json:"want"`
	Kind     string          `json:"kind"`
	Why      string          `json:"why"`
}

// wanted are the verdicts that are right, most often a single one.
type wanted []string

// UnmarshalJSON reads one text or a list of them.
func (w *wanted) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*w = wanted{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(w))
}

// is reports that a single word is wanted, and it is this.
func (w wanted) is(word string) bool { return len(w) == 1 && w[0] == word }

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
	line, err := encode(map[string]any{"id": c.ID, "tool": c.Tool, "input": c.Input, "cwd": c.Cwd, "allow": c.Allow, "deny": c.Deny, "ask": c.Ask,
		"settings": c.Settings, "trusted": true, "os": cmp.Or(c.OS, "linux"), "home": cmp.Or(c.Home, "/home/u")})
	if err != nil {
		t.Fatal(err)
	}
	b := batch{reader: config.NewReader("/home/u/.pi/agent")}
	a, err := b.answer(line)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return a
}

// openCases is the file with the ids of cases that are not yet decided right, one
// a line. It only gets shorter: TestReports fails for a case in it that is right.
const openCases = "testdata/open-cases.txt"

// readOpen reads openCases.
func readOpen(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(openCases)
	if err != nil {
		t.Fatal(err)
	}
	open := map[string]bool{}
	for id := range strings.FieldsSeq(string(text)) {
		if open[id] {
			t.Errorf("%s: %s stands there twice", openCases, id)
		}
		open[id] = true
	}
	return open
}

// TestReports holds what users of such gates reported, what attacks on this one
// found, and what the manuals of programs say of their options, subcommands and
// operands: each line has its right verdicts.
func TestReports(t *testing.T) {
	open := readOpen(t)
	for _, file := range []string{"reports.jsonl", "reports-2.jsonl", "attacks-2.jsonl", "manuals.jsonl"} {
		settings := ""
		if file == "manuals.jsonl" {
			settings = `{"redirections":"precise"}`
		}
		for _, c := range readCases(t, "testdata/"+file, settings) {
			a := answerCase(t, c)
			switch right := slices.Contains(c.Want, string(a.Verdict)); {
			case !right && !open[c.ID]:
				t.Errorf("%s: %s under allow %q deny %q is %s, want %s: %s\n%+v", c.ID, c.Input, c.Allow, c.Deny, a.Verdict, strings.Join(c.Want, " or "), c.Why, a.Reasons)
			case right && open[c.ID]:
				t.Errorf("%s is decided right now: take its line out of %s", c.ID, openCases)
			}
			delete(open, c.ID)
		}
	}
	for id := range open {
		t.Errorf("%s: no case has the id %s", openCases, id)
	}
}

// TestEscapes holds commands that must not slip through an allow rule, or that
// a deny rule must catch.
func TestEscapes(t *testing.T) {
	for _, c := range readCases(t, "testdata/escapes.jsonl", `{"redirections":"precise"}`) {
		a := answerCase(t, c)
		switch {
		case c.Want.is("not-allow") && a.Verdict == policy.Allow:
			t.Errorf("%s: %s slips through %q: %s", c.Kind, c.Input, c.Allow, c.Why)
		case c.Want.is("deny") && a.Verdict != policy.Deny:
			t.Errorf("%s: %s is %s and dodges %q: %s", c.Kind, c.Input, a.Verdict, c.Deny, c.Why)
		}
	}
}

// TestHarmless wants read-only commands to stay allowed under a rule for their
// program: questions nobody needs cost attention. The programs whose guarded
// flags may ask are listed with the reason.
func TestHarmless(t *testing.T) {
	path := testcorpus.Path(t, "harmless.jsonl")
	cases := readCases(t, path, `{"redirections":"precise"}`)
	asks := 0
	for _, c := range cases {
		if a := answerCase(t, c); a.Verdict != policy.Allow {
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
	path := testcorpus.Path(t, "parser-disagreements.jsonl")
	for _, c := range readCases(t, path, `{"redirections":"precise"}`) {
		c.Allow, c.Deny = []string{"shell:*"}, []string{}
		if a := answerCase(t, c); a.Verdict == policy.Allow {
			t.Errorf("%s is allowed, want a question", c.Input)
		}
	}
}

// TestCommandsAreDecided runs real command lines through the gate: each gets a
// verdict with a reason, and what is allowed under a rule for everything has
// only literal programs.
func TestCommandsAreDecided(t *testing.T) {
	path := testcorpus.Path(t, "commands.jsonl")
	for _, c := range readCases(t, path, "") {
		c.Allow, c.Deny = []string{"shell:ls *"}, []string{"shell:rm -rf *"}
		a := answerCase(t, c)
		if len(a.Reasons) == 0 {
			t.Errorf("%s is %s without a reason", c.Input, a.Verdict)
		}
		if a.Verdict == policy.Deny && !strings.Contains(string(c.Input), "r") { // rm may be spelled r'm'
			t.Errorf("%s is denied by a rule about rm", c.Input)
		}
	}
}
