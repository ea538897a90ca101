package audit

import (
	"context"
	"errors"
	"os"
)

// abandon parts from a connection after the failure why. It returns false when
// that has to wait: then the next write meets the same failure and tries again.
func (c *connection) abandon(ctx context.Context, why error) bool {
	if !errors.Is(why, errMoved) {
		_ = c.close() // it failed already
		return true
	}
	unlock, err := c.place.lock(ctx)
	if err != nil {
		// Without the folder there is nothing to be careful with.
		if c.place.isThere() {
			return false
		}
		_ = c.close()
		return true
	}
	defer unlock()
	return c.leave(ctx)
}

// leave parts from files of which some were taken away, under the lock, so that
// no part of the old journal is taken for one of the new. SQLite itself neither
// merges the log into a file that has another name now, nor, as configure
// arranges, deletes anything.
func (c *connection) leave(ctx context.Context) bool {
	if c.place.log == nil {
		_ = c.close() // all that there is has been in the file
		return true
	}
	file, log := still(c.place.named, c.place.file), still(c.place.path+logSuffix, c.place.log)
	memory := c.memory.current(c.place)
	switch {
	case file != nil:
		merged := c.merged(ctx)
		c.memory.clear()
		_ = c.close()
		switch {
		case !merged: // who begins the next file keeps the log
		case log == nil:
			_ = c.place.removeCompanions() // the next opening meets what is wrong
		default:
			c.place.dropKept(c.place.log)
		}
	case log != nil && exists(c.place.path+logSuffix) || !memory && exists(c.place.path+indexSuffix):
		// Somebody has started another log or another memory for the same file. The
		// connection stays open, unused, because closing it could merge the old log
		// into the file over the new one.
	case log != nil || !memory:
		// One is gone. We still have it, and nobody has started another.
		if !c.rescue(ctx) {
			return false
		}
		if memory {
			beginLog(c.place.path + logSuffix)
		} else {
			c.memory.clear()
		}
		_ = c.close()
	default:
		_ = c.close() // all is in place again
	}
	return true
}

// beginLog makes an empty file, which says that a removed log was saved.
func beginLog(path string) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_ = f.Close() // nothing was written
	}
}

// rescue brings everything in the log into the file and restarts the log, which
// takes that nobody is reading it.
func (c *connection) rescue(ctx context.Context) bool {
	var busy, pages, merged int
	row := c.conn.QueryRowxContext(context.WithoutCancel(ctx), "PRAGMA wal_checkpoint(RESTART)")
	return row.Scan(&busy, &pages, &merged) == nil && busy == 0
}

// merged brings everything in the log into the file, wherever that is now.
func (c *connection) merged(ctx context.Context) bool {
	var busy, pages, merged int
	row := c.conn.QueryRowxContext(context.WithoutCancel(ctx), "PRAGMA wal_checkpoint(RESTART)")
	return row.Scan(&busy, &pages, &merged) == nil && pages == merged
}
