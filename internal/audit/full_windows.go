package audit

import (
	"errors"
	"syscall"
)

// The system's codes for a full disk, from winerror.h.
const (
	errorHandleDiskFull = syscall.Errno(39)
	errorDiskFull       = syscall.Errno(112)
)

// isFull reports an error of the system that more space would cure.
func isFull(err error) bool {
	return errors.Is(err, errorHandleDiskFull) || errors.Is(err, errorDiskFull)
}
