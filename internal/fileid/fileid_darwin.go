package fileid

import (
	"io/fs"
	"syscall"
	"time"
)

// statusChange is when the file's status last changed, if the system tells.
func statusChange(info fs.FileInfo) (time.Time, bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return time.Time{}, false
	}
	return time.Unix(stat.Ctimespec.Unix()), true
}
