package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/gate/config/disk"
	"github.com/pigate/pigate/internal/gate/policy"
)

const seeded = `{
  "enabled": true,
  "allow": [
    "shell:git status *",
    "shell:git diff *",
    "shell:git log *",
    "shell:ls *",
    "shell:cat *",
    "shell:pwd *",
    "shell:echo *",
    "shell:wc *",
    "shell:grep *",
    "shell:tail *",
    "shell:rg -n *",
    "shell:find *",
    "shell:head -n *",
    "shell:pi mcp list *",
    "mcp:docs-mcp-server"
  ],
  "deny": []
}
`

func TestSeed(t *testing.T) {
	f := newFixture(t)
	r := f.load()
	if diff := cmp.Diff(seeded, f.read(f.files.Global)); diff != "" {
		t.Errorf("seeded file (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(defaultAllow, allowed(r)); diff != "" {
		t.Errorf("allow (-want +got):\n%s", diff)
	}
	if len(r.Warnings) > 0 || !r.Global.Found || r.Project.Found {
		t.Errorf("after seeding: %+v %+v, warnings %q", r.Global, r.Project, f.warnings(r.Warnings))
	}
	if got := f.place(r, "shell:git log *"); got != "GLOBAL:6" {
		t.Errorf("a seeded rule stands at %s", got)
	}
	if runtime.GOOS != "windows" {
		for path, want := range map[string]fs.FileMode{f.agent: 0o700, filepath.Dir(f.files.Global): 0o700, f.files.Global: 0o600} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s has mode %v, want %v (%v)", path, info.Mode().Perm(), want, err)
			}
		}
	}
	if _, err := os.Stat(filepath.Dir(f.files.Project)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("loading made something in the project: %v", err)
	}
	f.onlyFiles(filepath.Dir(f.files.Global), "allowlist-gate.json")
}

func TestSeedNeverOverwrites(t *testing.T) {
	f := newFixture(t).global("not even JSON")
	if err := seed(f.files.Global); err != nil {
		t.Errorf("seed: %v", err)
	}
	f.load()
	if got := f.read(f.files.Global); got != "not even JSON" {
		t.Errorf("the file holds %q", got)
	}
	f.onlyFiles(filepath.Dir(f.files.Global), "allowlist-gate.json")
}

func TestWriteNewIsExclusive(t *testing.T) {
	f := newFixture(t).project("mine")
	if err := disk.WriteNew(f.files.Project, []byte("other"), 0o644); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v", err)
	}
	if got := f.read(f.files.Project); got != "mine" {
		t.Errorf("the file holds %q", got)
	}
}

func TestUnknownAgentFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, agent := range []string{"", "agent"} {
		r := NewLoader(agent).Load(t.TempDir(), policy.TrustedByPerson)
		if !r.Global.Invalid || len(allowed(r)) > 0 {
			t.Errorf("agent folder %q: %+v", agent, r.Global)
		}
		if _, err := NewLoader(agent).Save(t.TempDir(), []string{"shell:a"}); err == nil {
			t.Errorf("agent folder %q: saved", agent)
		}
	}
	left, err := os.ReadDir(".")
	if err != nil || len(left) > 0 {
		t.Errorf("the current folder holds %v (%v)", left, err)
	}
}

// onlyFiles fails the test unless the folder holds exactly the named files.
func (f *fixture) onlyFiles(dir string, want ...string) {
	f.t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		f.t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		f.t.Errorf("files in %s (-want +got):\n%s", filepath.Base(dir), diff)
	}
}
