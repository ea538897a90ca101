package audit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/pigate/pigate/internal/audit/redact"
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
	// GatedOnly leaves entries out that may come later: those of calls which only
	// read.
	GatedOnly bool
	// Lenient says, for the record, that calls run although they could not be
	// recorded.
	Lenient bool
	// Masker makes what takes the secrets out of everything that is written, from
	// the key for its digests. Nil means package redact.
	Masker func(key []byte) Masker
	// Spare is a folder for the count of what could not be recorded while nothing
	// can be written beside the journal; "" is none.
	Spare string
	// Programs is where else programs take secrets; it may learn more while the
	// journal is open. Nil knows none. It is for package redact.
	Programs *redact.Programs
}

func (o Options) masker(k *key) Masker {
	seed := k.digest("secrets", "") // another key than the one of our own digests
	if o.Masker != nil {
		return o.Masker([]byte(seed))
	}
	return redact.New([]byte(seed)).Knowing(o.Programs)
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

	encoder atomic.Pointer[encoder] // nil until the key is known
	spare   struct {
		once sync.Once
		veil *veil
	}
	waiting queue
	missed  gapCounter

	turn    *semaphore.Weighted // of one: who writes holds it; it protects the rest
	conn    *connection         // nil until the first write and after a failure
	decided decisionSeqs
	done    bool
}

var _ gate.Recorder = (*Journal)(nil)

// NewJournal returns the journal at path without touching the file: the first
// write opens it, and creates it (mode 0600, in a folder of mode 0700) where it
// is missing.
func NewJournal(path string, options Options) *Journal {
	j := &Journal{path: path, options: options, turn: semaphore.NewWeighted(1)}
	j.missed.lenient = options.Lenient
	j.missed.folders = func() []slip { return newSlips(path, options.Spare) }
	return j
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

// Warm opens the journal, so that the first entry need not wait for it and for
// what masks secrets. An error comes again at the first entry.
func (j *Journal) Warm(ctx context.Context) {
	if n, err := j.encoding(ctx); err == nil {
		n.veil.name(ctx, "warm")
	}
}

// Record appends an entry and returns its sequence number once it is
// committed. It waits for other writers as long as the context allows, or
// about five seconds when the context has no deadline; a commit that has begun
// is finished even when the context ends.
//
// An entry that may come Later is committed with others a moment afterwards,
// and its number is 0. When that fails the entry is kept for the next attempt,
// and until one succeeds such entries are treated as the others are.
//
// Errors are of type *Error. After one the entry is, but for a failure in the
// very commit or a file taken away under it, not in the journal. What is not in
// it is counted, and a gap entry says so as soon as the journal works again.
func (j *Journal) Record(ctx context.Context, e *gate.Entry) (seq int64, err error) {
	if e.Later && j.options.GatedOnly && e.Kind != gate.KindAnswer {
		return 0, nil
	}
	ctx, cancel := bounded(ctx)
	defer cancel()
	n, err := j.encoding(ctx)
	if err != nil {
		j.missed.add(e.Kind, err)
		return 0, err
	}
	p, err := n.encode(ctx, e)
	if err != nil {
		err = &Error{Op: opAppend, Path: j.path, Err: err}
		j.missed.add(e.Kind, err)
		return 0, err
	}
	if e.Later && j.later(p) {
		return 0, nil
	}
	if seq, err = j.commit(ctx, p); err != nil {
		j.missed.add(e.Kind, err)
	}
	return seq, err
}

// Missed counts an entry that was not handed to Record, because of the error
// why, like one that Record failed to append.
func (j *Journal) Missed(e *gate.Entry, why error) {
	if e.Later && j.options.GatedOnly && e.Kind != gate.KindAnswer {
		return
	}
	j.missed.add(e.Kind, why)
}

const opAppend = "append to"

// HoldsSecret tells whether a text holds a secret, and says yes when it cannot
// tell.
func (j *Journal) HoldsSecret(ctx context.Context, text string) bool {
	ctx, cancel := bounded(ctx)
	defer cancel()
	n, err := j.encoding(ctx)
	return err != nil || n.veil.name(ctx, text) != text
}

// Masked is a text without its secrets, for a log.
func (j *Journal) Masked(ctx context.Context, text string) string {
	ctx, cancel := bounded(ctx)
	defer cancel()
	if n, err := j.encoding(ctx); err == nil {
		return n.veil.name(ctx, text)
	}
	// Without its key the journal masks with one of the moment.
	j.spare.once.Do(func() { j.spare.veil = newVeil(j.options.masker(newKey()), j.options.Programs) })
	return j.spare.veil.name(ctx, text)
}

// encoding returns the encoder, for which the journal has to be open: the key
// is made together with the file.
func (j *Journal) encoding(ctx context.Context) (*encoder, error) {
	if n := j.encoder.Load(); n != nil {
		return n, nil
	}
	err := j.write(ctx, "open", func(context.Context, *connection) error { return nil })
	if err != nil {
		return nil, err
	}
	return j.encoder.Load(), nil
}

// Policy stores the text of a policy under its digest, the SHA-256 of the text
// in hex. Storing one again does nothing and costs next to nothing.
func (j *Journal) Policy(ctx context.Context, digest string, body []byte) error {
	const op = "store the policy in"
	ctx, cancel := bounded(ctx)
	defer cancel()
	n, err := j.encoding(ctx)
	if err != nil {
		return err
	}
	if err := j.turn.Acquire(ctx, 1); err != nil {
		return &Error{Op: op, Path: j.path, Err: err}
	}
	defer j.turn.Release(1)
	if j.conn != nil && j.conn.policies[digest] {
		return nil
	}
	if sum := sha256.Sum256(body); hex.EncodeToString(sum[:]) != digest || !json.Valid(body) {
		return &Error{Op: op, Path: j.path, Err: fmt.Errorf("digest %q is not that of the policy", digest)}
	}
	p, err := n.policy(ctx, digest, body)
	if err != nil {
		return &Error{Op: op, Path: j.path, Err: err}
	}
	return j.locked(ctx, op, func(ctx context.Context, c *connection) error {
		return c.storePolicy(ctx, digest, p)
	})
}

// Close commits what is waiting, signs what was appended and closes the file.
// Later writes fail.
func (j *Journal) Close() error {
	_ = j.turn.Acquire(context.Background(), 1) // which never ends, so there is no error
	defer j.turn.Release(1)
	if j.done {
		return nil
	}
	ctx, cancel := bounded(context.Background())
	defer cancel()
	var err error
	own, found := j.missed.now()
	waits := j.waiting.any()
	if waits || own.Entries > 0 || len(found) > 0 {
		err = j.locked(ctx, opAppend, func(ctx context.Context, c *connection) error {
			_, err := j.appendAll(ctx, c, nil)
			return err
		})
	}
	if err != nil {
		for _, p := range j.waiting.all() {
			j.missed.add(p.kind, err)
		}
		if !waits {
			err = nil // each call has told of it; the next process does again
		}
	}
	j.missed.close()
	j.done = true
	if j.conn == nil {
		return err
	}
	j.conn.keeper.finish()
	if moved := j.conn.inPlace(); errors.Is(moved, errMoved) {
		j.conn.abandon(ctx, moved) // with what is in the log
	} else if closeErr := j.conn.close(); err == nil && closeErr != nil {
		err = &Error{Op: "close", Path: j.path, Err: closeErr}
	}
	j.conn = nil
	return err
}

func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, patience)
}

