package config

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

func asked(r Result) []string { return texts(r, rule.Ask) }

func TestAskRulesAndReasons(t *testing.T) {
	f := newFixture(t).global(`{"ask": ["shell:a", {"rule": "shell:git push *", "reason": "releases go through CI"}], "allow": ["shell:git *"]}`)
	r := f.load()
	if len(r.Warnings) > 0 {
		t.Errorf("warnings %q", r.Warnings)
	}
	if got := asked(r); !cmp.Equal(got, []string{"shell:a", "shell:git push *"}) {
		t.Errorf("it asks about %q", got)
	}
	if got := r.Policy.Rules[2]; got.Reason != "releases go through CI" || got.Line != 1 {
		t.Errorf("the rule is %+v", got)
	}
	if got := asked(f.project(`{"ask": ["shell:b"]}`).load()); !cmp.Equal(got, []string{"shell:b"}) {
		t.Errorf("a project's list gives %q", got)
	}
	if got := asked(f.project(`{"deny": []}`).load()); len(got) != 2 {
		t.Errorf("a project without a list gives %q", got)
	}
	// What only asks counts of a project that nobody was asked about, and of a
	// file that is broken.
	f.project(`{"ask": ["shell:c"], "allow": ["shell:d"]}`)
	if got := asked(f.loader.Load(f.root, policy.TrustedByHost)); !cmp.Equal(got, []string{"shell:c", "shell:a", "shell:git push *"}) {
		t.Errorf("nobody was asked, and it asks about %q", got)
	}
	if got := asked(f.project(`{"ask": ["shell:c"], "enabled": 7}`).load()); !cmp.Equal(got, []string{"shell:c", "shell:a", "shell:git push *"}) {
		t.Errorf("broken, it asks about %q", got)
	}
}

func TestRulesEnd(t *testing.T) {
	f := newFixture(t).global(`{"allow": [{"rule": "shell:a", "until": "2026-12-01T18:00:00Z"}, "shell:b", {"rule": "shell:c", "until": "2026-12-01T19:00:00+01:00"}]}`)
	now := time.Date(2026, 12, 1, 17, 59, 59, 0, time.UTC)
	f.loader.Now = func() time.Time { return now }
	before := f.load()
	if got := allowed(before); !cmp.Equal(got, []string{"shell:a", "shell:b", "shell:c"}) {
		t.Errorf("before the end it allows %q", got)
	}
	if f.load().Policy != before.Policy {
		t.Error("the policy is another one though nothing has ended")
	}
	now = now.Add(time.Second)
	after := f.load()
	if got := allowed(after); !cmp.Equal(got, []string{"shell:b"}) {
		t.Errorf("at the end it allows %q", got)
	}
	if got := f.report(after, nil); !strings.Contains(got, "Ended rules (they count for nothing): 2\n  shell:a  (GLOBAL:1)") {
		t.Errorf("the report is:\n%s", got)
	}
	// An ended rule keeps nobody from saving the same again.
	saved, err := f.loader.Add(Addition{Effect: rule.Allow, Lines: []string{"shell:a", "shell:b"}})
	if err != nil || !cmp.Equal(saved, []string{"shell:a"}) {
		t.Errorf("saved %q, %v", saved, err)
	}
	if got := allowed(f.load()); !cmp.Equal(got, []string{"shell:b", "shell:a"}) {
		t.Errorf("after saving it allows %q", got)
	}
}

func TestEntriesThatAreWrong(t *testing.T) {
	for entry, want := range map[string]string{
		`{"reason": "x"}`:                          `this entry of "deny" has no "rule"`,
		`{"rule": 7}`:                              `"rule" must be a text, not a number`,
		`{"rule": "shell:b", "reason": null}`:      `"reason" must be a text, not null`,
		`{"rule": "shell:b", "until": "tomorrow"}`: `"until": "tomorrow" is no time such as 2026-12-01T18:00 or 2026-12-01T18:00:00Z`,
		`{"rule": "shell:b", "untill": "x"}`:       `"deny[].untill" is no key that pigate knows, and means nothing`,
	} {
		r := newFixture(t).global(`{"allow": ["shell:a"], "deny": [` + entry + `]}`).load()
		if len(r.Warnings) == 0 || !strings.Contains(r.Warnings[0].Text, want) {
			t.Errorf("%s: warnings %q", entry, r.Warnings)
		}
		if strings.Contains(entry, "shell:b") && !cmp.Equal(denied(r), []string{"shell:b"}) {
			t.Errorf("%s: it denies %q", entry, denied(r))
		}
		if wrong := !strings.Contains(entry, "untill"); r.Global.Invalid != wrong || wrong && len(allowed(r)) > 0 {
			t.Errorf("%s: invalid %t, allows %q", entry, r.Global.Invalid, allowed(r))
		}
	}
}

