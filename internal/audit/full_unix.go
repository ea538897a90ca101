//go:build unix

package audit

import (
	"errors"
	"syscall"
)

// isFull reports an error of the system that more space would cure.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
