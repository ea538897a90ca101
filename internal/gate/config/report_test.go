package config

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// report renders the report with the folders' names cut from it.
func (f *fixture) report(r Result, approvals []gate.Grant) string {
	text := strings.ReplaceAll(Report(r, approvals)+"\n", f.files.Global, "GLOBAL")
	return strings.ReplaceAll(strings.ReplaceAll(text, f.files.Project, "PROJECT"), consequence, " […]")
}

// approvals are one of each kind, with text in them that must not pass for
// another coverage.
func approvals(covers policy.Coverage) (list []gate.Grant) {
	for _, call := range [][2]string{
		{"bash", `{"timeout":5,"command":"npm test"}`},
		{"edit", `{"path":"\u001b]0;a.md","edits":[{},{}]}`},
		{"write", `{"path":"a.txt (exactly this input)","content":"abc"}`},
		{"mcp__db__que\u202ery", `{"sql":"select\n1"}`},
		{"my_tool", `{"a":"\u001b"}`},
	} {
		list = append(list, gate.NewGrant(policy.Derive(policy.Request{Tool: call[0], Input: []byte(call[1]), Cwd: "/p", Root: "/p", OS: "linux"}), covers))
	}
	return list
}

// Under the setting "exact" the report says so of the approvals too that were
// given for more.
func TestReportOfExactApprovals(t *testing.T) {
	f := newFixture(t).global(`{"sessionApprovals": "exact"}`)
	want := `  sessionApprovals: exact
`
	list := `Session approvals: 5
  exactly this input: bash npm test {"timeout":5}
  exactly this input: edit \u{1b}]0;a.md (2 replacements)
  exactly this input: write a.txt (exactly this input) (3 bytes)
  exactly this input: mcp__db__que\u{202e}ry db:que\u{202e}ry {"sql":"select\n1"}
  exactly this input: my_tool {"a":"\u001b"}
`
	for _, covers := range []policy.Coverage{policy.CoverTarget, policy.CoverExact} {
		if got := f.report(f.load(), approvals(covers)); !strings.Contains(got, want) || !strings.Contains(got, list) {
			t.Errorf("approvals given with %s are shown as:\n%s", covers, got)
		}
	}
	f.global(`{}`)
	if got := f.report(f.load(), approvals(policy.CoverExact)); !strings.Contains(got, list) {
		t.Errorf("exact approvals are shown as more:\n%s", got)
	}
}

func TestReport(t *testing.T) {
	f := newFixture(t).
		global(`{"allow": ["shell:a"], "guardedFlags": false, "journal": {"record": "gated"}, "colour": 1}`).
		project("{\n\"deny\": [\n\"shell:rm -rf *\",\n\"shell:\\u001b[31m\\u202e\\n\"],\n\"allow\": [\"\"],\n\"journal\": {}\n}")
	got := f.report(f.load(), approvals(policy.CoverTarget))
	want := `Gate status: ENABLED
Project trust: Trusted
Config files:
  global:  GLOBAL (found)
  project: PROJECT (found)
Deny rules: 2
  shell:rm -rf *  (.pi/allowlist-gate.json:3)
  shell:\u{1b}[31m\u{202e}  (.pi/allowlist-gate.json:4)
Allow rules: 0
Settings:
  redirections: ask
  guardedFlags: false
  outside: ask
  sessionApprovals: target
  projectTrust: asked
  journal: record gated, durability power, onError block
Session approvals: 5
  this command, any timeout or other field: bash npm test
  this file, any edits: edit \u{1b}]0;a.md
  this file, any content: write a.txt (exactly this input)
  this tool, any arguments: mcp__db__que\u{202e}ry db:que\u{202e}ry
  exactly this input: my_tool {"a":"\u001b"}
Warnings: 3
  GLOBAL:1:79: "colour" is no key that pigate knows, and means nothing
  .pi/allowlist-gate.json:5:11: the allow rule "" is ignored: empty rule
  .pi/allowlist-gate.json:6:1: "journal" counts in the global file only and is ignored here
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

func TestReportOfAnUntrustedProject(t *testing.T) {
	f := newFixture(t).global(`{"enabled": false, "allow": []}`)
	want := `Gate status: DISABLED
Project trust: Untrusted (a .pi/allowlist-gate.json would be ignored)
Config files:
  global:  GLOBAL (found)
  project: PROJECT (not found)
Deny rules: 0
Allow rules: 0
Settings:
  redirections: ask
  guardedFlags: true
  outside: ask
  sessionApprovals: target
  projectTrust: asked
  journal: record all, durability power, onError block
Session approvals: known inside Pi only
Warnings: 0
`
	if diff := cmp.Diff(want, f.report(f.loader.Load(f.root, policy.Untrusted), nil)); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	f.project(`{`)
	got := f.report(f.loader.Load(f.root, policy.Untrusted), []gate.Grant{})
	for _, line := range []string{
		"Project trust: Untrusted (.pi/allowlist-gate.json is ignored until the project is trusted)\n",
		"  project: PROJECT (found, ignored)\n",
		"Session approvals: 0\n",
		"Warnings: 1\n  .pi/allowlist-gate.json: ignored, because the project is not trusted\n",
	} {
		if !strings.Contains(got, line) {
			t.Errorf("the report lacks %q:\n%s", line, got)
		}
	}
}

func TestReportOfDefaultsAndBrokenFiles(t *testing.T) {
	f := newFixture(t).global(`{"enabled": true}`)
	if got := f.report(f.load(), nil); !strings.Contains(got, "  shell:git status *  (built-in default)\n") {
		t.Errorf("the report does not say where the defaults come from:\n%s", got)
	}
	f.project(`{"allow": 1}`)
	got := f.report(f.load(), nil)
	for _, line := range []string{
		"  project: PROJECT (found, invalid)\n",
		"Warnings: 1\n  .pi/allowlist-gate.json:1:11: \"allow\" must be a list of rules, not a number […]\n",
	} {
		if !strings.Contains(got, line) {
			t.Errorf("the report lacks %q:\n%s", line, got)
		}
	}
}

func TestReportIsSafeForAnyFolderName(t *testing.T) {
	f := newFixture(t)
	root := filepath.Join(f.root, "a\x1b[2Jb")
	for _, line := range strings.Split(Report(f.loader.Load(root, policy.Untrusted), nil), "\n") {
		if strings.ContainsRune(line, '\x1b') {
			t.Errorf("an escape sequence gets through: %q", line)
		}
	}
}
