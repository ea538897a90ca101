package audit_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// secretCase is a line of the corpora of package redact.
type secretCase struct {
	ID      string `json:"-"`
	Command string `json:"command"`
	Secret  string `json:"secret"`
}

// in reports that a text holds the secret, or a telling line of one that has
// several.
func (c secretCase) in(text []byte) bool {
	for _, line := range strings.Split(c.Secret, "\n") {
		if len(line) >= 12 && !strings.HasPrefix(line, "-----") || line == c.Secret {
			if bytes.Contains(text, []byte(line)) || bytes.Contains(text, bytes.Trim([]byte(quoted(line)), `"`)) {
				return true
			}
		}
	}
	return false
}

func quoted(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // a text always encodes
	}
	return string(text)
}

func readCases(t *testing.T, name string) (cases []secretCase) {
	t.Helper()
	f, err := os.Open(filepath.Join("redact", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var c secretCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		c.ID = strconv.Itoa(len(cases) + 1)
		cases = append(cases, c)
	}
	return cases
}

// everywhere is an entry of each kind that holds a command, with the command in
// every field that could hold it.
func everywhere(call, command string) []*gate.Entry {
	d := decision("s", call, command)
	d.Decision.Cwd, d.Decision.Grant, d.Decision.Note = "/p/"+command, command, command
	d.Decision.Links = policy.LinkFacts{"/" + command: command}
	d.Decision.Reasons = append(d.Decision.Reasons, policy.Reason{Cause: policy.CauseRule, Rule: "shell:" + command, File: "f", Line: 1, Detail: command})
	return []*gate.Entry{d,
		{Kind: gate.KindPrompt, Time: 1, Call: call, Prompt: &gate.Prompted{Tool: "bash", Input: d.Decision.Input, Reasons: d.Decision.Reasons}},
		{Kind: gate.KindRulesSaved, Time: 1, Call: call, Saved: &gate.RulesSaved{File: "f", Rules: []string{"shell:" + command}, Error: command}},
		{Kind: gate.KindWarning, Time: 1, Warning: &gate.Warning{Text: `the rule "` + command + `" is ignored`}},
		{Kind: gate.KindSessionStart, Time: 1, Session: "s", Start: &gate.SessionStart{Reason: "new", File: command, Branch: command}},
	}
}

// No secret reaches a file, whatever field it stood in: the raw bytes of the
// journal, its log, the checkpoints and the exports are searched.
func TestNoSecretIsWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "journal.db")
	j := audit.NewJournal(path, audit.Options{Durability: audit.Process})
	cases := readCases(t, "secrets.jsonl")
	for _, c := range cases {
		for _, e := range everywhere(c.ID, c.Command) {
			record(t, j, e)
		}
		text, err := json.Marshal(map[string]any{"allow": []string{"shell:" + c.Command}})
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Policy(t.Context(), gate.Digest(text), text); err != nil {
			t.Fatal(err)
		}
		if masked := j.Masked(t.Context(), "panic: "+c.Command); c.in([]byte(masked)) {
			t.Errorf("%s: a log would tell: %s", c.ID, masked)
		}
	}
	var export bytes.Buffer
	if _, err := audit.Export(t.Context(), &export, audit.ExportOptions{}, path); err != nil {
		t.Fatal(err)
	}
	texts := map[string][]byte{"export": export.Bytes()}
	read := func(when string) {
		for _, name := range everything(t, dir) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			texts[when+filepath.Base(name)] = text
		}
	}
	// The log keeps its bytes when the journal is closed, and closing a file that
	// is in use would drop SQLite's locks.
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	read("")
	leaked := map[string]bool{}
	for name, text := range texts {
		for _, c := range cases {
			if !leaked[c.ID] && c.in(text) {
				leaked[c.ID] = true
				t.Logf("%s: %s holds the secret of: %s", c.ID, name, c.Command)
			}
		}
	}
	if allowed := 2 * len(cases) / 61; len(leaked) > allowed {
		t.Errorf("%d of %d secrets were written, at most %d may be", len(leaked), len(cases), allowed)
	}
	if v := verified(t, path); !v.Whole {
		t.Errorf("%+v", v.Finding)
	}
}

// What only looks like a secret stays readable.
func TestLookalikesStay(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	j := audit.NewJournal(path, audit.Options{Durability: audit.Process})
	t.Cleanup(func() { _ = j.Close() })
	cases := readCases(t, "secret-lookalikes.jsonl")
	for _, c := range cases {
		record(t, j, decision("s", c.ID, c.Command))
	}
	for i, row := range decisions(list(t, path, audit.Filter{})) {
		var input struct{ Command string }
		if err := json.Unmarshal(row.Input, &input); err != nil || input.Command != cases[i].Command {
			t.Errorf("%s became %s", cases[i].Command, row.Input)
		}
	}
}

// A password that is the name of a program is masked where it is the password,
// and nowhere else in its entry; any other is masked in all of it.
func TestSecretsAreMaskedInTheWholeEntry(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	j := audit.NewJournal(path, audit.Options{Durability: audit.Process})
	t.Cleanup(func() { _ = j.Close() })
	record(t, j, decision("s", "1", "docker run --name postgres -e POSTGRES_PASSWORD=postgres postgres:16"))
	record(t, j, decision("s", "2", "MYSQL_PWD=hunter2 mysql && echo hunter2"))
	rows := decisions(list(t, path, audit.Filter{}))
	for i, want := range []string{"docker run --name postgres -e POSTGRES_PASSWORD=• postgres:16", "MYSQL_PWD=• mysql && echo •"} {
		var input struct{ Command string }
		if err := json.Unmarshal(rows[i].Input, &input); err != nil {
			t.Fatal(err)
		}
		if got := regexp.MustCompile(`\[secret:[^]]*\]`).ReplaceAllString(input.Command, "•"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
