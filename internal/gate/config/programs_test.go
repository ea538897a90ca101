package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/policy"
)

// programs are the folders with files about programs of a fixture.
func (f *fixture) programs() (own, project string) { return ProgramsOf(f.agent, f.root) }

func TestPrograms(t *testing.T) {
	f := newFixture(t)
	own, project := f.programs()
	none := f.load()
	if none.Policy.Settings.Programs != nil || none.Policy.Settings.Broken != "" || len(none.Taught) != 0 {
		t.Fatalf("without files: %+v", none.Policy.Settings)
	}
	f.write(filepath.Join(own, "zap.toml"), "[zapctl]\n").write(filepath.Join(own, "README.md"), "x").write(filepath.Join(own, ".zap.toml"), "x")
	f.write(filepath.Join(project, "wig.toml"), "[wigctl]\n")
	for _, trust := range []policy.Trust{policy.Untrusted, policy.TrustedByHost, policy.TrustedByPerson} {
		r := f.loader.Load(f.root, trust)
		known := r.Policy.Settings.Programs
		if known == nil || known.Own().Lookup("zapctl") == nil || known.Own().Lookup("wigctl") != nil || known.Full().Lookup("wigctl") == nil {
			t.Fatalf("the files do not count: %v", r.Taught)
		}
		if r.Policy.Digest() == none.Policy.Digest() || len(r.Warnings) > 1 {
			t.Errorf("warnings: %v", r.Warnings)
		}
	}
	// The same content keeps the policy; a change counts at the next call.
	before := f.load().Policy
	if f.load().Policy != before {
		t.Error("the policy is made anew though nothing has changed")
	}
	f.write(filepath.Join(own, "zap.toml"), "[zapctl]\ndepth = 1\n")
	if p := f.load().Policy; p == before || p.Settings.Programs.Own().Lookup("zapctl").Depth != 1 {
		t.Error("a changed file does not count")
	}
	if err := os.Remove(filepath.Join(own, "zap.toml")); err != nil {
		t.Fatal(err)
	}
	if f.load().Policy.Settings.Programs.Own().Lookup("zapctl") != nil {
		t.Error("a file that is gone counts")
	}
	if err := os.RemoveAll(project); err != nil {
		t.Fatal(err)
	}
	if f.load().Policy.Digest() != none.Policy.Digest() {
		t.Error("without files the policy is not as it was")
	}
}

// TestBrokenPrograms: what is wrong is said once with file and line, and what was
// known before still counts.
func TestBrokenPrograms(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(f *fixture, path string)
		want  string
	}{
		"unknown field": {func(f *fixture, path string) { f.write(path, "[zapctl]\nx = 1\n") }, "zap.toml:2: zapctl: unknown field \"x\""},
		"no TOML":       {func(f *fixture, path string) { f.write(path, "zapctl:\n") }, "zap.toml:1: "},
		"too large":     {func(f *fixture, path string) { f.write(path, strings.Repeat("#", maxProgramSize+1)) }, "zap.toml: the file cannot be read: it is larger than 1 MiB"},
		"a folder":      {func(f *fixture, path string) { f.write(filepath.Join(path, "x"), "") }, "zap.toml: the file cannot be read: it is a folder"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			own, _ := f.programs()
			path := filepath.Join(own, "zap.toml")
			f.write(path, "[zapctl]\ndepth = 1\n").write(filepath.Join(own, "wig.toml"), "[wigctl]\n").load()
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			c.spoil(f, path)
			r := f.load()
			if len(r.New) != 1 || !strings.Contains(r.New[0].String(), c.want) || !strings.Contains(r.New[0].String(), "until it is mended or taken away") {
				t.Errorf("warnings: %v", r.New)
			}
			if len(f.load().New) != 0 || len(r.BrokenPrograms) != 1 {
				t.Error("the warning is not given once")
			}
			s := r.Policy.Settings
			if !strings.Contains(s.Broken, c.want) || strings.Contains(s.Broken, "until it is") {
				t.Errorf("a verdict would say %q", s.Broken)
			}
			if s.Programs.Own().Lookup("zapctl") == nil || s.Programs.Own().Lookup("wigctl") == nil {
				t.Error("what was known is lost")
			}
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
			if r := f.load(); r.Policy.Settings.Broken != "" || r.Policy.Settings.Programs.Own().Lookup("zapctl") != nil {
				t.Errorf("after the file is gone: %+v", r.Policy.Settings)
			}
		})
	}
}

func TestProgramsFolder(t *testing.T) {
	f := newFixture(t)
	_, project := f.programs()
	f.write(project, "x")
	if r := f.load(); !strings.Contains(r.Policy.Settings.Broken, ".pi/pigate/programs: the folder cannot be read: it is no folder") {
		t.Errorf("a file in the place of the folder: %q", r.Policy.Settings.Broken)
	}
	if err := os.Remove(project); err != nil {
		t.Fatal(err)
	}
	for i := range maxPrograms + 1 {
		f.write(filepath.Join(project, fmt.Sprintf("x%d", i)), "")
	}
	if r := f.load(); !strings.Contains(r.Policy.Settings.Broken, "it holds more than 1000 files") {
		t.Errorf("too many files: %q", r.Policy.Settings.Broken)
	}
	if err := os.RemoveAll(project); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(project, 0o755); err != nil {
		t.Fatal(err)
	}
	if r := f.load(); r.Policy.Settings.Broken != "" {
		t.Errorf("an empty folder: %q", r.Policy.Settings.Broken)
	}
	if err := os.Remove(project); err != nil {
		t.Fatal(err)
	}
	if os.Symlink(filepath.Join(f.root, "nowhere"), project) == nil {
		if r := f.load(); !strings.Contains(r.Policy.Settings.Broken, "a link to a folder that does not exist") {
			t.Errorf("a link that leads nowhere: %q", r.Policy.Settings.Broken)
		}
	}
}
