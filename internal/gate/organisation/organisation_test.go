//go:build unix

package organisation_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/organisation"
)

func TestWhoMayWrite(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	top := filepath.Join(dir, "etc")
	folder := filepath.Join(top, "pigate")
	file := filepath.Join(folder, "policy.json")
	own := organisation.Place{Path: file, Owner: os.Getuid(), Top: top}
	find := func(p organisation.Place) string {
		t.Helper()
		organisation.UseForTests(p)
		_, found, why := organisation.Find()
		if !found {
			return "missing"
		}
		return why
	}
	if got := find(own); got != "missing" {
		t.Errorf("no file: %q", got)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := find(own); got != "" {
		t.Errorf("a good file: %q", got)
	}
	for path, mode := range map[string]os.FileMode{file: 0o664, folder: 0o775, top: 0o777} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if got := find(own); !strings.Contains(got, path+" can be written by others than root") {
			t.Errorf("%s with mode %o: %q", path, mode, got)
		}
		if err := os.Chmod(path, info.Mode()); err != nil {
			t.Fatal(err)
		}
	}
	other := own
	other.Owner++
	if got := find(other); !strings.Contains(got, "does not belong to root") {
		t.Errorf("another's file: %q", got)
	}

	// A link of the owner's leads to where others write.
	elsewhere := filepath.Join(dir, "elsewhere")
	if err := os.Rename(file, elsewhere); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(elsewhere, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, file); err != nil {
		t.Fatal(err)
	}
	if got := find(own); !strings.Contains(got, "can be written by others than root") {
		t.Errorf("a link: %q", got)
	}
}
