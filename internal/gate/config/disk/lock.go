package disk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// lockWait bounds the wait for another process that saves to the same file. A
// save takes milliseconds.
const lockWait = 10 * time.Second

// WithLock runs change while no other process, and no other goroutine, changes
// the file through it. The lock lies in the agent folder, so that nothing of it
// is seen in the project; file must be the same spelling for everyone.
func WithLock(agentDir, file string, change func() error) (err error) {
	dir := filepath.Join(agentDir, "pigate", "locks")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("create lock folder: %w", err)
	}
	name := sha256.Sum256([]byte(file))
	lock := flock.New(filepath.Join(dir, hex.EncodeToString(name[:16])+".lock"))
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	if _, err := lock.TryLockContext(ctx, 5*time.Millisecond); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = errors.New("another process keeps it locked")
		}
		return fmt.Errorf("lock %s: %w", filepath.Base(file), err)
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	return change()
}
