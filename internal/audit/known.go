package audit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/jmoiron/sqlx"

	"github.com/pigate/pigate/internal/gate"
)

// callIdentity tells one call from all others.
type callIdentity [16]byte

// callName is what the public part of an entry says of the identity of its call.
type callName struct {
	Kind    gate.Kind `json:"kind"`
	Time    int64     `json:"time"`
	Session string    `json:"session"`
	Call    string    `json:"call"`
	Tool    string    `json:"tool"`
	Source  string    `json:"source"`
}

// random reports whether the id of the call is its own in all the world, because
// a provider made it at random. Some count from 1 instead, within a conversation
// or for each tool ("functions.bash:1").
func (n *callName) random() bool { return len(n.Call) >= 16 && !strings.Contains(n.Call, ":") }

// imported is the identity of an imported call. Where its id is random, copies
// of it in other files are the same call. Claude Code and Codex write copied
// lines anew, Pi keeps their times.
func (n *callName) imported() callIdentity {
	switch {
	case !n.random():
		return identityOf(n.Source, n.Call, n.Tool, strconv.FormatInt(n.Time, 10), n.Session)
	case n.Source == "pi":
		return n.anywhere()
	}
	return identityOf(n.Source, n.Call)
}

// anywhere is the identity that an imported call shares with its copies in other
// sessions of Pi, whatever its id.
func (n *callName) anywhere() callIdentity {
	return identityOf(n.Source, n.Call, n.Tool, strconv.FormatInt(n.Time, 10))
}

// decided is the identity of a call as its decision has it.
func (n *callName) decided() callIdentity {
	if n.random() {
		return identityOf("decided", n.Call)
	}
	return identityOf("decided", n.Call, n.Session)
}

func identityOf(words ...string) (id callIdentity) {
	text := make([]byte, 0, 256)
	for _, w := range words {
		text = append(append(strconv.AppendInt(text, int64(len(w)), 10), ':'), w...)
	}
	sum := sha256.Sum256(text)
	copy(id[:], sum[:])
	return id
}

// Standing is what a journal knows of a past call.
type Standing int

const (
	// Unknown is a call that the journal does not have.
	Unknown Standing = iota
	// AlreadyImported is one that it has from a session file.
	AlreadyImported
	// AlreadyDecided is one that the gate decided itself.
	AlreadyDecided
)

// Known is the set of calls that a journal has. It may be used by several
// goroutines.
type Known struct {
	mu    sync.RWMutex
	calls map[callIdentity]Standing

	last int64 // the entries up to this number are in calls; of whoever has the journal's turn
}

// ReadKnown reads which calls the journal at path has, its sealed files
// included. A journal that does not exist yet knows none. Errors are of type
// *Error.
func ReadKnown(ctx context.Context, path string) (*Known, error) {
	k := &Known{calls: map[callIdentity]Standing{}}
	paths, err := Files(path)
	if err != nil {
		return nil, &Error{Op: "read", Path: path, Err: err}
	}
	if !exists(path) {
		paths = paths[:len(paths)-1] // only sealed files are there, if any
	}
	r, err := OpenReader(ctx, paths...)
	if err != nil {
		return nil, err
	}
	for _, f := range r.files {
		if err := k.update(ctx, f.db); err != nil {
			return nil, errors.Join(r.fail(err), r.Close())
		}
	}
	return k, r.Close()
}

const sqlKnown = `SELECT seq, pub FROM entry WHERE seq > ? AND (pub GLOB '{"kind":"decision"*' OR pub GLOB '{"kind":"import"*') ORDER BY seq`

// update reads the entries that came since.
func (k *Known) update(ctx context.Context, db sqlx.QueryerContext) error {
	rows, err := db.QueryxContext(ctx, sqlKnown, k.last)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // what matters of it is in rows.Err
	for rows.Next() {
		var seq int64
		var pub []byte
		if err := rows.Scan(&seq, &pub); err != nil {
			return err
		}
		k.note(pub)
		k.last = seq
	}
	return rows.Err()
}

// note adds the call of an entry. One that cannot be read names none. Of a
// decision only what stands before the tool is read: the rest takes most of the
// time, and no text can hold these bytes, for its quotes would be escaped.
func (k *Known) note(pub []byte) {
	if i := bytes.Index(pub, []byte(`,"tool":"`)); i > 0 && bytes.HasPrefix(pub, []byte(`{"kind":"decision"`)) {
		pub = append(pub[:i:i], '}')
	}
	var n callName
	switch {
	case json.Unmarshal(pub, &n) != nil:
	case n.Kind == gate.KindImport:
		k.add(&n)
	case n.Call != "":
		k.mu.Lock()
		defer k.mu.Unlock()
		k.calls[n.decided()] = AlreadyDecided
	}
}

// PastCall is a past call that is to be imported.
type PastCall struct {
	// Entry is of kind gate.KindImport.
	Entry *gate.Entry
	// Copied are the sessions in which the call may have been made, if its session
	// file repeats it from another one; nil for a call of its own.
	Copied []string
}

// name names the call of the entry.
func (p PastCall) name() callName {
	e := p.Entry
	return callName{Time: e.Time, Session: e.Session, Call: e.Call, Tool: e.Import.Tool, Source: e.Import.Source}
}

// Standing tells what the journal knows of a call.
func (k *Known) Standing(p PastCall) Standing {
	n := p.name()
	return k.standing(&n, p.Copied)
}

func (k *Known) standing(n *callName, copied []string) Standing {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if n.Call != "" && k.wasDecided(*n, copied) {
		return AlreadyDecided
	}
	if s := k.calls[n.imported()]; s != Unknown || copied == nil {
		return s
	}
	return k.calls[n.anywhere()]
}

// wasDecided reports whether the call was decided in its session or in one of
// the others. The caller has the lock.
func (k *Known) wasDecided(n callName, others []string) bool {
	if k.calls[n.decided()] != Unknown {
		return true
	}
	return slices.ContainsFunc(others, func(session string) bool {
		n.Session = session
		return k.calls[n.decided()] != Unknown
	})
}

// add makes an imported call known.
func (k *Known) add(n *callName) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.calls[n.imported()] = AlreadyImported
	if n.Source == "pi" {
		k.calls[n.anywhere()] = AlreadyImported
	}
}

// Note makes a call known without storing it, as if it had been imported: for
// counting what would be.
func (k *Known) Note(p PastCall) {
	n := p.name()
	k.add(&n)
}
