//go:build unix

package organisation

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

func system() Place { return Place{Path: "/etc/pigate/policy.json"} }

// kept reports, as an error, who else than the owner may write at a path. Of a
// symbolic link the mode means nothing.
func (p Place) kept(path string, _ bool) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok:
		return errors.New("tells no owner")
	case int(stat.Uid) != p.Owner:
		return errors.New("does not belong to root")
	case info.Mode()&fs.ModeSymlink == 0 && info.Mode().Perm()&0o022 != 0:
		return errors.New("can be written by others than root")
	}
	return nil
}
