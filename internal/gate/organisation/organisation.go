// Package organisation finds the policy that an organisation has put on a
// machine, and tells whether it can be relied upon: only a file that nobody but
// an administrator can have written counts.
package organisation

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Place says where the file is and whose it must be.
type Place struct {
	// Path is the file, absolute.
	Path string
	// Owner is the user that it and its folders belong to, where users have numbers.
	Owner int
	// Top is the folder up to which the folders above it are looked at; "" is the
	// root.
	Top string
}

// place is where this process looks. No flag and no variable moves it: what a user
// can move is no floor.
var place = system()

// Path is where the organisation's file is, or would be.
func Path() string { return place.Path }

// UseForTests has the process look elsewhere. It is for the main function of
// tests, which no user runs, and is called before anything else.
func UseForTests(p Place) { place = p }

// Find looks for the file. Why says why one that is there does not count, "" for
// one that does.
func Find() (path string, found bool, why string) {
	path = place.Path
	if path == "" {
		return "", false, ""
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return path, false, ""
	}
	err := place.trust(path)
	if real, linkErr := filepath.EvalSymlinks(path); err == nil && linkErr == nil && real != path {
		err = place.trust(real)
	}
	if err != nil {
		return path, true, err.Error()
	}
	return path, true, ""
}

// trust checks the file and the folders above it.
func (p Place) trust(path string) error {
	for at := path; ; at = filepath.Dir(at) {
		if err := p.kept(at, at != path); err != nil {
			return fmt.Errorf("%s %w", at, err)
		}
		if at == p.Top || at == filepath.Dir(at) {
			return nil
		}
	}
}
