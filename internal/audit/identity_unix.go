//go:build unix

package audit

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// identity tells files apart, whatever they are called.
type identity struct{ device, inode uint64 }

// identify looks at a file by its name, two or four times for each append:
// os.Stat would take twice as long.
func identify(path string) (identity, error) {
	var s unix.Stat_t
	for {
		switch err := unix.Stat(path, &s); err {
		case nil:
			return identity{uint64(s.Dev), s.Ino}, nil //nolint:unconvert // its type differs between systems
		case unix.EINTR:
		default:
			return identity{}, &fs.PathError{Op: "stat", Path: path, Err: err}
		}
	}
}
