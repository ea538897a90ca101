package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/natefinch/atomic"
)

// writeWhole writes a file whole or not at all. What is there and is no ordinary
// file, such as a device or a pipe, is written to and not replaced; of a link,
// the file that it leads to is.
func writeWhole(path string, text io.Reader) error {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(filepath.Dir(path)); err != nil {
			return err // it names the folder, and not a file beside the one that is asked for
		}
		return atomic.WriteFile(path, text)
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a folder", path)
	case info.Mode().IsRegular():
		return atomic.WriteFile(path, text)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, text)
	return errors.Join(err, f.Close())
}
