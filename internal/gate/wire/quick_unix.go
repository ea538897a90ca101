//go:build unix

package wire

import (
	"os"
	"syscall"
)

// nonblocking reopens the descriptor for the poller, nil when that cannot be.
func nonblocking(f *os.File) *os.File {
	fd := f.Fd()
	if syscall.SetNonblock(int(fd), true) != nil {
		return nil
	}
	return os.NewFile(fd, f.Name())
}
