package disk

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/natefinch/atomic"
)

// Create makes a file that does not exist yet, whole or not at all, and
// never touches one that does: then it returns an error for which
// errors.Is(err, fs.ErrExist) holds. Several processes may try at once; one
// wins.
func Create(path string, body []byte, mode fs.FileMode) error {
	temp := beside(path)
	if err := WriteNew(temp, body, mode); err != nil {
		return err
	}
	err := os.Link(temp, path)
	_ = os.Remove(temp) // the file is there, or is about to be: nothing follows from this
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// A file system without hard links.
	return WriteNew(path, body, mode)
}

// Replace puts body in the place of an existing file, whole or not at all,
// and keeps the file's mode.
func Replace(path string, body []byte) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	temp := beside(path)
	if err := WriteNew(temp, body, 0o600); err != nil {
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

// WriteNew writes a file that must not exist, through to the disk. It leaves
// nothing behind when it fails.
func WriteNew(path string, body []byte, mode fs.FileMode) error {
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
