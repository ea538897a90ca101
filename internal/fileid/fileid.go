// Package fileid tells whether a file is the one that was read before, without
// reading it again.
package fileid

import (
	"io/fs"
	"os"
	"time"
)

// ID is what a file looked like just before it was read: which file it was, its
// size and its times. The zero ID is the same as no file's. The time of the last
// write is not enough: a change within the tick of its clock leaves no trace. So
// an ID counts only when the file had been left alone for a while before it was
// read, and it includes the time of the last change of the file's status, which
// no program can set back.
type ID struct {
	info    fs.FileInfo
	changed time.Time
	settled bool
}

// quiet is how long a file must have been left alone. It is more than the
// coarsest clock of the usual file systems, the two seconds of FAT.
const quiet = 3 * time.Second

// Of looks at a file just before it is read, at the time now. On a system that
// does not keep when the status of a file changed, the ID is the same as no
// file's.
func Of(path string, now time.Time) ID {
	info, err := os.Stat(path)
	if err != nil {
		return ID{}
	}
	changed, known := statusChange(info)
	latest := changed
	if m := info.ModTime(); m.After(latest) {
		latest = m
	}
	return ID{info: info, changed: changed, settled: known && now.Sub(latest) > quiet}
}

// Same reports whether the file at path still is the one that was read.
func (id ID) Same(path string) bool {
	if !id.settled {
		return false
	}
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	changed, _ := statusChange(info)
	return os.SameFile(id.info, info) && info.Size() == id.info.Size() && info.ModTime().Equal(id.info.ModTime()) && changed.Equal(id.changed)
}
