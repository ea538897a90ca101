//go:build unix

package config

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/gate/config/disk"
)

// TestStrangePlaces has what may stand where a configuration file should. None
// of it may hang, and none of it may allow.
func TestStrangePlaces(t *testing.T) {
	tests := []struct {
		name string
		make func(path string) error
		says string
	}{
		{"folder", func(p string) error { return os.Mkdir(p, 0o755) }, "it is a folder"},
		{"named pipe", func(p string) error { return syscall.Mkfifo(p, 0o644) }, "it is a named pipe"},
		{"device", func(p string) error { return os.Symlink("/dev/zero", p) }, "it is not an ordinary file"},
		{"too large", func(p string) error {
			if err := os.WriteFile(p, []byte("{}"), 0o644); err != nil {
				return err
			}
			return os.Truncate(p, disk.MaxSize+1)
		}, "it is larger than 4 MiB"},
		{"dangling link", func(p string) error { return os.Symlink("nowhere", p) }, "it is a link to a file that does not exist"},
		{"link to itself", func(p string) error { return os.Symlink(filepath.Base(p), p) }, "too many levels of symbolic links"},
		{"folder is a file", func(p string) error {
			if err := os.Remove(filepath.Dir(p)); err != nil {
				return err
			}
			return os.WriteFile(filepath.Dir(p), nil, 0o644)
		}, "not a directory"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, global := range []bool{false, true} {
				f := newFixture(t)
				path := f.files.Project
				if global {
					path = f.files.Global
				} else {
					f.global(`{"allow":["shell:a"],"deny":["shell:g"]}`)
				}
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := tt.make(path); err != nil {
					t.Fatal(err)
				}
				r := f.load()
				state := r.Project
				if global {
					state = r.Global
				}
				if !state.Found || !state.Invalid || !strings.Contains(state.Err, tt.says) {
					t.Errorf("global %t: %+v", global, state)
				}
				if got := allowed(r); len(got) > 0 {
					t.Errorf("global %t: it allows %q", global, got)
				}
				if saved, err := f.loader.Save(f.root, []string{"shell:new"}); err == nil || len(saved) > 0 {
					t.Errorf("global %t: saved %q", global, saved)
				}
			}
		})
	}
}

// TestOpenDoesNotWait: a pipe may take the file's place after it was looked at.
func TestOpenDoesNotWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		t.Fatal(err)
	}
	pipe, err := disk.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := pipe.Close(); err != nil {
		t.Error(err)
	}
}

func TestSaveFollowsLinks(t *testing.T) {
	f := newFixture(t)
	real := filepath.Join(f.root, "shared.json")
	f.write(real, `{"allow":[]}`)
	if err := os.Mkdir(filepath.Dir(f.files.Project), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../shared.json", f.files.Project); err != nil {
		t.Fatal(err)
	}
	if _, err := f.loader.Save(f.root, []string{"shell:new"}); err != nil {
		t.Fatal(err)
	}
	if got := f.read(real); got != `{"allow":["shell:new"]}` {
		t.Errorf("the file behind the link holds %s", got)
	}
	if to, err := os.Readlink(f.files.Project); err != nil || to != "../shared.json" {
		t.Errorf("the link leads to %q (%v)", to, err)
	}
}

func TestSaveNeverChangesTheGlobalFile(t *testing.T) {
	const text = `{"allow":[]}`
	for name, link := range map[string]func(f *fixture) error{
		"file": func(f *fixture) error {
			if err := os.Mkdir(filepath.Dir(f.files.Project), 0o755); err != nil {
				return err
			}
			return os.Symlink(f.files.Global, f.files.Project)
		},
		"hard link": func(f *fixture) error {
			if err := os.Mkdir(filepath.Dir(f.files.Project), 0o755); err != nil {
				return err
			}
			return os.Link(f.files.Global, f.files.Project)
		},
		"folder": func(f *fixture) error { return os.Symlink(filepath.Dir(f.files.Global), filepath.Dir(f.files.Project)) },
	} {
		f := newFixture(t).global(text)
		if err := link(f); err != nil {
			t.Fatal(err)
		}
		if _, err := f.loader.Save(f.root, []string{"shell:new"}); err == nil {
			t.Errorf("%s: saved", name)
		}
		if diff := cmp.Diff(text, f.read(f.files.Global)); diff != "" {
			t.Errorf("%s: the global file changed (-want +got):\n%s", name, diff)
		}
	}
}

func TestSaveKeepsTheMode(t *testing.T) {
	f := newFixture(t).project(`{"allow":[]}`)
	if err := os.Chmod(f.files.Project, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := f.loader.Save(f.root, []string{"shell:new"}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(f.files.Project); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v (%v)", info.Mode(), err)
	}
}
