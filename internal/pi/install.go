// Package pi knows how Pi finds its extensions: it puts pigate's extension into
// a folder of Pi's, names it in settings.json as `pi install ./dir` would, looks
// for what else is installed there, and whether Pi's trust in a project is a
// person's decision. It is the only package that writes Pi's own files.
package pi

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

// Source is how settings.json names the extension, relative to its folder.
const Source = "pigate/extension"

// Scope is one place that Pi reads settings and extensions from.
type Scope struct {
	// Dir is the folder of settings.json: the agent dir, or <project>/.pi.
	Dir string
	// Project reports that it is a project's.
	Project bool
}

// User is the scope of everything the user starts.
func User(agentDir string) Scope { return Scope{Dir: agentDir} }

// Project is the scope of one project, which Pi reads once it is trusted.
func Project(root string) Scope { return Scope{Dir: filepath.Join(root, ".pi"), Project: true} }

// Settings is the path of the scope's settings.json.
func (s Scope) Settings() string { return filepath.Join(s.Dir, "settings.json") }

// Extension is the folder the extension is put into.
func (s Scope) Extension() string { return filepath.Join(s.Dir, filepath.FromSlash(Source)) }

// Install writes the extension's files, links the binary beside them so that
// the extension finds it without PATH (in a project with a .gitignore, because
// the link is good on this machine only), and names the folder in settings.json.
// It may be repeated: files are brought up to date and nothing is named twice.
// changed reports whether settings.json was changed. binary may be "".
//
// A settings.json that is no JSON object is left as it is and is an error.
func Install(s Scope, files fs.FS, binary string) (changed bool, err error) {
	settings, err := readSettings(s.Settings())
	if err != nil {
		return false, err // before anything is written
	}
	if err := writeFiles(s.Extension(), files); err != nil {
		return false, fmt.Errorf("install extension: %w", err)
	}
	if s.Project {
		if err := os.WriteFile(filepath.Join(s.Extension(), ".gitignore"), []byte("/pigate\n/pigate.exe\n"), 0o600); err != nil {
			return false, fmt.Errorf("install extension: %w", err)
		}
	}
	if binary != "" {
		if err := linkBinary(s.Extension(), binary); err != nil {
			return false, fmt.Errorf("link the binary beside the extension: %w", err)
		}
	}
	if slices.Contains(settings.sources(), Source) {
		return false, nil
	}
	return true, settings.add(Source)
}

// Uninstall takes the extension out of settings.json and removes its folder.
// found reports whether there was anything to remove. The journal and the
// configuration stay.
func Uninstall(s Scope) (found bool, err error) {
	settings, err := readSettings(s.Settings())
	if err != nil {
		return false, err
	}
	if slices.Contains(settings.sources(), Source) {
		found = true
		if err := settings.remove(Source); err != nil {
			return found, err
		}
	}
	if _, err := os.Stat(s.Extension()); err == nil {
		found = true
	}
	if err := os.RemoveAll(s.Extension()); err != nil {
		return found, fmt.Errorf("remove extension: %w", err)
	}
	// The folder above also holds the journal; it goes only when it is empty.
	_ = os.Remove(filepath.Dir(s.Extension()))
	return found, nil
}

// writeFiles makes dir hold exactly files: the new folder is complete before it
// takes the old one's place.
func writeFiles(dir string, files fs.FS) error {
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(parent, ".extension-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	if err := os.CopyFS(filepath.Join(fresh, "new"), files); err != nil {
		return err
	}
	old := filepath.Join(fresh, "old")
	if err := os.Rename(dir, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(filepath.Join(fresh, "new"), dir); err != nil {
		return errors.Join(err, os.Rename(old, dir))
	}
	return nil
}

// linkBinary puts a symbolic link to the binary, or a copy where there are no
// links, into dir.
func linkBinary(dir, binary string) error {
	if runtime.GOOS != "windows" {
		return os.Symlink(binary, filepath.Join(dir, "pigate"))
	}
	body, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "pigate.exe"), body, 0o700)
}