// A project's first file is a copy of the global lists, with all that their
// entries say.
func TestSavingKeepsReasonsAndEnds(t *testing.T) {
	f := newFixture(t).global(`{"allow": [], "deny": [{"rule": "shell:b", "reason": "never"}], "ask": [{"rule": "shell:c", "until": "2999-01-01T00:00:00Z"}]}`)
	if _, err := f.loader.Save(f.root, []string{"shell:a"}); err != nil {
		t.Fatal(err)
	}
	want := `{
  "allow": [
    "shell:a"
  ],
  "deny": [
    {"rule":"shell:b","reason":"never"}
  ],
  "ask": [
    {"rule":"shell:c","until":"2999-01-01T00:00:00Z"}
  ]
}
`
	if diff := cmp.Diff(want, f.read(f.files.Project)); diff != "" {
		t.Errorf("the file (-want +got):\n%s", diff)
	}
}

func TestAddingARuleThatEnds(t *testing.T) {
	f := newFixture(t).global(`{"allow": ["shell:a"]}`)
	until := time.Date(2999, 1, 1, 0, 0, 0, 0, time.UTC)
	saved, err := f.loader.Add(Addition{Effect: rule.Ask, Lines: []string{"shell:b"}, Until: until})
	if err != nil || !cmp.Equal(saved, []string{"shell:b"}) {
		t.Fatalf("saved %q, %v", saved, err)
	}
	if want, got := `{"allow": ["shell:a"], "ask": [{"rule":"shell:b","until":"2999-01-01T00:00:00Z"}]}`, f.read(f.files.Global); got != want {
		t.Errorf("the file is %s, want %s", got, want)
	}
}

func TestPrune(t *testing.T) {
	ended := func(r rule.Rule) bool { return !r.Until.IsZero() }
	const a, b, c = `"shell:a"`, `{"rule":"shell:b","until":"2001-01-01T00:00:00Z"}`, `"shell:c"`
	for before, want := range map[string]string{
		"{\n  \"allow\": [\n    " + a + ",\n    " + b + ",\n    " + c + "\n  ]\n}\n": "{\n  \"allow\": [\n    " + a + ",\n    " + c + "\n  ]\n}\n",
		`{"allow":[` + b + `, ` + b + `,` + a + `],"deny":[` + c + `,` + b + `]}`:    `{"allow":[` + a + `],"deny":[` + c + `]}`,
		`{"ask":[ ` + b + ` , ` + b + ` ]}`:                                          `{"ask":[]}`,
		"\xef\xbb\xbf" + `{"allow":[` + b + `]}`:                                     "\xef\xbb\xbf" + `{"allow":[]}`,
		`{"allow":[` + a + `]}`:                                                      `{"allow":[` + a + `]}`,
	} {
		f := newFixture(t).global(before)
		removed, err := f.loader.Prune("", ended)
		if err != nil || len(removed) != strings.Count(before, "shell:b") {
			t.Errorf("%s: removed %v, %v", before, removed, err)
		}
		if got := f.read(f.files.Global); got != want {
			t.Errorf("%s became %s, want %s", before, got, want)
		}
	}
	f := newFixture(t).global(`{"allow":[` + b + `], "enabled": 7}`)
	if removed, err := f.loader.Prune("", ended); err == nil || len(removed) > 0 {
		t.Errorf("of a broken file %v was removed", removed)
	}
	if removed, err := f.loader.Prune(f.root, ended); err != nil || len(removed) > 0 {
		t.Errorf("of a file that is not there %v was removed, %v", removed, err)
	}
}

func TestRevocation(t *testing.T) {
	dir := t.TempDir()
	r := NewRevocation(dir)
	if got := r.Last(); !got.IsZero() {
		t.Errorf("without a word they were revoked at %s", got)
	}
	first := time.Date(2026, 12, 1, 9, 0, 0, 5, time.UTC)
	for _, at := range []time.Time{first, first.Add(time.Hour)} {
		if err := Revoke(dir, at); err != nil {
			t.Fatal(err)
		}
		if got := r.Last(); !got.Equal(at) {
			t.Errorf("they were revoked at %s, want %s", got, at)
		}
	}
	if err := os.WriteFile(revokedPath(dir), []byte("soon"), 0o600); err != nil {
		t.Fatal(err)
	}
	if NewRevocation(dir).Last().IsZero() {
		t.Error("a file that holds no time revokes nothing")
	}
}
