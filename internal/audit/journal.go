package audit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/pigate/pigate/internal/gate"
)

// Durability is what a committed entry survives.
type Durability int

const (
	// Power is the default: a committed entry survives a loss of power.
	Power Durability = iota
	// Process is quicker: a committed entry survives the end of any process,
	// but the last ones may be missing after a loss of power.
	Process
)

// Options are the choices a journal is opened with. The zero value is the
// default.
type Options struct {
	Durability Durability
}

// patience is how long a write waits for its turn when its context sets no
// deadline.
const patience = 5 * time.Second

// Journal appends entries to one file. It may be used by several goroutines,
// and several processes may append to the same file.
//
// A failure is no end: the next write opens the file again, so the journal
// works as soon as its disk does.
type Journal struct {
	path    string
	options Options

	turn chan struct{} // holds a token while somebody writes; guards the rest
	conn *connection   // nil until the first write and after a failure
	done bool
}

var _ gate.Recorder = (*Journal)(nil)

// NewJournal returns the journal at path without touching the file: the first
// write opens it, and creates it (mode 0600, in a folder of mode 0700) where it
// is missing.
func NewJournal(path string, options Options) *Journal {
	return &Journal{path: path, options: options, turn: make(chan struct{}, 1)}
}

// Open is NewJournal for who wants to know at once whether the file can be
// opened. The errors are those of Record.
func Open(ctx context.Context, path string, options Options) (*Journal, error) {
	j := NewJournal(path, options)
	err := j.write(ctx, "open", func(context.Context, *connection) error { return nil })
	if err != nil {
		return nil, err
	}
	return j, nil
}

// Path is the file, as it was given.
func (j *Journal) Path() string { return j.path }

// Record appends an entry and returns its sequence number once it is
// committed. It waits for other writers as long as the context allows, or
// about five seconds when the context has no deadline; a commit that has begun
// is finished even when the context ends.
//
// Errors are of type *Error. After one the entry is, but for a failure in the
// very commit or a file taken away under it, not in the journal.
func (j *Journal) Record(ctx context.Context, e *gate.Entry) (seq int64, err error) {
	body, err := encode(e)
	if err != nil {
		return 0, &Error{Op: "append to", Path: j.path, Err: err}
	}
	err = j.write(ctx, "append to", func(ctx context.Context, c *connection) (err error) {
		seq, err = c.append(ctx, body)
		return err
	})
	if err != nil {
		return 0, err
	}
	return seq, nil
}

// Policy stores the text of a policy under its digest, the SHA-256 of the text
// in hex. Storing one again does nothing and costs next to nothing.
func (j *Journal) Policy(ctx context.Context, digest string, body []byte) error {
	const op = "store the policy in"
	ctx, cancel := bounded(ctx)
	defer cancel()
	if err := j.acquire(ctx); err != nil {
		return &Error{Op: op, Path: j.path, Err: err}
	}
	defer j.release()
	if j.conn != nil && j.conn.policies[digest] {
		return nil
	}
	if sum := sha256.Sum256(body); hex.EncodeToString(sum[:]) != digest {
		return &Error{Op: op, Path: j.path, Err: fmt.Errorf("digest %q is not that of the policy", digest)}
	}
	return j.locked(ctx, op, func(ctx context.Context, c *connection) error {
		return c.storePolicy(ctx, digest, body)
	})
}

// Close closes the file. Later writes fail.
func (j *Journal) Close() error {
	j.turn <- struct{}{}
	defer j.release()
	j.done = true
	if j.conn == nil {
		return nil
	}
	err := j.conn.close()
	j.conn = nil
	if err != nil {
		return &Error{Op: "close", Path: j.path, Err: err}
	}
	return nil
}

func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, patience)
}

func (j *Journal) acquire(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case j.turn <- struct{}{}:
		return nil
	default:
	}
	select {
	case j.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (j *Journal) release() { <-j.turn }

// write runs f on the connection when no other goroutine writes.
func (j *Journal) write(ctx context.Context, op string, f func(context.Context, *connection) error) error {
	ctx, cancel := bounded(ctx)
	defer cancel()
	if err := j.acquire(ctx); err != nil {
		return &Error{Op: op, Path: j.path, Err: err}
	}
	defer j.release()
	return j.locked(ctx, op, f)
}

// locked runs f on a connection to the file that is at path, before and after:
// what was written to a file that has been taken away meanwhile does not
// count. The caller has the turn.
func (j *Journal) locked(ctx context.Context, op string, f func(context.Context, *connection) error) error {
	if j.done {
		return &Error{Op: op, Path: j.path, Err: errClosed}
	}
	var err error
	if j.conn == nil {
		if j.conn, err = connect(ctx, j.path, j.options); err != nil {
			return &Error{Op: op, Path: j.path, Err: err}
		}
	}
	if err = j.conn.inPlace(); err == nil {
		if err = f(ctx, j.conn); err == nil {
			err = j.conn.inPlace()
		}
	}
	if err == nil {
		return nil
	}
	// Waiting in vain harms no connection.
	if !errors.Is(err, errLocked) && j.conn.abandon(ctx, err) {
		j.conn = nil
	}
	return &Error{Op: op, Path: j.path, Err: err}
}
