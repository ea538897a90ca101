package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/importer"
	"github.com/pigate/pigate/internal/report"
	"github.com/pigate/pigate/internal/report/coverage"
	"github.com/pigate/pigate/internal/report/knowledge"
	"github.com/pigate/pigate/internal/report/lint"
	"github.com/pigate/pigate/internal/report/replay"
	"github.com/pigate/pigate/internal/report/suggest"
	"github.com/pigate/pigate/internal/report/tidy"
)

// blocks returns the fenced blocks of a document with the given word after the
// fence, each with the line it starts at.
func blocks(t *testing.T, path, word string) map[int]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	found := map[int]string{}
	start, inside := 0, false
	var body []string
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case !inside && line == "```"+word:
			start, inside, body = i+1, true, nil
		case inside && line == "```":
			found[start], inside = strings.Join(body, "\n"), false
		case inside:
			body = append(body, line)
		}
	}
	if len(found) == 0 {
		t.Fatalf("%s has no block of %q", path, word)
	}
	return found
}

var expectation = regexp.MustCompile(`^(allow|ask|deny|pass) +(.+)$`)

// TestRulesDocument runs the examples of docs/rules.md through check --batch. A
// line `tool NAME` makes the commands those of another shell tool than bash.
func TestRulesDocument(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "rules.md")
	for line, body := range blocks(t, path, "rules") {
		settings := map[string]any{}
		c := aCase{Cwd: "/home/u/proj", Tool: "bash"}
		for _, text := range strings.Split(body, "\n") {
			switch {
			case strings.HasPrefix(text, "+ "):
				c.Allow = append(c.Allow, text[2:])
			case strings.HasPrefix(text, "? "):
				c.Ask = append(c.Ask, text[2:])
			case strings.HasPrefix(text, "- "):
				c.Deny = append(c.Deny, text[2:])
			case strings.HasPrefix(text, "tool "):
				c.Tool = text[len("tool "):]
			case strings.HasPrefix(text, "setting "):
				key, value, _ := strings.Cut(text[len("setting "):], " ")
				settings[key] = value
			default:
				m := expectation.FindStringSubmatch(text)
				if m == nil {
					t.Errorf("%s:%d: %q is neither a rule nor an example", path, line, text)
					continue
				}
				checkExample(t, path, line, c, settings, m[1], m[2])
			}
		}
	}
}

func checkExample(t *testing.T, path string, line int, c aCase, settings map[string]any, want, call string) {
	t.Helper()
	raw, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	c.Settings = raw
	if c.Allow == nil {
		c.Allow = []string{}
	}
	input := map[string]string{"command": call}
	tool, target, two := strings.Cut(call, " ")
	switch {
	case two && tool[0] == '@':
		c.Tool, input = tool[1:], map[string]string{"path": target}
	case two && tool == "edit":
		c.Tool, input = "edit", map[string]string{"path": target}
	case !two && (strings.HasPrefix(call, "mcp__") || strings.HasSuffix(call, "_tool") || call == "read" || call == "grep"):
		c.Tool, input = call, map[string]string{}
	}
	if c.Input, err = encode(input); err != nil {
		t.Fatal(err)
	}
	if two && tool[0] == '@' && strings.HasPrefix(target, "{") {
		c.Input = json.RawMessage(target)
	}
	if a := answerCase(t, c); string(a.Verdict) != want {
		t.Errorf("%s:%d: %s is %s, the document says %s: %+v", path, line, call, a.Verdict, want, a.Reasons)
	}
}

// TestReadmeShowsWhatIsPrinted keeps the README's example of check equal to
// what the script of the same example prints.
func TestReadmeShowsWhatIsPrinted(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join("testdata", "script", "check_deny.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	_, printed, ok := strings.Cut(string(script), "-- want --\n")
	if !ok {
		t.Fatal("the script has no expected output")
	}
	printed, _, _ = strings.Cut(printed, "-- want.json --")
	if want := "$ pigate check 'ls; sudo rm -fr build'\n" + printed; !strings.Contains(string(readme), want) {
		t.Errorf("README.md does not show:\n%s", want)
	}
	options := strings.Join([]string{gate.OptionOnce, gate.OptionSession, gate.OptionSave, gate.OptionDeny}, "\n   ")
	if !strings.Contains(string(readme), options) {
		t.Errorf("README.md does not show the dialog's options in their order")
	}
}

// TestReadmeTour keeps what the README shows of commands equal to what the
// scripts of the same commands print.
func TestReadmeTour(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range []struct{ command, script, file string }{
		{"pigate audit why 'git push origin main'", "audit_why.txtar", "want"},
		{"pigate audit session 0199a1b2-7c44", "audit_sessions.txtar", "session"},
		{"pigate audit stats --by tool", "audit_stats_golden.txtar", "tool"},
	} {
		archive, err := txtar.ParseFile(filepath.Join("testdata", "script", shown.script))
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == shown.file })
		if i < 0 {
			t.Fatalf("%s has no file %q", shown.script, shown.file)
		}
		want := "$ " + shown.command + "\n" + strings.TrimRight(string(archive.Files[i].Data), "\n") + "\n```\n"
		if !strings.Contains(string(readme), want) {
			t.Errorf("README.md does not show:\n%s", want)
		}
	}
}