// write runs f on the connection when no other goroutine writes.
func (j *Journal) write(ctx context.Context, op string, f func(context.Context, *connection) error) error {
	ctx, cancel := bounded(ctx)
	defer cancel()
	if err := j.turn.Acquire(ctx, 1); err != nil {
		return &Error{Op: op, Path: j.path, Err: err}
	}
	defer j.turn.Release(1)
	return j.locked(ctx, op, f)
}

// locked runs f on a connection to the file that is at path, before and after:
// what was written to a file that has been taken away meanwhile does not
// count, but what was appended before the file was sealed does. The caller has
// the turn.
func (j *Journal) locked(ctx context.Context, op string, f func(context.Context, *connection) error) error {
	if j.done {
		return &Error{Op: op, Path: j.path, Err: errClosed}
	}
	var err error
	for range rotations {
		if err = j.attempt(ctx, op, f); !errors.Is(err, errSealed) {
			break
		}
	}
	if err != nil {
		return &Error{Op: op, Path: j.path, Err: err}
	}
	return nil
}

// rotations is how many sealed files in a row a write may meet; the context ends
// the wait long before, unless somebody rotates without pause.
const rotations = 64

func (j *Journal) attempt(ctx context.Context, op string, f func(context.Context, *connection) error) (err error) {
	if j.conn == nil {
		if j.conn, err = connect(ctx, j.path, j.options); err != nil {
			return err
		}
		j.missed.adopt(j.conn.slips)
		if n := j.encoder.Load(); n == nil || n.key.public != j.conn.key.public {
			j.encoder.Store(&encoder{key: j.conn.key, veil: newVeil(j.options.masker(j.conn.key), j.options.Programs)})
		}
	}
	committed := false
	if err = j.conn.inPlace(); err == nil {
		if err = f(ctx, j.conn); err == nil {
			err = j.conn.inPlace()
			committed = op == opAppend || op == opImport
		}
	}
	if errors.Is(err, errMoved) && j.conn.rotated(ctx) {
		err = errSealed // not taken away: it has become an older part of the journal
	}
	// Waiting in vain harms no connection.
	if err != nil && !errors.Is(err, errLocked) && j.conn.abandon(ctx, err) {
		j.conn = nil
	}
	if committed && errors.Is(err, errSealed) {
		return nil // nothing comes after a seal, so it came before, and must not come twice
	}
	return err
}
