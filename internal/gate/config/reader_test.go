package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/gate/policy"
)

func TestReaderCreatesNothing(t *testing.T) {
	f := newFixture(t)
	r := NewReader(f.agent).Load(f.root, policy.TrustedByPerson)
	if diff := cmp.Diff(defaultAllow, allowed(r)); diff != "" {
		t.Errorf("allow (-want +got):\n%s", diff)
	}
	if r.Global.Found || len(r.Warnings) > 0 {
		t.Errorf("state %+v, warnings %q", r.Global, f.warnings(r.Warnings))
	}
	if _, err := os.Stat(f.agent); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the agent folder was made (%v)", err)
	}
}

func TestParseSettings(t *testing.T) {
	tests := []struct {
		text string
		want policy.Settings
		err  string
	}{
		{"", policy.DefaultSettings(), ""},
		{" null ", policy.DefaultSettings(), ""},
		{"{}", policy.DefaultSettings(), ""},
		{`{"enabled":false,"redirections":"precise","guardedFlags":false,"journal":{"record":"gated"},"other":1}`,
			policy.Settings{Redirections: policy.RedirectionsPrecise, Outside: policy.OutsideAsk, SessionApprovals: policy.CoverTarget}, ""},
		{`{"sessionApprovals":"exact"}`, policy.Settings{Enabled: true, Redirections: policy.RedirectionsAsk, GuardedFlags: true, Outside: policy.OutsideAsk, SessionApprovals: policy.CoverExact}, ""},
		{`{"outside":"allow"}`, policy.Settings{Enabled: true, Redirections: policy.RedirectionsAsk, GuardedFlags: true, Outside: policy.OutsideAllow, SessionApprovals: policy.CoverTarget}, ""},
		{`{"outside":"deny"}`, strictSettings(), `"outside" must be "ask" or "allow"`},
		{`{"sessionApprovals":"Exact"}`, strictSettings(), `"sessionApprovals" must be "target" or "exact"`},
		{`[]`, strictSettings(), "it must be a JSON object, not a list"},
		{`{"enabled":null}`, strictSettings(), `"enabled" must be true or false, not null`},
		{`{"enabled":false,"redirections":"none"}`, strictSettings(), `"redirections" must be "ask" or "precise"`},
		{`{"journal":{"onError":1}}`, strictSettings(), `"journal.onError" must be "block" or "warn"`},
		{`{`, strictSettings(), "not valid JSON: unexpected end of JSON input"},
	}
	for _, tt := range tests {
		got, err := ParseSettings([]byte(tt.text))
		text := ""
		if err != nil {
			text = err.Error()
		}
		if got != tt.want || text != tt.err {
			t.Errorf("%s: %+v, error %q; want %+v, error %q", tt.text, got, text, tt.want, tt.err)
		}
	}
}

func TestReadPolicy(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	path := filepath.Join(f.root, "new.json")
	f.write(path, `{"allow": ["shell:ls *", "x y"], "guardedFlags": false}`)
	p, warnings, err := ReadPolicy(path)
	if err != nil || p.Settings.GuardedFlags || p.Settings.Redirections != policy.RedirectionsAsk || len(warnings) != 1 {
		t.Fatalf("%+v, %v, %v", p, warnings, err)
	}
	if len(p.Rules) != 1 || p.Rules[0].Text != "shell:ls *" || p.Rules[0].File != path || p.Rules[0].Line != 1 {
		t.Errorf("%+v", p.Rules)
	}
	f.write(path, `{"deny": []}`)
	if p, _, err = ReadPolicy(path); err != nil || len(p.Rules) != len(defaultAllow) {
		t.Errorf("without a list of its own: %+v, %v", p, err)
	}
	for _, text := range []string{"", "[]", `{"allow": "x"}`, `{"redirections": "never"}`, "{"} {
		f.write(path, text)
		if p, _, err := ReadPolicy(path); err == nil || !strings.Contains(err.Error(), "new.json") {
			t.Errorf("%q: %v, %v", text, p, err)
		}
	}
	for _, path := range []string{f.root, filepath.Join(f.root, "missing.json")} {
		if _, _, err := ReadPolicy(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
