package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/gate/policy"
)

// TestInvalid has one broken project file a line: what people are told, and the
// deny rules that can still be read from it.
func TestInvalid(t *testing.T) {
	const file = ".pi/allowlist-gate.json:"
	tests := []struct {
		name, text string
		warnings   []string
		deny       []string
	}{
		{"empty", "", []string{file + "1:1: it is empty […]"}, nil},
		{"blank", " \n\t", []string{file + "1:1: it is empty […]"}, nil},
		{"cut off", "{\n  \"allow\": [\"shell:a\"],\n  \"deny\": [\"shell:b\"",
			[]string{file + "3:20: not valid JSON: unexpected end of JSON input […]"}, nil},
		{"word", "{\n  \"enabled\": yes\n}", []string{file + "2:14: not valid JSON: invalid character 'y' looking for beginning of value […]"}, nil},
		{"columns are characters", "{\"ключ\": é}", []string{file + "1:10: not valid JSON: invalid character 'é' looking for beginning of value […]"}, nil},
		{"trailing comma", `{"allow": ["shell:a"], "deny": ["shell:b"],}`,
			[]string{file + "1:44: not valid JSON: invalid character '}' looking for beginning of object key string (comments and trailing commas are not allowed) […]"},
			[]string{"shell:b"}},
		{"comment", "{\n// no more\n\"deny\": [\"shell:b\"]}",
			[]string{file + "2:1: not valid JSON: invalid character '/' looking for beginning of object key string (comments and trailing commas are not allowed) […]"},
			[]string{"shell:b"}},
		{"two values", `{"allow":[]} {}`, []string{file + "1:14: not valid JSON: invalid character '{' after top-level value […]"}, nil},
		{"list", `["shell:a"]`, []string{file + "1:1: it must be a JSON object, not a list […]"}, nil},
		{"null", ` null`, []string{file + "1:2: it must be a JSON object, not null […]"}, nil},
		{"not UTF-8", "{\"deny\": [\"shell:caf\xe9\"]}", []string{file + "1:21: the text is not UTF-8 […]"}, nil},
		{"UTF-16", "\xff\xfe{\x00}\x00", []string{file + "1:1: the text is not UTF-8 […]"}, nil},
		{"allow is a text", `{"allow": "shell:*", "deny": ["shell:b"]}`,
			[]string{file + `1:11: "allow" must be a list of rules, not a text […]`}, []string{"shell:b"}},
		{"allow is null", `{"allow": null}`, []string{file + `1:11: "allow" must be a list of rules, not null […]`}, nil},
		{"allow holds a number", `{"allow": ["shell:a", 7]}`, []string{file + `1:23: "allow" must hold texts and objects with a "rule", not a number […]`}, nil},
		{"deny holds a list", `{"deny": ["shell:b", ["shell:c"], "shell:d"]}`,
			[]string{file + `1:22: "deny" must hold texts and objects with a "rule", not a list […]`}, []string{"shell:b", "shell:d"}},
		{"deny is a text", `{"deny": "shell:b"}`, []string{file + `1:10: "deny" must be a list of rules, not a text […]`}, []string{"shell:b"}},
		{"deny is an object", `{"deny": {"shell:b": true}}`, []string{file + `1:10: "deny" must be a list of rules, not an object […]`}, nil},
		{"enabled is a text", `{"enabled": "false", "deny": ["shell:b"]}`,
			[]string{file + `1:13: "enabled" must be true or false, not a text […]`}, []string{"shell:b"}},
		{"redirections is another word", `{"redirections": "Precise"}`, []string{file + `1:18: "redirections" must be "ask" or "precise" […]`}, nil},
		{"redirections is a switch", `{"redirections": true}`, []string{file + `1:18: "redirections" must be "ask" or "precise" […]`}, nil},
		{"session approvals are another word", `{"sessionApprovals": "none", "deny": ["shell:b"]}`,
			[]string{file + `1:22: "sessionApprovals" must be "target" or "exact" […]`}, []string{"shell:b"}},
		{"session approvals are a switch", `{"sessionApprovals": true}`, []string{file + `1:22: "sessionApprovals" must be "target" or "exact" […]`}, nil},
		{"everything at once", "{\"enabled\": false,\n\"redirections\": \"precise\",\n\"allow\": {},\n\"allow\": 1, \"deny\": [null, \"edit:b\"]}",
			[]string{
				file + `4:1: "allow" stands here again; the one on line 3 is ignored`,
				file + `4:10: "allow" must be a list of rules, not a number […]`,
				file + `4:22: "deny" must hold texts and objects with a "rule", not null`,
			}, []string{"edit:b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t).
				global(`{"enabled":false,"redirections":"precise","guardedFlags":false,"journal":{"record":"gated"},"allow":["shell:a"],"deny":["shell:g"]}`).
				project(tt.text)
			r := f.load()
			if diff := cmp.Diff(tt.warnings, f.warnings(r.Warnings)); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			if got := allowed(r); len(got) > 0 {
				t.Errorf("it allows %q", got)
			}
			if diff := cmp.Diff(append(tt.deny, "shell:g"), denied(r)); diff != "" {
				t.Errorf("deny (-want +got):\n%s", diff)
			}
			// A project file, broken or not, has no say in the global keys.
			want := policy.Settings{Enabled: true, Redirections: policy.RedirectionsAsk, GuardedFlags: false, Outside: policy.OutsideAsk, SessionApprovals: policy.CoverExact}
			if diff := cmp.Diff(want, r.Policy.Settings); diff != "" {
				t.Errorf("settings (-want +got):\n%s", diff)
			}
			if r.Journal.Record != RecordGated {
				t.Errorf("journal: %+v", r.Journal)
			}
			if !r.Project.Invalid || r.Project.Err == "" || r.Global.Invalid {
				t.Errorf("states: %+v %+v", r.Global, r.Project)
			}
		})
	}
}

