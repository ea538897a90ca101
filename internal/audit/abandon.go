package audit

import (
	"context"
	"errors"
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
	switch {
	case file != nil:
		_ = c.close()
		if log == nil {
			_ = c.place.removeCompanions() // the next opening meets what is wrong
		}
	case log != nil && !exists(c.place.path+logSuffix):
		// Only the log is gone. We still have it, and nobody has started another.
		if !c.rescue(ctx) {
			return false
		}
		_ = c.close()
	case log != nil:
		// Somebody has started another log for the same file. The connection
		// stays open, unused, because closing it could merge the old log into the
		// file over the new one.
	default:
		_ = c.close() // all is in place again
	}
	return true
}

// rescue brings everything in the log into the file and restarts the log, which
// takes that nobody is reading it.
func (c *connection) rescue(ctx context.Context) bool {
	var busy, pages, merged int
	row := c.conn.QueryRowxContext(context.WithoutCancel(ctx), "PRAGMA wal_checkpoint(RESTART)")
	return row.Scan(&busy, &pages, &merged) == nil && busy == 0
}
