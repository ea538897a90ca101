package transcript

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// File is a session file on disk.
type File struct {
	Source Source
	Path   string
	// Size is in bytes, when it was found.
	Size int64
}

var errNoRegular = errors.New("it is not a regular file")

// Endings are those of session files; Codex compresses old ones.
var Endings = []string{".jsonl", ".jsonl" + compressed}

// Find lists the session files of one program: the file at path, whatever it is
// called, or the files beneath the folder at path that have one of the Endings,
// ordered by their names, which begin with the time in most programs: so a session
// comes before its forks. Codex moves sessions out of its folder "sessions" into
// "archived_sessions" beside it; who names the one or the folder around them means
// both, and none of its other files. Links to folders are not followed, so that no
// loop can be met; those to files are. Problems are what could not be looked at;
// err means that there is nothing at path.
func Find(source Source, path string) (list []File, problems []error, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.IsDir() {
		if !info.Mode().IsRegular() {
			return nil, nil, fmt.Errorf("%s: %w", path, errNoRegular)
		}
		return []File{{source, path, info.Size()}}, nil, nil
	}
	for _, root := range folders(source, path) {
		found, unfound, walkErr := below(source, root)
		list, problems, err = append(list, found...), append(problems, unfound...), errors.Join(err, walkErr)
	}
	slices.SortFunc(list, func(a, b File) int {
		return cmp.Or(strings.Compare(filepath.Base(a.Path), filepath.Base(b.Path)), strings.Compare(a.Path, b.Path))
	})
	return list, problems, err
}

// folders are those that somebody who names one means.
func folders(source Source, path string) []string {
	if source != Codex {
		return []string{path}
	}
	const live, archived = "sessions", "archived_sessions"
	parent := path
	if filepath.Base(path) == live {
		parent = filepath.Dir(path)
	}
	var list []string
	for _, name := range []string{live, archived} {
		if info, err := os.Stat(filepath.Join(parent, name)); err == nil && info.IsDir() {
			list = append(list, filepath.Join(parent, name))
		}
	}
	if list == nil {
		return []string{path}
	}
	return list
}

// below lists the session files beneath a folder.
func below(source Source, folder string) (list []File, problems []error, err error) {
	root, err := filepath.EvalSymlinks(folder) // WalkDir does not enter a link
	if err != nil {
		return nil, nil, err
	}
	err = filepath.WalkDir(root, func(at string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			problems = append(problems, err)
			if entry != nil && entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir() || !slices.ContainsFunc(Endings, func(end string) bool { return strings.HasSuffix(at, end) }):
			return nil
		}
		info, err := os.Stat(at)
		if err == nil && !info.Mode().IsRegular() {
			err = fmt.Errorf("%s: %w", at, errNoRegular)
		}
		if err != nil {
			problems = append(problems, err)
			return nil
		}
		list = append(list, File{source, at, info.Size()})
		return nil
	})
	return list, problems, err
}

// Open opens the file for reading. Anything but a regular file is refused
// without waiting for it, even if it took the file's place a moment ago.
func (f File) Open() (*os.File, error) {
	r, err := os.OpenFile(f.Path, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, err
	}
	info, err := r.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: %w", f.Path, errNoRegular)
	}
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}