func TestInvalidGlobal(t *testing.T) {
	for _, text := range []string{`{"enabled":false,"redirections":"precise","guardedFlags":false,"journal":{"record":"some"},"deny":["shell:g"]}`,
		`{"enabled":false,"redirections":"precise","guardedFlags":1,"journal":{"onError":"warn"},"deny":["shell:g"]}`,
		`{"enabled":false,"journal":["onError"],"deny":["shell:g"]}`,
		`{"sessionApprovals":"any","deny":["shell:g"]}`} {
		f := newFixture(t).global(text)
		r := f.load()
		if len(allowed(r)) > 0 || !r.Global.Invalid {
			t.Errorf("%s: it allows %q", text, allowed(r))
		}
		if got := denied(r); !cmp.Equal(got, []string{"shell:g"}) {
			t.Errorf("%s: it denies %q", text, got)
		}
		if r.Policy.Settings != strictSettings() || r.Journal != DefaultJournal() {
			t.Errorf("%s: settings %+v, journal %+v", text, r.Policy.Settings, r.Journal)
		}
		if f.read(f.files.Global) != text {
			t.Errorf("%s: the broken file was changed", text)
		}
		// A valid project file counts as it would over any global file.
		f.project(`{"allow":["shell:a"]}`)
		if got := allowed(f.load()); !cmp.Equal(got, []string{"shell:a"}) {
			t.Errorf("%s: the project allows %q", text, got)
		}
	}
}

