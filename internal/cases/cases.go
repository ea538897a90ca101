// Package cases finds the corpora that tests read where they are at hand: real
// command lines and recorded sessions, which are no part of the repository.
package cases

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Path is the path of a file or folder of the corpora: in the folder that
// PIGATE_CASES names, else in shared/cases beside the checkout. there is false
// where it is not beside the checkout, and the test's log says so; in a folder
// that was named on purpose it has to be.
func Path(t testing.TB, name string) (path string, there bool) {
	t.Helper()
	dir := os.Getenv("PIGATE_CASES")
	named := dir != ""
	if !named {
		dir = filepath.Join(filepath.Dir(checkout(t)), "shared", "cases")
	}
	path = filepath.Join(dir, name)
	_, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named:
		t.Logf("no corpus at %s", path)
		return "", false
	case err != nil:
		t.Fatalf("corpus: %v", err)
	}
	return path, true
}

// checkout is the folder of the module; a test runs in that of its package.
func checkout(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the tests")
		}
		dir = filepath.Dir(dir)
	}
}
