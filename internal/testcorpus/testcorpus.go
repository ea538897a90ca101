// Package testcorpus finds the corpora that tests read where they are at hand: real
// command lines and recorded sessions, which are no part of the repository.
package testcorpus

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// Path is the path of a file or folder of the corpora: in the folder that
// PIGATE_CASES names, else in shared/cases beside the checkout. A test whose
// corpus is not there ends here. It fails where the folder was named on purpose or
// CI is true, and is skipped on a clone that has none.
func Path(t testing.TB, name string) string {
	t.Helper()
	path, there := Find(t, name)
	if !there {
		t.Skipf("no corpus at %s; PIGATE_CASES names the folder of the corpora", path)
	}
	return path
}

// Find is Path for a test that can do without the corpus: there is false where
// Path would skip the test.
func Find(t testing.TB, name string) (path string, there bool) {
	t.Helper()
	dir := os.Getenv("PIGATE_CASES")
	must := dir != ""
	if !must {
		dir = filepath.Join(filepath.Dir(checkout(t)), "shared", "cases")
		must, _ = strconv.ParseBool(os.Getenv("CI")) // another word is no CI
	}
	path = filepath.Join(dir, name)
	_, err := os.Stat(path)
	if err != nil && (must || !errors.Is(err, fs.ErrNotExist)) {
		t.Fatalf("corpus: %v", err)
	}
	return path, err == nil
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
