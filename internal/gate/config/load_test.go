package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

func TestDefaultsParse(t *testing.T) {
	for _, text := range defaultAllow {
		if _, err := rule.Parse(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	if got := len(*builtIn().allow); got != len(defaultAllow) {
		t.Errorf("%d of %d default rules are in force", got, len(defaultAllow))
	}
}

func TestMerge(t *testing.T) {
	defaults := policy.DefaultSettings()
	set := func(change func(*policy.Settings)) policy.Settings {
		s := defaults
		change(&s)
		return s
	}
	tests := []struct {
		name            string
		global, project string
		allow, deny     []string
		settings        policy.Settings
	}{
		{"no keys", `{}`, `{}`, defaultAllow, []string{}, defaults},
		{"global lists", `{"allow":["shell:a"],"deny":["shell:b"]}`, `{}`, []string{"shell:a"}, []string{"shell:b"}, defaults},
		{"an empty allowlist switches the defaults off", `{"allow":[]}`, `{}`, []string{}, []string{}, defaults},
		{"an empty project allowlist too", `{"allow":["shell:a"]}`, `{"allow":[]}`, []string{}, []string{}, defaults},
		{"project lists replace wholesale", `{"allow":["shell:a","shell:b"],"deny":["shell:x"]}`, `{"allow":["shell:c"],"deny":["shell:y"]}`,
			[]string{"shell:c"}, []string{"shell:y"}, defaults},
		{"key by key", `{"allow":["shell:a"],"deny":["shell:x"]}`, `{"deny":["shell:y"]}`, []string{"shell:a"}, []string{"shell:y"}, defaults},
		{"an empty project denylist replaces too", `{"allow":[],"deny":["shell:x"]}`, `{"deny":[]}`, []string{}, []string{}, defaults},
		{"order and repetition stay", `{"allow":["shell:b","shell:a","shell:b"]}`, `{}`, []string{"shell:b", "shell:a", "shell:b"}, []string{}, defaults},
		{"switched off globally", `{"enabled":false,"allow":[]}`, `{}`, []string{}, []string{},
			set(func(s *policy.Settings) { s.Enabled = false })},
		{"switched on again by the project", `{"enabled":false,"allow":[]}`, `{"enabled":true}`, []string{}, []string{}, defaults},
		{"redirections of the project win", `{"redirections":"ask","allow":[]}`, `{"redirections":"precise"}`, []string{}, []string{},
			set(func(s *policy.Settings) { s.Redirections = policy.RedirectionsPrecise })},
		{"a project can make session approvals exact", `{"allow":[]}`, `{"sessionApprovals":"exact"}`, []string{}, []string{},
			set(func(s *policy.Settings) { s.SessionApprovals = policy.CoverExact })},
		{"so can the global file", `{"sessionApprovals":"exact","allow":[]}`, `{}`, []string{}, []string{},
			set(func(s *policy.Settings) { s.SessionApprovals = policy.CoverExact })},
		{"and say the default", `{"sessionApprovals":"target","allow":[]}`, `{}`, []string{}, []string{}, defaults},
		{"over which a project can be narrower", `{"sessionApprovals":"target","allow":[]}`, `{"sessionApprovals":"exact"}`, []string{}, []string{},
			set(func(s *policy.Settings) { s.SessionApprovals = policy.CoverExact })},
		{"guarded flags are a global key", `{"guardedFlags":false,"allow":[]}`, `{}`, []string{}, []string{},
			set(func(s *policy.Settings) { s.GuardedFlags = false })},
		{"a byte order mark is tolerated", "\xef\xbb\xbf" + `{"allow":["shell:a"]}`, "\xef\xbb\xbf{}", []string{"shell:a"}, []string{}, defaults},
		{"escapes in keys and rules", `{"\u0061llow":["shell:\u0061"]}`, `{}`, []string{"shell:a"}, []string{}, defaults},
		{"letter case of keys counts", `{"Allow":["shell:a"],"ALLOW":["shell:b"]}`, `{}`, defaultAllow, []string{}, defaults},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t).global(tt.global).project(tt.project)
			got := f.load()
			if diff := cmp.Diff(tt.allow, allowed(got)); diff != "" {
				t.Errorf("allow (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.deny, denied(got)); diff != "" {
				t.Errorf("deny (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.settings, got.Policy.Settings); diff != "" {
				t.Errorf("settings (-want +got):\n%s", diff)
			}
			if want := strings.Count(tt.global, `"A`); len(got.Warnings) != want {
				t.Errorf("warnings: %q", f.warnings(got.Warnings))
			}
		})
	}
}

func TestRulesKnowTheirPlace(t *testing.T) {
	f := newFixture(t).
		global("{\n  \"deny\": [\n    \"shell:g\"\n  ]\n}\n").
		project("\xef\xbb\xbf{\r\n  \"allow\": [\"shell:one\",\r\n    \"shell:two\"\r\n  ]\r\n}\r\n")
	r := f.load()
	for text, want := range map[string]string{
		"shell:g":   "GLOBAL:3",
		"shell:one": ".pi/allowlist-gate.json:2",
		"shell:two": ".pi/allowlist-gate.json:3",
	} {
		if got := f.place(r, text); got != want {
			t.Errorf("%s stands at %s, want %s", text, got, want)
		}
	}
}

func TestBuiltInRulesHaveNoFile(t *testing.T) {
	f := newFixture(t).global(`{"deny": []}`)
	for _, r := range f.load().Policy.Rules {
		if r.File != "" || r.Line != 0 {
			t.Errorf("%s claims to stand at %s:%d", r.Text, r.File, r.Line)
		}
	}
}

func TestSamePolicyWhileNothingChanges(t *testing.T) {
	f := newFixture(t).global(`{"allow":["shell:a"]}`).project(`{"deny":["shell:b"]}`)
	first := f.load()
	if again := f.load(); again.Policy != first.Policy {
		t.Error("the policy was compiled again although both files are the same")
	}
	f.project(`{"deny":["shell:c"]}`)
	changed := f.load()
	if diff := cmp.Diff([]string{"shell:c"}, denied(changed)); diff != "" {
		t.Errorf("an edit does not apply at once (-want +got):\n%s", diff)
	}
	f.project(`{"deny":["shell:b"]}`)
	if back := f.load(); back.Policy.Digest() != first.Policy.Digest() {
		t.Error("the same rules give another digest")
	}
}

func TestProjectsAreKeptApart(t *testing.T) {
	f := newFixture(t).global(`{"allow":["shell:a"]}`).project(`{"allow":["shell:b"]}`)
	other := t.TempDir()
	if got := allowed(f.loader.Load(other, policy.TrustedByPerson)); !cmp.Equal(got, []string{"shell:a"}) {
		t.Errorf("the other project allows %q", got)
	}
	if got := allowed(f.load()); !cmp.Equal(got, []string{"shell:b"}) {
		t.Errorf("the project allows %q", got)
	}
}

func TestUntrustedProject(t *testing.T) {
	f := newFixture(t).global(`{"allow":["shell:a"],"deny":["shell:x"]}`)
	quiet := f.loader.Load(f.root, policy.Untrusted)
	if len(quiet.Warnings) > 0 || quiet.Project.Found || quiet.Project.Ignored {
		t.Errorf("without a project file: %+v", quiet.Project)
	}

	// Even a broken file of an untrusted project says nothing but that it is there.
	for _, text := range []string{`{"allow":["shell:*"],"deny":["shell:y"],"enabled":false}`, `{"allow":`} {
		f.project(text)
		r := f.loader.Load(f.root, policy.Untrusted)
		if r.Policy.Digest() != quiet.Policy.Digest() {
			t.Errorf("the file counts: allow %q, deny %q", allowed(r), denied(r))
		}
		if !r.Project.Found || !r.Project.Ignored || r.Project.Invalid {
			t.Errorf("state: %+v", r.Project)
		}
		want := []string{".pi/allowlist-gate.json: ignored, because the project is not trusted"}
		if diff := cmp.Diff(want, f.warnings(r.Warnings)); diff != "" {
			t.Errorf("warnings (-want +got):\n%s", diff)
		}
	}

	f.project(`{"allow":["shell:b"]}`)
	if got := allowed(f.load()); !cmp.Equal(got, []string{"shell:b"}) {
		t.Errorf("once trusted it allows %q", got)
	}
	if got := allowed(f.loader.Load(f.root, policy.Untrusted)); !cmp.Equal(got, []string{"shell:a"}) {
		t.Errorf("trust taken back, it still allows %q", got)
	}
}

func TestWarningsAreNewOnce(t *testing.T) {
	f := newFixture(t).global(`{}`).project(`{"allow":["mcp:"]}`)
	want := []string{`.pi/allowlist-gate.json:1:11: the allow rule "mcp:" is ignored: empty rule: no pattern after "mcp:"`}
	first := f.load()
	if diff := cmp.Diff(want, f.warnings(first.New)); diff != "" {
		t.Errorf("new (-want +got):\n%s", diff)
	}
	for range 2 {
		again := f.load()
		if len(again.New) > 0 {
			t.Errorf("new again: %q", f.warnings(again.New))
		}
		if diff := cmp.Diff(want, f.warnings(again.Warnings)); diff != "" {
			t.Errorf("warnings that hold (-want +got):\n%s", diff)
		}
	}
	f.project(`{}`)
	if r := f.load(); len(r.Warnings) > 0 {
		t.Errorf("mended, but still %q", f.warnings(r.Warnings))
	}
	f.project(`{"allow":["mcp:"]}`)
	if r := f.load(); len(r.New) > 0 || len(r.Warnings) != 1 {
		t.Errorf("the same mistake once more: new %q, all %q", f.warnings(r.New), f.warnings(r.Warnings))
	}
	other := t.TempDir()
	f.write(FilesOf(f.agent, other).Project, `{"allow":["mcp:"]}`)
	if r := f.loader.Load(other, policy.TrustedByPerson); len(r.New) != 1 {
		t.Errorf("the same mistake in another project is not new: %q", f.warnings(r.Warnings))
	}
}

func TestProjectCannotWidenSessionApprovals(t *testing.T) {
	want := []string{`.pi/allowlist-gate.json:1:22: "sessionApprovals": "target" counts in the global file only and is ignored here; ` +
		`a project's file can only set "exact"`}
	for global, covers := range map[string]policy.Coverage{
		`{"sessionApprovals":"exact"}`:  policy.CoverExact,
		`{"sessionApprovals":"target"}`: policy.CoverTarget,
		`{}`:                            policy.CoverTarget,
	} {
		f := newFixture(t).global(global).project(`{"sessionApprovals": "target", "allow": ["shell:a"]}`)
		r := f.load()
		if got := r.Policy.Settings.SessionApprovals; got != covers {
			t.Errorf("over %s they cover %q, want %q", global, got, covers)
		}
		if got := allowed(r); r.Project.Invalid || !cmp.Equal(got, []string{"shell:a"}) {
			t.Errorf("over %s the rest of the file does not count: it allows %q", global, got)
		}
		if diff := cmp.Diff(want, f.warnings(r.Warnings)); diff != "" {
			t.Errorf("warnings (-want +got):\n%s", diff)
		}
	}
}

func TestJournalSettings(t *testing.T) {
	f := newFixture(t).global(`{"journal": {"record": "gated", "durability": "process", "colour": 1}, "theme": {}}`).
		project(`{"journal": {"onError": "warn"}, "guardedFlags": 7, "shade": null}`)
	r := f.load()
	if diff := cmp.Diff(JournalSettings{Record: RecordGated, Durability: DurabilityProcess, OnError: OnErrorBlock}, r.Journal); diff != "" {
		t.Errorf("journal (-want +got):\n%s", diff)
	}
	if !r.Policy.Settings.GuardedFlags {
		t.Error("a project file switched the guarded flags off")
	}
	want := []string{
		`GLOBAL:1:58: "journal.colour" is no key that pigate knows, and means nothing`,
		`GLOBAL:1:72: "theme" is no key that pigate knows, and means nothing`,
		`.pi/allowlist-gate.json:1:2: "journal" counts in the global file only and is ignored here`,
		`.pi/allowlist-gate.json:1:34: "guardedFlags" counts in the global file only and is ignored here`,
		`.pi/allowlist-gate.json:1:53: "shade" is no key that pigate knows, and means nothing`,
	}
	if diff := cmp.Diff(want, f.warnings(r.Warnings)); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	if got := newFixture(t).load().Journal; got != DefaultJournal() {
		t.Errorf("without a word about it: %+v", got)
	}
}
