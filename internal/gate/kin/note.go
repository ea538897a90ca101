package kin

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// note is what a listening gate leaves for the sub-agents of its session.
type note struct {
	Socket string `json:"socket"`
	Secret string `json:"secret"`
	// Root is the project of the session, whose deny rules hold for its sub-agents.
	Root string `json:"root"`
}

// folder is where the notes lie.
func folder(agentDir string) string { return filepath.Join(agentDir, "pigate", "ask") }

// name is the name of a session's files, whatever its id holds.
func name(session string) string {
	sum := sha256.Sum256([]byte(session))
	return hex.EncodeToString(sum[:8])
}

func noteFile(agentDir, session string) string {
	return filepath.Join(folder(agentDir), name(session)+".json")
}

// private makes a folder that only the user can read, or refuses one that others
// can.
func private(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is no folder", dir)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s can be read by others", dir)
	}
	return nil
}

// errGone is the absence of a listening gate.
var errGone = errors.New("the session that began it is gone, or has no person")

// read reads the note of a session.
func read(agentDir, session string) (n note, err error) {
	data, err := os.ReadFile(noteFile(agentDir, session))
	if errors.Is(err, fs.ErrNotExist) {
		return n, errGone
	}
	if err == nil {
		err = json.Unmarshal(data, &n)
	}
	if err != nil {
		return n, fmt.Errorf("read how to ask in the session that began it: %w", err)
	}
	return n, nil
}

// write leaves the note, whole or not at all.
func (n note) write(file string) error {
	data, err := json.Marshal(n)
	if err != nil {
		return err
	}
	fresh := file + ".new"
	if err := os.WriteFile(fresh, data, 0o600); err != nil {
		return err
	}
	return os.Rename(fresh, file)
}

// newSecret is a text that nobody can guess.
func newSecret() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // it never fails
	return hex.EncodeToString(b[:])
}
