package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/natefinch/atomic"

	"github.com/pigate/pigate/internal/fileid"
	"github.com/pigate/pigate/internal/gate/config/disk"
)

// revokedPath is the file that says when all session approvals were revoked.
func revokedPath(agentDir string) string { return filepath.Join(agentDir, "pigate", "revoked") }

// Revoke ends the session approvals that every session of the agent folder has
// given by now. The sessions see it at their next call.
func Revoke(agentDir string, now time.Time) error {
	path := revokedPath(agentDir)
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = atomic.WriteFile(path, strings.NewReader(now.UTC().Format(time.RFC3339Nano)+"\n"))
	}
	if err != nil {
		return fmt.Errorf("revoke session approvals: %w", err)
	}
	return nil
}

// Revocation tells when session approvals were last revoked. It is used by one
// goroutine at a time.
type Revocation struct {
	path string
	id   fileid.ID
	read bool
	at   time.Time
}

// NewRevocation returns the Revocation of an agent folder.
func NewRevocation(agentDir string) *Revocation { return &Revocation{path: revokedPath(agentDir)} }

// Last returns the time of the last revocation, the zero time if there was none.
// A file that cannot be read, or holds no time, revokes at its own last change,
// or now.
func (r *Revocation) Last() time.Time {
	if r.read && r.id.Same(r.path) {
		return r.at
	}
	r.id, r.read = fileid.Of(r.path, time.Now()), true
	body, err := disk.Read(r.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.at = time.Time{}
		return r.at
	case err == nil:
		if r.at, err = time.Parse(time.RFC3339Nano, strings.TrimSpace(string(body))); err == nil {
			return r.at
		}
	}
	r.at = time.Now()
	if info, err := os.Stat(r.path); err == nil {
		r.at = info.ModTime()
	}
	return r.at
}
