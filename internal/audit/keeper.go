package audit

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/pigate/pigate/internal/gate"
)

// checkpointSuffix names the file of signed checkpoints beside a journal.
const checkpointSuffix = ".checkpoints"

// Interval is how many entries there are between two signed checkpoints.
const Interval = 256

// keeper does what must not delay a call, on a goroutine and a connection of
// its own: it signs checkpoints and brings the write-ahead log into the file.
type keeper struct {
	place   place
	key     *key
	options Options
	logging bool

	wake chan struct{} // holds a token while there is something to do
	quit context.CancelFunc
	done chan struct{} // closed when the goroutine has ended; nil before it began
	err  error         // of the last round; read once done is closed
	last int64         // the last entry that the journal appended

	unpublished []byte // a checkpoint that is in the journal and not in the file of checkpoints
}

func newKeeper(p place, k *key, o Options, logging bool) *keeper {
	return &keeper{place: p, key: k, options: o, logging: logging, wake: make(chan struct{}, 1)}
}

// appended tells what was committed. The caller has the journal's turn.
func (k *keeper) appended(first, last int64, p *parts) {
	k.last = last
	if first/Interval != last/Interval || first%Interval == 0 || p != nil && p.kind == gate.KindSessionEnd {
		k.start()
	}
}

// start lets the goroutine do a round.
func (k *keeper) start() {
	if k.done == nil {
		ctx, cancel := context.WithCancel(context.Background())
		k.quit, k.done = cancel, make(chan struct{})
		go k.run(ctx)
	}
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

// finish signs what was appended since the last round and waits for that.
func (k *keeper) finish() {
	if k.last == 0 {
		return
	}
	k.start()
	close(k.wake)
	<-k.done
}

// stop ends the goroutine and returns what went wrong in its last round.
func (k *keeper) stop() error {
	if k.done == nil {
		return nil
	}
	k.quit()
	<-k.done
	return k.err
}

func (k *keeper) run(ctx context.Context) {
	defer close(k.done)
	var c *connection
	defer func() {
		if c != nil {
			k.err = errors.Join(k.err, c.close())
		}
	}()
	for {
		select {
		case _, more := <-k.wake:
			if c == nil {
				if c, k.err = k.open(ctx); errors.Is(k.err, errMoved) {
					k.err = nil // the journal itself finds out
				}
			}
			if c != nil {
				k.err = k.round(ctx, c)
			}
			if !more {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// open connects a second time to a file that has a schema.
func (k *keeper) open(ctx context.Context) (*connection, error) {
	c := &connection{place: k.place, room: make([]byte, 0, 4096), logging: k.logging}
	var err error
	if c.db, err = dial(k.place.writerDSN(k.options)+"&mode=rw", appending, &c.memory); err != nil {
		return nil, err
	}
	c.db.SetMaxOpenConns(1)
	if c.conn, err = c.db.Connx(ctx); err == nil {
		if err = c.prepare(ctx); err == nil {
			if err = c.memory.take(c.place); err == nil {
				err = c.inPlace()
			}
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("sign the journal: %w", err), c.close())
	}
	return c, nil
}

// round signs and then empties the log.
func (k *keeper) round(ctx context.Context, c *connection) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := c.inPlace(); err != nil {
		return nil // as above
	}
	err := k.sign(ctx, c)
	if errors.Is(err, errSealed) {
		err = nil // whoever sealed the file signed it
	}
	if err == nil && k.logging {
		err = c.merge(ctx)
	}
	if err != nil {
		return fmt.Errorf("sign the journal: %w", err)
	}
	return nil
}

const sqlSigned = `SELECT pub GLOB '{"kind":"checkpoint"*' FROM entry ORDER BY seq DESC LIMIT 1`

// sign appends a checkpoint over all there is, unless nothing came after the
// last one.
func (k *keeper) sign(ctx context.Context, c *connection) error {
	var text []byte
	err := c.transaction(ctx, func(ctx context.Context) error {
		seq, hash, err := c.lookUp(ctx)
		if err != nil || seq == 0 {
			return err
		}
		var signed bool
		if err := c.conn.GetContext(ctx, &signed, sqlSigned); err != nil || signed {
			return err
		}
		if text, err = k.key.checkpoint(seq, hash[:]); err != nil {
			return err
		}
		h := head{Kind: gate.KindCheckpoint, Time: time.Now().UnixMicro()}
		pub, err := marshal(checkpointEntry{h, seq, k.key.public, string(text)})
		if err != nil {
			return err
		}
		_, _, err = c.add(ctx, seq, hash, &parts{pub: pub})
		return sealed(err)
	})
	if err != nil {
		// The transaction is open when the statement in it failed.
		_, _ = c.conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		return err
	}
	if text != nil {
		k.unpublished = text // one before it says less
	}
	if k.unpublished == nil {
		return nil
	}
	if err := k.place.publish(k.unpublished); err != nil {
		return fmt.Errorf("publish the checkpoint in %s: %w", k.place.path+checkpointSuffix, err)
	}
	k.unpublished = nil
	return nil
}

// checkpointEntry is the public part of a checkpoint. Size is the number of the
// last entry that it signs.
type checkpointEntry struct {
	head
	Size int64  `json:"size"`
	Key  string `json:"key"`
	Note string `json:"note"`
}

// checkpointOrigin is the first line of a checkpoint.
const checkpointOrigin = "pigate journal"

// checkpoint is the signed note that says: entry seq has this hash.
func (k *key) checkpoint(seq int64, hash []byte) ([]byte, error) {
	text := fmt.Sprintf("%s\n%d\n%s\n", checkpointOrigin, seq, base64.StdEncoding.EncodeToString(hash))
	return note.Sign(&note.Note{Text: text}, k.signer)
}

// publish appends a checkpoint to the file of checkpoints, and a blank line. A
// note before it that was not written to the end is closed off.
func (p place) publish(text []byte) error {
	f, err := os.OpenFile(p.path+checkpointSuffix, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	before, err := unended(f)
	if err == nil {
		_, err = f.WriteString(before + strings.TrimRight(string(text), "\n") + "\n\n")
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// unended is what must come before the next note of a file: nothing when the one
// before was written to the end.
func unended(f *os.File) (string, error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return "", err
	}
	end := make([]byte, min(2, info.Size()))
	if _, err := f.ReadAt(end, info.Size()-int64(len(end))); err != nil {
		return "", err
	}
	if string(end) == "\n\n" {
		return "", nil
	}
	return "\n\n", nil
}

// merge brings the log into the file. Others who append go on meanwhile; only for
// the last bit of a long log they wait a moment, so that it starts anew.
func (c *connection) merge(ctx context.Context) error {
	var busy, pages, merged int
	row := c.conn.QueryRowxContext(context.WithoutCancel(ctx), "PRAGMA wal_checkpoint(PASSIVE)")
	if err := row.Scan(&busy, &pages, &merged); err != nil || pages < longLog {
		return err
	}
	row = c.conn.QueryRowxContext(context.WithoutCancel(ctx), "PRAGMA wal_checkpoint(RESTART)")
	return row.Scan(&busy, &pages, &merged)
}

// longLog is a log of so many pages (of 4096 bytes) that it must start anew.
// Syncing is much quicker while a log is written over again than while it grows,
// so that it pays to make an append wait for this now and then.
const longLog = 512