// TestReadmeTable makes the README's table of decisions from such decisions.
func TestReadmeTable(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2026, 11, 30, 12, 55, 44, 0, time.UTC)
	row := func(seq int64, second int, tool, input string, verdict policy.Effect, decision policy.Action, basis policy.Basis, outcome string) audit.Row {
		return audit.Row{Seq: seq, Time: audit.Micros(start.Add(time.Duration(second) * time.Second).UnixMicro()), Kind: gate.KindDecision,
			Tool: tool, Input: json.RawMessage(input), Verdict: verdict, Decision: decision, Basis: basis, Outcome: outcome}
	}
	rows := []audit.Row{
		row(3, 0, "read", `{"path":"README.md"}`, policy.Pass, policy.Run, policy.BasisPass, "ok"),
		row(5, 0, "bash", `{"command":"git status"}`, policy.Allow, policy.Run, policy.BasisRule, "ok"),
		row(7, 1, "edit", `{"path":"src/app.ts"}`, policy.Allow, policy.Run, policy.BasisRule, "ok"),
		row(9, 3, "bash", `{"command":"rm -rf build"}`, policy.Deny, policy.Block, policy.BasisRule, ""),
		row(12, 14, "bash", `{"command":"git push origin main"}`, policy.Ask, policy.Run, policy.BasisUser, "ok"),
	}
	rows[4].Answer = gate.AnswerOnce
	var table strings.Builder
	columns, err := report.ParseColumns(report.DefaultColumns)
	if err != nil {
		t.Fatal(err)
	}
	_, err = report.Table(&table, func(yield func(audit.Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}, columns, report.Screen{Zone: time.UTC})
	if err != nil {
		t.Fatal(err)
	}
	if want := "$ pigate audit list\n" + table.String(); !strings.Contains(string(readme), want) {
		t.Errorf("README.md does not show:\n%s", want)
	}
}

// TestDocumentedFields holds docs/json.md against what is printed.
func TestDocumentedFields(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "json.md"))
	if err != nil {
		t.Fatal(err)
	}
	for section, value := range map[string]any{
		"## `pigate audit list --json`": auditRow(),
		"## `pigate audit show --json`": merged(t, audit.Shown{Policy: json.RawMessage("null")}, audit.ShownHistory{}),
		"## `pigate audit stats --json`": struct {
			report.Stats
			report.Group
		}{},
		"## `pigate audit review --json`": reviewResult{},
		"## `pigate replay --json`": merged(t, replay.Result{}, replay.Part{}, replay.Cell{}, replay.NotReplayable{}, replay.Group{}, replay.Example{}, replay.Unseen{},
			replay.Prompts{}, replay.Day{}),
		"## `pigate replay --format jsonl`": merged(t, replay.Change{}, replay.Side{}),
		"## `pigate audit why --json`":      merged(t, map[string]any{"before": nil, "within": nil}, report.Past{}, report.AnswerTimes{}),
		"## `pigate audit sessions --json`": report.Session{},
		"## `pigate audit session --json`": merged(t, report.Moment{Policy: json.RawMessage("null")}, report.Grant{}, report.NamedCount{}, map[string]any{"events": nil},
			report.Event{Through: 1, Tool: "x", What: "x", Reasons: []string{"x"}, Answer: "x", Waited: 1, Decision: "x", Basis: "x", Outcome: "x",
				Calls: 1, Failed: 1, Granted: 1, Disabled: 1, Names: []report.NamedCount{{}}, Rules: []string{"x"}, File: "x", Error: "x", Text: "x"}),
		"## `pigate import --json`":              importer.Summary{},
		"## `pigate suggest --json`":             merged(t, draftLine{}, suggest.Evidence{}),
		"## `pigate suggest --explain --json`":   suggest.Explanation{},
		"## `pigate suggest --tighten --json`":   merged(t, tightenLine{}, tidy.Place{}),
		"## `pigate rules list --json`":          ruleLine{},
		"## `pigate programs list --json`":       knowledge.Line{},
		"## `pigate programs show --json`":       merged(t, knowledge.Option{}, knowledge.Variable{}, knowledge.Command{}),
		"## `pigate rules lint --json`":          lint.Finding{},
		"## `pigate rules test --json`":          testResult{},
		"## `pigate audit coverage --json`":      merged(t, coverage.Result{}, coverage.Finding{Input: json.RawMessage("null")}),
		"## `pigate check --json` and `--batch`": batchAnswer{ID: "1", Error: "x"},
		"## A resource":                          policy.Resource{Via: "x", Path: "x"},
		"## A reason":                            policy.Reason{Rule: "x", File: "x", Line: 1, Resource: "x", Via: "x", Detail: "x"},
	} {
		_, body, ok := strings.Cut(string(text), section+"\n")
		if !ok {
			t.Errorf("docs/json.md has no section %q", section)
			continue
		}
		body, _, _ = strings.Cut(body, "\n## ")
		raw, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		var fields map[string]any
		if err := json.Unmarshal(raw, &fields); err != nil {
			t.Fatal(err)
		}
		for field := range fields {
			if !strings.Contains(body, "`"+field+"`") {
				t.Errorf("docs/json.md does not describe %q in %q", field, section)
			}
		}
	}
}

