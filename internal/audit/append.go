package audit

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// crowd is how many appends go the careful way after another process was seen
// to append in between.
const crowd = 16

// append commits entries, all or none, and returns the number of the first.
// finish is given each with its number before it is stored.
//
// One entry is one statement that relies on what was the last entry; the trigger
// in the file refuses it when that has changed. Otherwise, and for several, the
// last entry is looked up with the write lock held.
func (c *connection) append(ctx context.Context, list []*parts, finish func(p *parts, seq int64) *parts) (first int64, err error) {
	if len(list) == 1 && c.seq > 0 && c.crowded == 0 {
		seq, hash, err := c.add(ctx, c.seq, c.hash, finish(list[0], c.seq+1))
		if err == nil {
			c.seq, c.hash = seq, hash
			return seq, nil
		}
		if !isRefused(err, "not the next") {
			return 0, sealed(err)
		}
		c.crowded = crowd
	}
	err = c.transaction(ctx, func(ctx context.Context) error {
		seq, hash, err := c.lookUp(ctx)
		if err != nil {
			return err
		}
		if seq == c.seq && c.crowded > 0 {
			c.crowded--
		}
		first = seq + 1
		for _, p := range list {
			if seq, hash, err = c.add(ctx, seq, hash, finish(p, seq+1)); err != nil {
				return sealed(err)
			}
		}
		c.seq, c.hash = seq, hash
		return nil
	})
	if err != nil {
		c.seq = 0 // what was added is undone
	}
	return first, err
}

// lookUp finds the last entry of the file.
func (c *connection) lookUp(ctx context.Context) (seq int64, hash [hashSize]byte, err error) {
	var stored []byte
	err = c.last.QueryRowxContext(ctx).Scan(&seq, &stored)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, genesis, nil
	}
	copy(hash[:], stored)
	return seq, hash, err
}

// add inserts one entry behind the one given.
func (c *connection) add(ctx context.Context, seq int64, prev [hashSize]byte, p *parts) (int64, [hashSize]byte, error) {
	var commitment, salt []byte
	var body any
	if p.body != nil {
		salt = make([]byte, saltSize)
		if _, err := rand.Read(salt); err != nil {
			return 0, prev, err
		}
		sum := commit(c.room, salt, p.body)
		commitment, body = sum[:], string(p.body)
	}
	seq++
	hash := hashEntry(c.room, formatVersion, seq, prev[:], p.pub, commitment)
	err := c.patiently(ctx, func(ctx context.Context) error {
		_, err := c.insert.ExecContext(ctx, seq, formatVersion, prev[:], hash[:], commitment, string(p.pub), salt, body)
		return err
	})
	return seq, hash, err
}

// isRefused reports that a trigger of the file refused a statement with words.
func isRefused(err error, words string) bool {
	var s *sqlite.Error
	return errors.As(err, &s) && s.Code() == sqlite3.SQLITE_CONSTRAINT_TRIGGER && strings.Contains(s.Error(), words)
}

// sealed turns the refusal of a sealed file into errSealed.
func sealed(err error) error {
	if isRefused(err, "is sealed") {
		return errSealed
	}
	return err
}
