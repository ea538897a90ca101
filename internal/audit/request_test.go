package audit_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/audit/redact"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// A request comes back out of the journal as it was decided, and gives the same
// resources.
func TestARequestIsReadBack(t *testing.T) {
	t.Parallel()
	j := audittest.NewJournal(t)
	var want []policy.Request
	for _, c := range []struct{ tool, input string }{
		{"bash", `{"command":"git add . && git push > /dev/null"}`}, {"write", `{"path":"a<b>.md","content":"x"}`},
		{"mcp__github__get_issue", `{"n":1}`}, {"read", `{"path":"x"}`}, {"my_tool", `null`}, {"bash", `{"command":7}`},
	} {
		req := policy.Request{Session: "s", Call: "c", Parent: "p", Tool: c.tool, Input: json.RawMessage(c.input), Cwd: "/p/sub", Root: "/p", Trusted: true,
			HasUI: true, Mode: "tui", OS: "linux", Home: "/home/u", Installation: policy.Installation{AgentDir: "/home/u/.pi/agent", Journal: "/j.db"}}
		call := policy.Derive(req)
		record(t, j, &gate.Entry{Kind: gate.KindDecision, Time: 1, Session: "s", Call: "c", Decision: &gate.Decision{Request: req,
			Resources: call.Resources, Links: policy.LinkFacts{"/p/sub/a": "/q"}, Analyser: policy.Analyser, Policy: "d"}})
		want = append(want, req)
	}
	rows := decisions(audittest.Rows(t, j.Path()))
	for i, row := range rows {
		req, links, err := row.Request()
		if err != nil || links["/p/sub/a"] != "/q" {
			t.Fatalf("%s: %v, %v", want[i].Tool, links, err)
		}
		if diff := cmp.Diff(want[i], req); diff != "" {
			t.Errorf("%s: %s", want[i].Tool, diff)
		}
		if diff := cmp.Diff(row.Resources, policy.Derive(req).Resources, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", want[i].Tool, diff)
		}
	}
	if len(rows) != len(want) {
		t.Errorf("%d rows, want %d", len(rows), len(want))
	}
}

// hush is a masker that takes one word for a secret, and cannot read another.
type hush struct{}

func (hush) Text(_ context.Context, s string) (string, []redact.Mask, error) {
	if strings.Contains(s, "unreadable") {
		return "", nil, errors.New("unreadable")
	}
	at := strings.Index(s, "s3cret")
	if at < 0 {
		return s, nil, nil
	}
	return "", []redact.Mask{{Start: at, End: at + len("s3cret"), Kind: "password", Digest: "0"}}, nil
}

func TestObstacles(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	o := audittest.Options()
	o.Masker = func([]byte) audit.Masker { return hush{} }
	j, err := audit.Open(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	base := policy.Request{Session: "s", Cwd: "/p", Root: "/p", OS: "linux", Home: "/home/u"}
	put := func(tool, input string, change func(*gate.Decision)) {
		t.Helper()
		d := &gate.Decision{Request: base, Analyser: policy.Analyser, Policy: "d"}
		d.Tool, d.Input = tool, json.RawMessage(input)
		if change != nil {
			change(d)
		}
		record(t, j, &gate.Entry{Kind: gate.KindDecision, Time: 1, Session: "s", Decision: d})
	}
	var want []error
	for _, c := range []struct {
		want   error
		tool   string
		input  string
		change func(*gate.Decision)
	}{
		{nil, "bash", `{"command":"ls"}`, nil},
		{audit.ObstacleMasked, "bash", `{"command":"curl -H s3cret"}`, nil},
		{nil, "bash", `{"command":"ls","title":"s3cret"}`, nil},
		{audit.ObstacleMasked, "write", `{"path":"s3cret/x"}`, nil},
		{nil, "write", `{"path":"x","content":"s3cret"}`, nil},
		{nil, "mcp__a__b", `{"x":"s3cret"}`, nil},
		{audit.ObstacleMasked, "mcp__a__s3cret", `{}`, nil},
		{audit.ObstacleMasked, "bash", `{"command":"ls"}`, func(d *gate.Decision) { d.Cwd = "/s3cret" }},
		{audit.ObstacleMasked, "bash", `{"command":"ls"}`, func(d *gate.Decision) { d.Links = policy.LinkFacts{"/s3cret": "/x"} }},
		{audit.ObstacleDropped, "bash", `{"command":"unreadable"}`, nil},
		{audit.ObstacleMasked, "unreadable", `{}`, nil},
		{audit.ObstacleOmitted, "bash", `{"omitted_bytes":70000}`, nil},
		{nil, "my_tool", `{"omitted_bytes":70000}`, nil},
		{audit.ObstacleFolder, "edit", `{"path":"x"}`, func(d *gate.Decision) { d.Cwd = "" }},
		{audit.ObstacleAnalyser, "bash", `{"command":"ls"}`, func(d *gate.Decision) { d.Analyser = "0" }},
	} {
		put(c.tool, c.input, c.change)
		want = append(want, c.want)
	}
	for i, row := range decisions(audittest.Rows(t, path)) {
		if _, _, err := row.Request(); !errors.Is(err, want[i]) {
			t.Errorf("%s: %v, want %v", row.Body, err, want[i])
		}
		row.Erased = true
		if _, _, err := row.Request(); !errors.Is(err, audit.ObstacleErased) {
			t.Errorf("erased: %v", err)
		}
	}
	if _, _, err := (audit.Row{Seq: 7, Kind: gate.KindPrompt}).Request(); err == nil || !strings.Contains(err.Error(), "entry 7") {
		t.Errorf("a prompt: %v", err)
	}
}

func TestThePolicyOfADigest(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	o := audittest.Options()
	o.Masker = func([]byte) audit.Masker { return hush{} }
	j, err := audit.Open(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	pol := func(text string) *policy.Policy {
		r, err := rule.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		r.Effect = rule.Allow
		p := policy.New(policy.DefaultSettings(), []rule.Rule{r})
		if err := j.Policy(t.Context(), p.Digest(), p.Canonical()); err != nil {
			t.Fatal(err)
		}
		return p
	}
	whole, masked := pol("shell:echo <a> && b *"), pol("shell:curl s3cret *")
	r := reader(t, path)
	if p, err := r.Policy(t.Context(), whole.Digest()); err != nil || p.Digest() != whole.Digest() {
		t.Errorf("%v, %v", p, err)
	}
	for _, digest := range []string{masked.Digest(), strings.Repeat("0", 64), ""} {
		if _, err := r.Policy(t.Context(), digest); !errors.Is(err, audit.ObstaclePolicy) {
			t.Errorf("%s: %v", digest, err)
		}
	}
}
