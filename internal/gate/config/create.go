package config

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/natefinch/atomic"

	"github.com/pigate/pigate/internal/gate/rule"
)

// createFile makes a file that does not exist yet, whole or not at all, and
// never touches one that does: then it returns an error for which
// errors.Is(err, fs.ErrExist) holds. Several processes may try at once; one
// wins.
func createFile(path string, body []byte, mode fs.FileMode) error {
	temp := beside(path)
	if err := writeNew(temp, body, mode); err != nil {
		return err
	}
	err := os.Link(temp, path)
	_ = os.Remove(temp) // the file is there, or is about to be: nothing follows from this
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// A file system without hard links.
	return writeNew(path, body, mode)
}

// replaceFile puts body in the place of an existing file, whole or not at all,
// and keeps the file's mode.
func replaceFile(path string, body []byte) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	temp := beside(path)
	if err := writeNew(temp, body, 0o600); err != nil {
		return err
	}
	err = os.Chmod(temp, info.Mode().Perm())
	if err == nil {
		err = whileBusy(func() error { return atomic.ReplaceFile(temp, path) })
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return nil
}

// beside returns a name in the folder of path that nothing has.
func beside(path string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text()+".tmp")
}

// whileBusy tries again for a moment while another process has the file open
// in a way that Windows does not let two have at once.
func whileBusy(try func() error) error {
	for tries := 1; ; tries++ {
		err := try()
		if err == nil || tries == maxTries || !busy(err) {
			return err
		}
		time.Sleep(tryPause)
	}
}

const (
	maxTries = 40
	tryPause = 5 * time.Millisecond
)

// writeNew writes a file that must not exist, through to the disk. It leaves
// nothing behind when it fails.
func writeNew(path string, body []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(body)
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// seed writes the global file with the defaults, unless there is one.
func seed(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("create folder: %w", err)
	}
	enabled := true
	if err := createFile(path, render(&enabled, *builtIn().allow, []rule.Rule{}, nil), 0o600); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
