//go:build unix

package config

import (
	"os"
	"syscall"
)

// openFile opens a file for reading and does not wait for a writer when a named
// pipe has taken its place.
func openFile(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// openFolder opens a folder, and does not wait when a named pipe has taken its
// place.
func openFolder(path string) (*os.File, error) { return openFile(path) }

// busy reports an error that goes away when another process closes the file.
// There is none here.
func busy(error) bool { return false }
