package config

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

const unaskedWarning = ".pi/allowlist-gate.json: only its deny and ask rules count, because nobody was asked whether this project is trusted; " +
	`use /trust in Pi, or "projectTrust": "pi" in the global file`

// asked lets the Loader be told that somebody was asked about every project, or
// that nobody was.
func (f *fixture) asked(yes bool) *fixture {
	f.loader.Asked = func(string) bool { return yes }
	return f
}

// host loads as a host does whose trust is its own word only.
func (f *fixture) host() Result { return f.loader.Load(f.root, policy.TrustedByHost) }

func TestTrust(t *testing.T) {
	const greedy = `{"allow":["shell"],"deny":["shell:p"],"enabled":false,"redirections":"precise"}`
	tests := []struct {
		name    string
		trust   policy.Trust
		asked   bool
		setting string // a member of the global file
		project string // "" for no file
		counts  bool
		deny    []string
		warns   []string
	}{
		{"asked", policy.TrustedByHost, true, "", greedy, true, []string{"shell:p"}, nil},
		{"not asked", policy.TrustedByHost, false, "", greedy, false, []string{"shell:p", "shell:g"}, []string{unaskedWarning}},
		{"approved for this run", policy.TrustedByPerson, false, "", greedy, true, []string{"shell:p"}, nil},
		{"Pi's word is taken", policy.TrustedByHost, false, `,"projectTrust":"pi"`, greedy, true, []string{"shell:p"}, nil},
		{"Pi's word is not taken", policy.TrustedByHost, false, `,"projectTrust":"asked"`, greedy, false, []string{"shell:p", "shell:g"}, []string{unaskedWarning}},
		{"Pi's word is no", policy.Untrusted, true, `,"projectTrust":"pi"`, greedy, false, []string{"shell:g"},
			[]string{".pi/allowlist-gate.json: ignored, because the project is not trusted"}},
		{"the file trusts itself", policy.TrustedByHost, false, "", `{"allow":["shell"],"projectTrust":"pi"}`, false, []string{"shell:g"},
			[]string{unaskedWarning, `.pi/allowlist-gate.json:1:20: "projectTrust" counts in the global file only and is ignored here`}},
		{"the file takes global deny rules away", policy.TrustedByHost, false, "", `{"deny":[]}`, false, []string{"shell:g"}, []string{unaskedWarning}},
		{"the file says nothing", policy.TrustedByHost, false, "", `{}`, false, []string{"shell:g"}, []string{unaskedWarning}},
		{"no file, nobody to ask about", policy.TrustedByHost, false, "", "", true, []string{"shell:g"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t).asked(tt.asked).global(`{"allow":["shell:a"],"deny":["shell:g"]` + tt.setting + `}`)
			want := policy.DefaultSettings()
			allow := []string{"shell:a"}
			if tt.project != "" {
				f.project(tt.project)
				if tt.counts {
					want.Enabled, want.Redirections, allow = false, policy.RedirectionsPrecise, []string{"shell"}
				}
			}
			r := f.loader.Load(f.root, tt.trust)
			if diff := cmp.Diff(allow, allowed(r)); diff != "" {
				t.Errorf("allow (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.deny, denied(r)); diff != "" {
				t.Errorf("deny (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(want, r.Policy.Settings); diff != "" {
				t.Errorf("settings (-want +got):\n%s", diff)
			}
			if got := f.warnings(r.New); !slices.Equal(got, tt.warns) {
				t.Errorf("warnings %q, want %q", got, tt.warns)
			}
			if r.Trusted != tt.counts {
				t.Errorf("trusted: %t, want %t", r.Trusted, tt.counts)
			}
			if again := f.loader.Load(f.root, tt.trust); again.Policy != r.Policy || len(again.New) > 0 {
				t.Errorf("again: another policy: %t, warnings %q", again.Policy != r.Policy, f.warnings(again.New))
			}
		})
	}
}

func TestADecisionCountsAtOnce(t *testing.T) {
	f := newFixture(t).asked(false).global(`{"allow":[]}`).project(`{"allow":["shell:b"]}`)
	if got := allowed(f.host()); len(got) > 0 {
		t.Fatalf("nobody was asked, but it allows %q", got)
	}
	f.asked(true)
	r := f.host()
	if got := allowed(r); !cmp.Equal(got, []string{"shell:b"}) || !r.Trusted || len(r.Warnings) > 0 {
		t.Errorf("once somebody was asked: allow %q, trusted %t, warnings %q", got, r.Trusted, f.warnings(r.Warnings))
	}
	f.asked(false)
	if r := f.host(); len(allowed(r)) > 0 || r.Trusted || len(r.Warnings) != 1 || len(r.New) > 0 {
		t.Errorf("taken back: allow %q, trusted %t, warnings %q, new %q", allowed(r), r.Trusted, f.warnings(r.Warnings), f.warnings(r.New))
	}
}

func TestNobodyToAskMeansNobodyAsked(t *testing.T) {
	f := newFixture(t).global(`{"allow":[]}`).project(`{"allow":["shell:b"]}`)
	if r := f.host(); len(allowed(r)) > 0 || !r.Project.DenyOnly {
		t.Errorf("allow %q, state %+v", allowed(r), r.Project)
	}
}

// TestAskedSeesTheProjectFirst holds that Asked has looked before any call, and
// is not troubled where nothing depends on it.
func TestAskedSeesTheProjectFirst(t *testing.T) {
	f := newFixture(t).global(`{"allow":[]}`)
	var looks []string
	f.loader.Asked = func(root string) bool { looks = append(looks, root); return false }
	f.host()
	if !slices.Equal(looks, []string{f.root}) {
		t.Errorf("at the first call of a project without a file it looked at %q, want one look", looks)
	}
	f.host()
	f.loader.Load(f.root, policy.TrustedByPerson)
	if len(looks) != 1 {
		t.Errorf("it looked %d times, want once: there is no file", len(looks))
	}
}

func TestABrokenFileThatNobodyWasAskedAbout(t *testing.T) {
	f := newFixture(t).asked(false).global(`{"enabled":false,"allow":["shell:a"],"deny":["shell:g"]}`).
		project(`{"allow":["shell"],"deny":["shell:p"]}`)
	f.host()
	f.project(`{"allow":["shell"],"deny":["shell:q"],}`)
	r := f.host()
	if got := allowed(r); len(got) > 0 || !r.Policy.Settings.Enabled {
		t.Errorf("it allows %q, enabled %t", got, r.Policy.Settings.Enabled)
	}
	if diff := cmp.Diff([]string{"shell:q", "shell:p", "shell:g"}, denied(r)); diff != "" {
		t.Errorf("deny (-want +got):\n%s", diff)
	}
	if len(r.Warnings) != 2 || r.Trusted || !r.Project.Invalid {
		t.Errorf("warnings %q, trusted %t, state %+v", f.warnings(r.Warnings), r.Trusted, r.Project)
	}
}

func TestABrokenGlobalFileTakesNobodysWord(t *testing.T) {
	for _, global := range []string{`{"allow":[],"projectTrust":"pi",}`, `{"allow":[],"projectTrust":"Pi"}`, `{"allow":[],"projectTrust":true}`} {
		f := newFixture(t).asked(false).global(global).project(`{"allow":["shell:b"]}`)
		if r := f.host(); len(allowed(r)) > 0 || !r.Global.Invalid || !r.Project.DenyOnly || r.ProjectTrust != ProjectTrustAsked {
			t.Errorf("%s: allow %q, states %+v %+v", global, allowed(r), r.Global, r.Project)
		}
	}
}

func TestAFileNobodyWasAskedAboutNeverWidens(t *testing.T) {
	b := newBench(t)
	rapid.Check(t, func(rt *rapid.T) {
		global, project := members(rt, "global"), members(rt, "project")
		projectText := jsonText(rt, "project", project)
		if rapid.Bool().Draw(rt, "spoiled") {
			projectText = spoil(rt, "project", project, projectText)
		}
		b.write(rt, jsonText(rt, "global", global), projectText)
		ignored := NewLoader(b.agent).Load(b.root, policy.Untrusted)
		r := NewLoader(b.agent).Load(b.root, policy.TrustedByHost)
		if !r.Project.DenyOnly || r.Trusted {
			rt.Fatalf("state %+v", r.Project)
		}
		for _, text := range allowed(r) {
			if !slices.Contains(allowed(ignored), text) {
				rt.Errorf("it allows %q, which it does not without the file", text)
			}
		}
		for _, text := range append(denied(ignored), denied(NewLoader(b.agent).Load(b.root, policy.TrustedByPerson))...) {
			if !slices.Contains(denied(r), text) {
				rt.Errorf("it does not deny %q", text)
			}
		}
		without, with := ignored.Policy.Settings, r.Policy.Settings
		if with != without && !r.Project.Invalid {
			rt.Errorf("settings went from %+v to %+v", without, with)
		}
	})
}

func TestReportOfAProjectNobodyWasAskedAbout(t *testing.T) {
	f := newFixture(t).asked(false).global(`{"allow": []}`).project("{\"allow\": [\"shell\"],\n\"deny\": [\"shell:rm *\"]}")
	want := `Gate status: ENABLED
Project trust: Trusted by Pi, but nobody was asked: only deny and ask rules of .pi/allowlist-gate.json count
Config files:
  global:  GLOBAL (found)
  project: PROJECT (found, only its deny and ask rules count)
Deny rules: 1
  shell:rm *  (.pi/allowlist-gate.json:2)
Allow rules: 0
Settings:
  redirections: ask
  guardedFlags: true
  outside: ask
  sessionApprovals: target
  projectTrust: asked
  journal: record all, durability power, onError block
Session approvals: 0
Warnings: 1
  ` + unaskedWarning + "\n"
	if diff := cmp.Diff(want, f.report(f.host(), []gate.Grant{})); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}
