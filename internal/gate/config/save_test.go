package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/gate/config/disk"
	"github.com/pigate/pigate/internal/gate/rule"
)

// TestSaveKeepsTheFile has one layout a line; the rules saved are shell:new
// and, where it is not there yet, edit:"x".
func TestSaveKeepsTheFile(t *testing.T) {
	tests := []struct{ name, before, after string }{
		{"two blanks", "{\n  \"allow\": [\n    \"shell:a\"\n  ],\n  \"deny\": [ \"shell:b\" ]\n}\n",
			"{\n  \"allow\": [\n    \"shell:a\",\n    \"shell:new\",\n    \"edit:\\\"x\\\"\"\n  ],\n  \"deny\": [ \"shell:b\" ]\n}\n"},
		{"tabs, no line end", "{\n\t\"allow\": [\n\t\t\"shell:a\",\n\t\t\"shell:b\"\n\t],\n\t\"x\": {\"deep\": [1, 2.50, 1e3]}\n}",
			"{\n\t\"allow\": [\n\t\t\"shell:a\",\n\t\t\"shell:b\",\n\t\t\"shell:new\",\n\t\t\"edit:\\\"x\\\"\"\n\t],\n\t\"x\": {\"deep\": [1, 2.50, 1e3]}\n}"},
		{"CRLF", "{\r\n    \"allow\": [\r\n        \"shell:a\"\r\n    ]\r\n}\r\n",
			"{\r\n    \"allow\": [\r\n        \"shell:a\",\r\n        \"shell:new\",\r\n        \"edit:\\\"x\\\"\"\r\n    ]\r\n}\r\n"},
		{"inline", "{\n  \"allow\": [\"shell:a\", \"shell:b\"]\n}", "{\n  \"allow\": [\"shell:a\", \"shell:b\", \"shell:new\", \"edit:\\\"x\\\"\"]\n}"},
		{"inline, one", "{\n  \"allow\": [\"shell:a\"]\n}", "{\n  \"allow\": [\"shell:a\", \"shell:new\", \"edit:\\\"x\\\"\"]\n}"},
		{"minified", `{"allow":["shell:a"]}`, `{"allow":["shell:a","shell:new","edit:\"x\""]}`},
		{"one line", `{ "allow": [ "shell:a" ] }`, `{ "allow": [ "shell:a", "shell:new", "edit:\"x\"" ] }`},
		{"empty list", "{\n\t\"allow\": [],\n\t\"deny\": []\n}", "{\n\t\"allow\": [\n\t\t\"shell:new\",\n\t\t\"edit:\\\"x\\\"\"\n\t],\n\t\"deny\": []\n}"},
		{"blank list", "{\n  \"allow\": [\n\n  ]\n}", "{\n  \"allow\": [\n    \"shell:new\",\n    \"edit:\\\"x\\\"\"\n  ]\n}"},
		{"minified empty list", `{"allow":[]}`, `{"allow":["shell:new","edit:\"x\""]}`},
		{"byte order mark", "\xef\xbb\xbf{\"allow\":[]}", "\xef\xbb\xbf{\"allow\":[\"shell:new\",\"edit:\\\"x\\\"\"]}"},
		{"no allowlist", "{\n    \"deny\": [\n        \"shell:b\"\n    ]\n}\n",
			"{\n    \"deny\": [\n        \"shell:b\"\n    ],\n    \"allow\": [\n        \"shell:g\",\n        \"shell:new\",\n        \"edit:\\\"x\\\"\"\n    ]\n}\n"},
		{"no allowlist, one line", `{"deny": [], "enabled": true}`, `{"deny": [], "enabled": true, "allow": ["shell:g", "shell:new", "edit:\"x\""]}`},
		{"no allowlist, minified", `{"deny":[]}`, `{"deny":[],"allow":["shell:g","shell:new","edit:\"x\""]}`},
		{"no key at all", "{}\n", "{\n  \"allow\": [\n    \"shell:g\",\n    \"shell:new\",\n    \"edit:\\\"x\\\"\"\n  ]\n}\n"},
		{"no key, blanks", " {\n } \n", " {\n  \"allow\": [\n    \"shell:g\",\n    \"shell:new\",\n    \"edit:\\\"x\\\"\"\n  ]\n} \n"},
		{"one is there", `{"allow":["edit:\u0022x\u0022"]}`, `{"allow":["edit:\u0022x\u0022","shell:new"]}`},
		{"both are there", `{"allow":["shell:new", " edit:\"x\" " ] }`, `{"allow":["shell:new", " edit:\"x\" " ] }`},
		{"the last list counts", `{"allow":["shell:new"],"allow":["shell:a"]}`, `{"allow":["shell:new"],"allow":["shell:a","shell:new","edit:\"x\""]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t).global(`{"allow": ["shell:g"], "deny": ["shell:d"], "guardedFlags": false}`).project(tt.before)
			f.load()
			if _, err := f.loader.Save(f.root, []string{"shell:new", `edit:"x"`}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.after, f.read(f.files.Project)); diff != "" {
				t.Errorf("file (-want +got):\n%s", diff)
			}
			r := f.load()
			if got := allowed(r); !contains(got, "shell:new") || !contains(got, `edit:"x"`) {
				t.Errorf("the rules are not in force at once: %q", got)
			}
			if r.Project.Invalid {
				t.Errorf("the file became invalid: %s", r.Project.Err)
			}
		})
	}
}

func contains(list []string, text string) bool {
	return strings.Contains("\x00"+strings.Join(list, "\x00")+"\x00", "\x00"+text+"\x00")
}

func TestSaveNewFile(t *testing.T) {
	tests := []struct{ name, global, want string }{
		{"lists of the global file", `{"enabled": true, "allow": ["shell:a && b"], "deny": ["shell:<d>"], "guardedFlags": false, "journal": {}, "x": 1}`,
			"{\n  \"allow\": [\n    \"shell:a && b\",\n    \"shell:new\"\n  ],\n  \"deny\": [\n    \"shell:<d>\"\n  ]\n}\n"},
		{"an empty denylist is inherited, not copied", `{"allow": [], "deny": []}`, "{\n  \"allow\": [\n    \"shell:new\"\n  ]\n}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t).global(tt.global)
			saved, err := f.loader.Save(f.root, []string{"shell:new"})
			if err != nil || !cmp.Equal(saved, []string{"shell:new"}) {
				t.Fatalf("saved %q, error %v", saved, err)
			}
			if diff := cmp.Diff(tt.want, f.read(f.files.Project)); diff != "" {
				t.Errorf("file (-want +got):\n%s", diff)
			}
			if got := f.read(f.files.Global); got != tt.global {
				t.Errorf("the global file was changed: %s", got)
			}
			f.onlyFiles(filepath.Dir(f.files.Project), "allowlist-gate.json")
			f.onlyFiles(f.root, ".pi")
		})
	}
	t.Run("defaults", func(t *testing.T) {
		f := newFixture(t)
		if _, err := f.loader.Save(f.root, []string{"shell:new"}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(append(append([]string{}, defaultAllow...), "shell:new"), allowed(f.load())); diff != "" {
			t.Errorf("allow (-want +got):\n%s", diff)
		}
	})
}

func TestSaveLines(t *testing.T) {
	f := newFixture(t).project(`{"allow":["shell:a"]}`)
	saved, err := f.loader.Save(f.root, []string{"", "  shell:b  ", "shell:a", "\t", "shell:b", "edit:ü\u2028.go\r"})
	if err != nil || !cmp.Equal(saved, []string{"shell:b", "edit:ü\u2028.go"}) {
		t.Errorf("saved %q, error %v", saved, err)
	}
	before := f.read(f.files.Project)
	for _, lines := range [][]string{nil, {""}, {"shell:a", "shell:b"}} {
		if saved, err := f.loader.Save(f.root, lines); err != nil || len(saved) > 0 {
			t.Errorf("%q: saved %q, error %v", lines, saved, err)
		}
	}
	for _, lines := range [][]string{{"shell:c", "shell:"}, {"mcp::x"}, {":x"}, {"shell:\xff"}} {
		if saved, err := f.loader.Save(f.root, lines); err == nil || len(saved) > 0 {
			t.Errorf("%q: saved %q", lines, saved)
		}
	}
	if got := f.read(f.files.Project); got != before {
		t.Errorf("the file changed to %s", got)
	}
}

func TestSaveLeavesBrokenFilesAlone(t *testing.T) {
	const fine = `{"allow":[]}`
	tests := []struct{ name, global, project, says string }{
		{"no JSON", fine, `{"allow":["shell:a"]`, "unexpected end of JSON input"},
		{"comment", fine, "// mine\n{}", "comments"},
		{"not UTF-8", fine, "{\"x\":\"\xff\"}", "not UTF-8"},
		{"allow is a text", fine, `{"allow":"shell:a"}`, "list of rules"},
		{"wrong type elsewhere", fine, `{"allow":[],"enabled":1}`, "true or false"},
		{"empty", fine, ``, "empty"},
		{"the copied file is broken", `{"allow":`, `{"deny":[]}`, "allowlist-gate.json:1:9"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t).global(tt.global).project(tt.project)
			saved, err := f.loader.Save(f.root, []string{"shell:new"})
			if err == nil || len(saved) > 0 || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("saved %q, error %v", saved, err)
			}
			if got := f.read(f.files.Project); got != tt.project {
				t.Errorf("the project file is now %q", got)
			}
			if got := f.read(f.files.Global); got != tt.global {
				t.Errorf("the global file is now %q", got)
			}
		})
	}
	t.Run("a new file would copy a broken one", func(t *testing.T) {
		f := newFixture(t).global(`{`)
		if _, err := f.loader.Save(f.root, []string{"shell:new"}); err == nil {
			t.Error("saved")
		}
		f.onlyFiles(filepath.Dir(f.files.Project))
	})
	t.Run("a folder in its place", func(t *testing.T) {
		f := newFixture(t)
		if err := os.MkdirAll(f.files.Project, 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := f.loader.Save(f.root, []string{"shell:new"}); err == nil || !strings.Contains(err.Error(), "it is a folder") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("it would grow too large", func(t *testing.T) {
		f := newFixture(t).global(fine).project(`{"allow":[],"x":"` + strings.Repeat("x", disk.MaxSize-30) + `"}`)
		if _, err := f.loader.Save(f.root, []string{"shell:" + strings.Repeat("y", 40)}); err == nil || !strings.Contains(err.Error(), "larger than") {
			t.Errorf("error %v", err)
		}
		if r := f.load(); r.Project.Invalid {
			t.Errorf("the file became invalid: %s", r.Project.Err)
		}
	})
	t.Run("no project folder", func(t *testing.T) {
		f := newFixture(t)
		missing := filepath.Join(f.root, "missing")
		if _, err := f.loader.Save(missing, []string{"shell:new"}); err == nil {
			t.Error("saved")
		}
		if _, err := os.Stat(missing); err == nil {
			t.Error("the project folder was made")
		}
	})
}

func TestAddToEitherListOfEitherFile(t *testing.T) {
	f := newFixture(t).global(`{"allow": ["shell:g"], "deny": ["shell:d"], "x": 1}`).project(`{"allow": ["shell:p"]}`)
	add := func(root string, effect rule.Effect, line string) {
		t.Helper()
		a := Addition{Root: root, Effect: effect, Lines: []string{line}}
		before, after, err := f.loader.Preview(a)
		if err != nil {
			t.Fatal(err)
		}
		path := f.files.Project
		if root == "" {
			path = f.files.Global
		}
		if got := f.read(path); got != before {
			t.Errorf("the preview shows %q before, the file has %q", before, got)
		}
		if saved, err := f.loader.Add(a); err != nil || !cmp.Equal(saved, []string{line}) {
			t.Fatalf("saved %q, error %v", saved, err)
		}
		if got := f.read(path); got != after {
			t.Errorf("the preview shows %q after, the file has %q", after, got)
		}
		if saved, err := f.loader.Add(a); err != nil || len(saved) > 0 || f.read(path) != after {
			t.Errorf("adding it again saved %q, error %v: %q", saved, err, f.read(path))
		}
	}
	add("", rule.Allow, "shell:g2")
	add("", rule.Deny, "shell:d2")
	if got, want := f.read(f.files.Global), `{"allow": ["shell:g", "shell:g2"], "deny": ["shell:d", "shell:d2"], "x": 1}`; got != want {
		t.Errorf("the global file is %q, want %q", got, want)
	}
	add(f.root, rule.Deny, "shell:no") // gets the global list first, which it replaces
	if got, want := f.read(f.files.Project), `{"allow": ["shell:p"], "deny": ["shell:d", "shell:d2", "shell:no"]}`; got != want {
		t.Errorf("the project's file is %q, want %q", got, want)
	}
}

func TestAddWhereThereIsNoFile(t *testing.T) {
	f := newFixture(t)
	before, after, err := f.loader.Preview(Addition{Effect: rule.Allow, Lines: []string{"shell:new"}})
	if err != nil || before != "" || !strings.Contains(after, "shell:git status *") || !strings.Contains(after, "shell:new") {
		t.Errorf("preview %q → %q, %v", before, after, err)
	}
	if _, err := os.Stat(f.files.Global); err == nil {
		t.Error("a preview created the global file")
	}
	if _, err := f.loader.Add(Addition{Effect: rule.Allow, Lines: []string{"shell:new"}}); err != nil {
		t.Fatal(err)
	}
	if got := f.read(f.files.Global); got != after {
		t.Errorf("the file is %q, the preview said %q", got, after)
	}
	if _, err := f.loader.Add(Addition{Root: f.root, Effect: rule.Deny, Lines: []string{"shell:no"}}); err != nil {
		t.Fatal(err)
	}
	if got := f.load(); !contains(allowed(got), "shell:new") || len(got.Policy.Rules) != len(defaultAllow)+2 {
		t.Errorf("in force are %v", got.Policy.Rules)
	}
}
