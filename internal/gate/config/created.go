package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pigate/pigate/internal/gate/config/disk"
)

// createdProjects are the projects whose file this program made. They are kept
// in the agent folder, where no repository reaches, by their folder, as Pi keeps
// the projects it trusts. The Loader's lock protects it.
type createdProjects struct {
	path    string
	body    []byte
	folders []string // what body says
}

// createdFile is the form of the file.
type createdFile struct {
	// Created are folders without symbolic links.
	Created []string `json:"created"`
}

const createdName = "projects.json"

func createdPath(agentDir string) string { return filepath.Join(agentDir, "pigate", createdName) }

// has looks at the file again. What cannot be read names no project.
func (c *createdProjects) has(root string) bool {
	body, err := disk.Read(c.path)
	if err != nil {
		return false
	}
	if c.body == nil || !bytes.Equal(body, c.body) {
		folders, err := readCreated(body)
		if err != nil {
			return false
		}
		c.body, c.folders = body, folders
	}
	if len(c.folders) == 0 {
		return false
	}
	folder, err := filepath.EvalSymlinks(root)
	return err == nil && hasFolder(c.folders, folder)
}

func readCreated(body []byte) ([]string, error) {
	var file createdFile
	if err := json.Unmarshal(body, &file); err != nil {
		return nil, fmt.Errorf("not valid JSON: %w", err)
	}
	return file.Created, nil
}

func hasFolder(folders []string, folder string) bool {
	return slices.ContainsFunc(folders, func(f string) bool {
		return f == folder || runtime.GOOS == "windows" && strings.EqualFold(f, folder)
	})
}

// remember adds a project to the file, whole or not at all, and returns what
// takes it out again if it was not there before.
func remember(agentDir, root string) (forget func() error, err error) {
	folder, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, err
	}
	if !utf8.ValidString(folder) {
		return nil, errors.New("the name of its folder is not UTF-8")
	}
	forget = func() error { return nil }
	err = changeCreated(agentDir, func(folders []string) []string {
		if hasFolder(folders, folder) {
			return folders
		}
		forget = func() error {
			return changeCreated(agentDir, func(folders []string) []string {
				return slices.DeleteFunc(folders, func(f string) bool { return f == folder })
			})
		}
		return append(folders, folder)
	})
	return forget, err
}

// changeCreated puts what change makes of the list in its place.
func changeCreated(agentDir string, change func(folders []string) []string) error {
	path := createdPath(agentDir)
	// The lock is named by no path, since the agent folder may have several.
	return disk.WithLock(agentDir, createdName, func() error {
		before, err := disk.Read(path)
		missing := errors.Is(err, fs.ErrNotExist)
		var folders []string
		if err == nil {
			folders, err = readCreated(before)
		}
		if err != nil && !missing {
			return fmt.Errorf("read %s: %s", path, disk.Cause(err))
		}
		after, err := json.MarshalIndent(createdFile{Created: change(folders)}, "", "  ")
		if err != nil {
			return err
		}
		after = append(after, '\n')
		switch {
		case bytes.Equal(before, after):
			return nil
		case missing:
			return disk.Create(path, after, 0o600)
		}
		return disk.Replace(path, after)
	})
}
