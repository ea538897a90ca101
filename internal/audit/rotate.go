package audit

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/pigate/pigate/internal/gate"
)

// rotationEntry ends a file (Sealed) or begins one, and then names the entry
// that it follows.
type rotationEntry struct {
	head
	Sealed bool   `json:"sealed"`
	After  int64  `json:"after,omitempty"`
	Head   string `json:"head,omitempty"`
}

const sqlSealed = `SELECT pub GLOB '{"kind":"rotation"*"sealed":true*' FROM entry ORDER BY seq DESC LIMIT 1`

// isSealed reports that the file ends for good.
func isSealed(ctx context.Context, q sqlx.QueryerContext) (sealed bool, err error) {
	err = sqlx.GetContext(ctx, q, &sealed, sqlSealed)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return sealed, err
}

// rotated reports that the connection's file, which is not at its path any
// more, was sealed before it was moved.
func (c *connection) rotated(ctx context.Context) bool {
	sealed, err := isSealed(context.WithoutCancel(ctx), c.conn)
	return err == nil && sealed
}

// Rotate seals the journal at path, moves it aside and begins the next file,
// whose first entry names the last hash of the old. It returns the name of the
// sealed file. Others who append go on with the new file. When the process dies
// meanwhile, the next one who appends finishes it.
func Rotate(ctx context.Context, path string, options Options) (sealedPath string, err error) {
	j := NewJournal(path, options)
	defer func() { err = errors.Join(err, j.Close()) }()
	ctx, cancel := bounded(ctx)
	defer cancel()
	if _, err := os.Stat(path); err != nil {
		return "", &Error{Op: "rotate", Path: path, Err: errMissing}
	}
	done := false
	err = j.write(ctx, "rotate", func(ctx context.Context, c *connection) error {
		if done {
			return nil // on the new file
		}
		if c.logging {
			// Whoever reads now would keep the sealed file from being moved, and every
			// session from going on.
			if err := c.empty(ctx); err != nil {
				return err
			}
		}
		err := c.seal(ctx)
		done = err == nil
		if done {
			return errSealed // what opens the file next moves it and begins the new one
		}
		return err
	})
	if err != nil {
		return "", err
	}
	files, err := Files(path)
	if err != nil || len(files) < 2 {
		return "", errors.Join(err, &Error{Op: "rotate", Path: path, Err: errNotSealed})
	}
	return files[len(files)-2], nil
}

var errNotSealed = errors.New("the sealed file is not there")

// seal appends the last entry of a file and publishes a checkpoint over it.
func (c *connection) seal(ctx context.Context) error {
	var seq int64
	var hash [hashSize]byte
	err := c.transaction(ctx, func(ctx context.Context) (err error) {
		if seq, hash, err = c.lookUp(ctx); err != nil {
			return err
		}
		h := head{Kind: gate.KindRotation, Time: time.Now().UnixMicro()}
		pub, err := marshal(rotationEntry{head: h, Sealed: true})
		if err != nil {
			return err
		}
		seq, hash, err = c.add(ctx, seq, hash, &parts{kind: gate.KindRotation, pub: pub})
		return sealed(err)
	})
	if err != nil {
		return err
	}
	text, err := c.key.checkpoint(seq, hash[:])
	if err != nil {
		return err
	}
	return c.place.publish(text)
}

// moveAside gives a sealed file its last name. The caller has the lock.
func (c *connection) moveAside(ctx context.Context) error {
	if c.logging {
		if err := c.empty(ctx); err != nil {
			return err
		}
	}
	if err := c.close(); err != nil {
		return err
	}
	next, err := c.place.nextName()
	if err != nil {
		return err
	}
	// The log is empty, so that the order does not matter. It moves along for
	// those who have the file open still.
	for _, suffix := range []string{indexSuffix, logSuffix, ""} {
		err := os.Rename(c.place.path+suffix, next+suffix)
		if err != nil && (suffix == "" || !errors.Is(err, fs.ErrNotExist)) {
			return err
		}
	}
	return nil
}

// empty brings everything into the file and cuts the log to nothing, which
// takes that nobody is reading from it.
func (c *connection) empty(ctx context.Context) error {
	for {
		var busy, pages, merged int
		row := c.conn.QueryRowxContext(context.WithoutCancel(ctx), "PRAGMA wal_checkpoint(TRUNCATE)")
		err := row.Scan(&busy, &pages, &merged)
		if err == nil && busy == 0 {
			return nil
		}
		if err != nil && !isBusy(err) {
			return err
		}
		select {
		case <-time.After(busyTimeout * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", errRead, ctx.Err())
		}
	}
}

// continueSealed appends the first entry of a file that follows a sealed one.
func (c *connection) continueSealed(ctx context.Context) error {
	seq, hash, err := c.lookUp(ctx)
	if err != nil || seq > 0 {
		return err
	}
	seq, hash, err = c.place.predecessor(ctx)
	if err != nil || seq == 0 {
		return err
	}
	h := head{Kind: gate.KindRotation, Time: time.Now().UnixMicro()}
	pub, err := marshal(rotationEntry{h, false, seq, hex.EncodeToString(hash[:])})
	if err != nil {
		return err
	}
	_, _, err = c.add(ctx, seq, hash, &parts{kind: gate.KindRotation, pub: pub})
	return err
}

// predecessor finds the last entry of the newest sealed file, 0 when there is
// none.
func (p place) predecessor(ctx context.Context) (seq int64, hash [hashSize]byte, err error) {
	files, err := Files(p.path)
	if err != nil || len(files) < 2 {
		return 0, hash, err
	}
	db, err := openReadOnly(ctx, files[len(files)-2])
	if err != nil {
		return 0, hash, fmt.Errorf("look at the file before: %w", err)
	}
	defer func() { _ = db.Close() }() // it only read
	var stored []byte
	if err := db.QueryRowxContext(ctx, sqlLast).Scan(&seq, &stored); err != nil {
		return 0, hash, fmt.Errorf("look at the file before: %w", err)
	}
	copy(hash[:], stored)
	return seq, hash, nil
}

// numberDigits is how many digits the number of a sealed file has.
const numberDigits = 4

// nextName is the name of the next sealed file.
func (p place) nextName() (string, error) {
	files, err := Files(p.path)
	if err != nil {
		return "", err
	}
	number := 0
	if len(files) > 1 {
		last := files[len(files)-2]
		if number, err = strconv.Atoi(last[len(last)-numberDigits:]); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%s.%0*d", p.path, numberDigits, number+1), nil
}

// Files are the files of the journal at path, in order: the sealed ones beside
// it and then itself, whether it is there or not.
func Files(path string) ([]string, error) {
	dir, base := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	list, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return []string{path}, nil
	}
	if err != nil {
		return nil, err
	}
	var files []string
	for _, f := range list { // sorted by name
		if isNumbered(f.Name(), base) {
			files = append(files, filepath.Join(filepath.Dir(path), f.Name()))
		}
	}
	return append(files, path), nil
}

// isNumbered reports that name is that of a sealed file of the journal base.
func isNumbered(name, base string) bool {
	number, ok := strings.CutPrefix(name, base+".")
	return ok && len(number) == numberDigits && strings.Trim(number, "0123456789") == ""
}

// liveName is the journal that a sealed file belongs to; itself for another.
func liveName(path string) string {
	if at := len(path) - numberDigits - 1; at > 0 && isNumbered(path, path[:at]) {
		return path[:at]
	}
	return path
}
