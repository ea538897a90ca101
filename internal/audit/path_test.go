package audit_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
)

func TestModes(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	dir := filepath.Join(t.TempDir(), "pigate")
	path := filepath.Join(dir, "journal.db")
	j := open(t, path)
	record(t, j, decision("s", "c", "x"))
	check := func(name string, want fs.FileMode) {
		t.Helper()
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o", name, info.Mode().Perm(), want)
		}
	}
	check(dir, 0o700)
	for _, suffix := range []string{"", "-wal", "-shm", ".lock"} {
		check(path+suffix, 0o600)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"", "-wal", "-shm", ".lock"} {
		if err := os.Chmod(path+suffix, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	open(t, path)
	for _, suffix := range []string{"", "-wal", "-shm", ".lock"} {
		check(path+suffix, 0o600)
	}
}

func TestAwkwardPaths(t *testing.T) {
	t.Parallel()
	names := []string{"with space.db", "a#b.db", "a%41b.db", "a+b&c=d.db", "ü ☃.db", "a;b,c.db", "file:x.db"}
	if runtime.GOOS != "windows" {
		names = append(names, "what?mode=memory.db", "back\\slash.db", "colon:.db", "new\nline.db", "\xff.db", `quote"'.db`)
	}
	for _, name := range names {
		if runtime.GOOS == "windows" && strings.Contains(name, ":") || runtime.GOOS == "darwin" && name == "\xff.db" {
			continue // the system has no such names
		}
		dir := filepath.Join(t.TempDir(), strings.TrimSuffix(name, ".db"))
		path := filepath.Join(dir, name)
		j := open(t, path)
		record(t, j, decision("s", "c", "x"))
		if got := len(audittest.Rows(t, path)); got != 1 {
			t.Errorf("%q: %d rows", name, got)
		}
		if err := j.Close(); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if !strings.HasPrefix(f.Name(), name) {
				t.Errorf("%q: stray file %q", name, f.Name())
			}
		}
	}
}

// A relative path and a link name the same journal as the absolute one.
func TestSameFileByOtherNames(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("making links takes a privilege on Windows")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	real, link := filepath.Join(dir, "real", "journal.db"), filepath.Join(dir, "link.db")
	a := open(t, filepath.Join("real", "journal.db"))
	record(t, a, decision("s", "c", "relative"))
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	b := open(t, link)
	if seq := record(t, b, decision("s", "c", "link")); seq != 2 {
		t.Errorf("through the link the next entry is %d, want 2", seq)
	}
	if got := len(audittest.Rows(t, link)); got != 2 {
		t.Errorf("%d rows through the link", got)
	}
	if err := os.Symlink(filepath.Join(dir, "nowhere", "x.db"), filepath.Join(dir, "dangling.db")); err != nil {
		t.Fatal(err)
	}
	if _, err := audit.Open(t.Context(), filepath.Join(dir, "dangling.db"), audittest.Options()); err == nil {
		t.Error("a link that leads nowhere was followed")
	}
}