func TestLastGoodDenyRulesStay(t *testing.T) {
	f := newFixture(t).global(`{"allow":["shell:a"],"deny":["shell:g"]}`).project(`{"deny":["shell:old","shell:both"]}`)
	f.load()

	f.project(`{"deny":["shell:new","shell:both"],"allow":1}`)
	want := []string{"shell:new", "shell:both", "shell:old", "shell:g"}
	if diff := cmp.Diff(want, denied(f.load())); diff != "" {
		t.Errorf("project half broken (-want +got):\n%s", diff)
	}
	f.project(`{"deny":[`)
	if diff := cmp.Diff([]string{"shell:old", "shell:both", "shell:g"}, denied(f.load())); diff != "" {
		t.Errorf("project broken (-want +got):\n%s", diff)
	}
	f.global(`oops`)
	if diff := cmp.Diff([]string{"shell:old", "shell:both", "shell:g"}, denied(f.load())); diff != "" {
		t.Errorf("both broken (-want +got):\n%s", diff)
	}
	f.project(`{}`)
	if diff := cmp.Diff([]string{"shell:g"}, denied(f.load())); diff != "" {
		t.Errorf("project mended (-want +got):\n%s", diff)
	}
	f.global(`{}`)
	if got := denied(f.load()); len(got) > 0 {
		t.Errorf("both mended, but it denies %q", got)
	}
	f.project(`{"deny":[`)
	if got := denied(f.load()); len(got) > 0 {
		t.Errorf("rules that a valid file took back are in force: %q", got)
	}
}

func TestRefusedRulesLeaveTheOthers(t *testing.T) {
	f := newFixture(t).global("{\"allow\": [\"shell:a\",\n\"\", \"shell:\", \"mcp::x\", \"shell:b\"], \"deny\": [\":x\",\"shell:\x1b[2Jc\"]}")
	f.global(strings.ReplaceAll(f.read(f.files.Global), "\x1b", `\u001b`))
	r := f.load()
	if got := allowed(r); !cmp.Equal(got, []string{"shell:a", "shell:b"}) {
		t.Errorf("it allows %q", got)
	}
	if got := denied(r); !cmp.Equal(got, []string{"shell:\x1b[2Jc"}) {
		t.Errorf("it denies %q", got)
	}
	want := []string{
		`GLOBAL:2:1: the allow rule "" is ignored: empty rule`,
		`GLOBAL:2:5: the allow rule "shell:" is ignored: empty rule: no pattern after "shell:"`,
		`GLOBAL:2:15: the allow rule "mcp::x" is ignored: empty rule: an mcp rule is mcp:SERVER or mcp:SERVER:TOOL`,
		`GLOBAL:2:46: the deny rule ":x" is ignored: empty rule: no scope before the colon`,
	}
	if diff := cmp.Diff(want, f.warnings(r.Warnings)); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	if r.Global.Invalid {
		t.Error("a refused rule makes the file invalid")
	}
}

func TestDuplicateKeys(t *testing.T) {
	f := newFixture(t).global("{\"allow\":[\"shell:a\"],\n\"journal\":{\"record\":\"all\",\"record\":\"gated\"},\n\"allow\":[\"shell:b\"]}")
	r := f.load()
	if got := allowed(r); !cmp.Equal(got, []string{"shell:b"}) {
		t.Errorf("it allows %q, want the last list", got)
	}
	want := []string{
		`GLOBAL:3:1: "allow" stands here again; the one on line 1 is ignored`,
		`GLOBAL:2:27: "journal.record" stands here again; the one on line 2 is ignored`,
	}
	if diff := cmp.Diff(want, f.warnings(r.Warnings)); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestManyMistakesAreCounted(t *testing.T) {
	f := newFixture(t).global(`{"allow":[` + strings.Repeat(`1,`, 400000) + `1]}`)
	got := f.warnings(f.load().Warnings)
	if len(got) != maxWarnings+1 || got[maxWarnings] != "GLOBAL: and 399981 more" {
		t.Errorf("%d warnings, the last is %q", len(got), got[len(got)-1])
	}
}

func TestDeepNesting(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("[", 2<<20),
		`{"x":` + strings.Repeat("[", 2<<20),
		`{"x":` + strings.Repeat(`{"":`, 500000) + "0" + strings.Repeat("}", 500000) + `}`,
		"//\n" + strings.Repeat("{\"\":[", 500000),
	} {
		if r := newFixture(t).global(text).load(); !r.Global.Invalid || len(allowed(r)) > 0 {
			t.Errorf("%.20q… counts as a valid file", text)
		}
	}
}
