package config

import (
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/gate"
)

func TestReaderCreatesNothing(t *testing.T) {
	f := newFixture(t)
	r := NewReader(f.agent).Load(f.root, gate.TrustedByPerson)
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
		want gate.Settings
		err  string
	}{
		{"", gate.DefaultSettings(), ""},
		{" null ", gate.DefaultSettings(), ""},
		{"{}", gate.DefaultSettings(), ""},
		{`{"enabled":false,"redirections":"precise","guardedFlags":false,"journal":{"record":"gated"},"other":1}`,
			gate.Settings{Redirections: gate.RedirectionsPrecise}, ""},
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
