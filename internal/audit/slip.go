package audit

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// slip is a small file that says how many entries are missing from a journal
// which does not work. While its process lives, the file beside it with
// aliveSuffix is locked.
type slip struct {
	path string
	file *os.File
	lock *flock.Flock
}

const (
	slipSuffix  = ".missed-"
	aliveSuffix = ".alive"
	// slipSize is the size of each, so that counting on takes no more room.
	slipSize = 1024
	// maxSlipReason is how much of the reason is kept.
	maxSlipReason = 500
)

type slipText struct {
	gapCount
	Lenient bool   `json:"lenient"`
	Reason  string `json:"reason"`
}

// slipNames are the beginnings of the names of slips for the journal at path,
// beside it and in the spare folder, "" for none.
func slipNames(path, spare string) []string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil
	}
	names := []string{abs + slipSuffix}
	if spare != "" {
		sum := sha256.Sum256([]byte(abs))
		names = append(names, filepath.Join(spare, "journal-"+hex.EncodeToString(sum[:8])+slipSuffix))
	}
	return names
}

func newSlips(path, spare string) (list []slip) {
	for _, name := range slipNames(path, spare) {
		list = append(list, slip{path: name + strings.ToLower(rand.Text()[:12])})
	}
	return list
}

func (s *slip) create() (err error) {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return err
	}
	s.lock = flock.New(s.path+aliveSuffix, flock.SetPermissions(0o600))
	if locked, err := s.lock.TryLock(); err != nil || !locked {
		return errors.Join(err, s.lock.Close())
	}
	if s.file, err = os.OpenFile(s.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		// Its room is taken now: later the disk may be full.
		if _, err = s.file.Write(bytes.Repeat([]byte("\n"), slipSize)); err != nil {
			_ = s.file.Close()
		}
	}
	if err != nil {
		s.remove()
	}
	return err
}

func (s *slip) write(g gapCount, lenient bool) error {
	reason := strings.ToValidUTF8(g.reason[:min(len(g.reason), maxSlipReason)], "")
	text, err := json.Marshal(slipText{g, lenient, reason})
	if err != nil {
		return err
	}
	for len(text) > slipSize { // escapes made it long
		reason = strings.ToValidUTF8(reason[:len(reason)/2], "")
		if text, err = json.Marshal(slipText{g, lenient, reason}); err != nil {
			return err
		}
	}
	_, err = s.file.WriteAt(append(text, bytes.Repeat([]byte("\n"), slipSize-len(text))...), 0)
	return err
}

// remove ends a slip whose text is in the journal.
func (s *slip) remove() {
	if s.file != nil {
		_ = s.file.Close()
	}
	_ = os.Remove(s.path) // one that stays is told of again
	_ = os.Remove(s.path + aliveSuffix)
	_ = s.lock.Close()
}

// leave leaves the slip to another process.
func (s *slip) leave() {
	if s.file != nil {
		_ = s.file.Close()
	}
	_ = s.lock.Close()
}

// findSlips reads the slips of processes that have ended. The caller has the
// journal's lock, and takes them over.
func findSlips(path, spare string) (found []foundGap) {
	for _, name := range slipNames(path, spare) {
		list, err := os.ReadDir(filepath.Dir(name))
		if err != nil {
			continue // there is none
		}
		for _, f := range list {
			if !strings.HasPrefix(f.Name(), filepath.Base(name)) || strings.HasSuffix(f.Name(), aliveSuffix) || !f.Type().IsRegular() {
				continue
			}
			s := &slip{path: filepath.Join(filepath.Dir(name), f.Name())}
			s.lock = flock.New(s.path+aliveSuffix, flock.SetPermissions(0o600))
			if locked, err := s.lock.TryLock(); err != nil || !locked {
				_ = s.lock.Close()
				continue // its process will tell
			}
			found = append(found, s.read())
		}
	}
	return found
}

// read reads a slip. What cannot be read says of one entry, as there is no slip
// without any.
func (s *slip) read() foundGap {
	var t slipText
	text, err := os.ReadFile(s.path)
	if err == nil {
		err = json.Unmarshal(text, &t)
	}
	if err != nil || t.Entries < 1 || t.Decisions < 0 || t.Decisions > t.Entries {
		now := time.Now().UnixMicro()
		t = slipText{gapCount: gapCount{Entries: 1, From: now, To: now}, Reason: "at least one entry: what was counted cannot be read"}
	}
	t.reason = t.Reason
	return foundGap{t.gapCount, t.Lenient, s}
}