// TestDocumentedDetail holds the table of details against what the gate
// records.
func TestDocumentedDetail(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "json.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "### The detail of an entry")
	table, _, _ = strings.Cut(table, "\n## ")
	j := audittest.NewJournal(t)
	code := 1
	for _, e := range []*gate.Entry{
		{Kind: gate.KindSessionStart, Start: &gate.SessionStart{Reason: "x", File: "x", Cwd: "x", Root: "x", Mode: "x", Remote: "x", Branch: "x", Host: "x", User: "x", HostApp: "x", HostVersion: "x"}},
		{Kind: gate.KindPrompt, Call: "c", Prompt: &gate.Prompted{Cwd: "x", Options: []string{"x"}}},
		{Kind: gate.KindAnswer, Call: "c", Answer: &gate.Answered{Waited: 1, Error: "x"}},
		{Kind: gate.KindDecision, Call: "c", Decision: &gate.Decision{Request: policy.Request{Parent: "x", Cwd: "x", Mode: "x"}, Waited: 1, Grant: "x", Note: "x"}},
		{Kind: gate.KindOutcome, Call: "c", Outcome: &gate.Outcome{ExitCode: &code, Mismatch: true, InputDigest: "x"}},
		{Kind: gate.KindOutcome, Call: "none", Outcome: &gate.Outcome{Undecided: true, InputDigest: "x"}},
		{Kind: gate.KindRulesSaved, Saved: &gate.RulesSaved{File: "x", Rules: []string{"x"}, Error: "x"}},
		{Kind: gate.KindWarning, Warning: &gate.Warning{Text: "x"}},
		{Kind: gate.KindImport, Import: &gate.Imported{Request: policy.Request{Cwd: "x", Parent: "x"}, Result: "x", Source: "x", File: "x", Analyser: "x"}},
		{Kind: gate.KindDraft, Draft: &gate.Drafted{Rule: "x", Saved: "x", File: "x", Root: "x"}},
		{Kind: gate.KindSessionEnd, End: &gate.SessionEnd{Reason: "x"}},
	} {
		e.Time, e.Session = 1, "s"
		if _, err := j.Record(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range append(audittest.Rows(t, j.Path()), audittest.Imported(t, j.Path())...) {
		var fields map[string]any
		if err := json.Unmarshal(row.Detail(), &fields); err != nil {
			t.Fatal(err)
		}
		for field := range fields {
			if !strings.Contains(table, "`"+field+"`") {
				t.Errorf("docs/json.md does not describe %q of %s", field, row.Kind)
			}
		}
	}
}

func auditRow() any { return audit.Row{} }

// merged is the fields of all values as one object.
func merged(t *testing.T, values ...any) map[string]any {
	t.Helper()
	all := map[string]any{}
	for _, value := range values {
		raw, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &all); err != nil {
			t.Fatal(err)
		}
	}
	return all
}
