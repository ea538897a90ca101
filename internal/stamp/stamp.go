// Package stamp tells whether a file is the one that was read before, without
// reading it again.
package stamp

import (
	"io/fs"
	"os"
	"time"
)

// Stamp is what a file looked like just before it was read. The zero Stamp is
// the same as nothing. The file's own clock is not enough: a change within the tick of
// that clock leaves no trace. So a stamp counts only when the file had been
// left alone for a while before it was read, and it includes the time of the
// last change of the file's status, which no program can set back.
type Stamp struct {
	info    fs.FileInfo
	changed time.Time
	settled bool
}

// quiet is how long a file must have been left alone. It is more than the
// coarsest clock of the usual file systems, the two seconds of FAT.
const quiet = 3 * time.Second

// Of looks at a file just before it is read, at the time now. It never settles where the
// system does not tell when the status of a file changed.
func Of(path string, now time.Time) Stamp {
	info, err := os.Stat(path)
	if err != nil {
		return Stamp{}
	}
	changed, known := statusChange(info)
	latest := changed
	if m := info.ModTime(); m.After(latest) {
		latest = m
	}
	return Stamp{info: info, changed: changed, settled: known && now.Sub(latest) > quiet}
}

// Same reports that what was read under the stamp is still what stands there.
func (s Stamp) Same(path string) bool {
	if !s.settled {
		return false
	}
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	changed, _ := statusChange(info)
	return os.SameFile(s.info, info) && info.Size() == s.info.Size() && info.ModTime().Equal(s.info.ModTime()) && changed.Equal(s.changed)
}
