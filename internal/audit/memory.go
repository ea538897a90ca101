package audit

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/jmoiron/sqlx"
)

// memories are the shared memories that this process has open, by the journal's
// file. SQLite keeps one for each file and process, until the last connection of
// the process is closed: when its file (-shm) is replaced meanwhile, a new
// connection shares the old one still, and locks nobody out who has the new one.
var memories = struct {
	sync.Mutex
	of map[identity]*memory
}{of: map[identity]*memory{}}

// memory is the shared memory of one file.
type memory struct {
	file  identity // of the -shm file
	users int
	pasts []*Past // that can close their connections
}

var errMemory = &fault{words: "the file of the memory that its sessions share (-shm) was replaced while this session had it open",
	hint: "start a new session: this one still has the old memory, in which it does not see what the others append"}

// hold is a connection's part in a shared memory.
type hold struct {
	of identity
	at *memory // nil while there is none
}

// take notes that a connection to the file of p, which has read already, shares
// its memory. It returns errMemory when that is not the one at the path.
func (h *hold) take(p place) error {
	if networked(filepath.Dir(p.path)) {
		return nil // there is none
	}
	file, err := identify(p.path)
	if err != nil {
		return nil //nolint:nilerr // whoever needs the file meets this
	}
	now, err := identify(p.path + indexSuffix)
	gone := errors.Is(err, fs.ErrNotExist)
	if err != nil && !gone {
		return err
	}
	memories.Lock()
	defer memories.Unlock()
	m := memories.of[file]
	switch {
	case m == nil && gone:
		return nil // not in WAL mode, or read as it is
	case m == nil:
		m = &memory{file: now}
		memories.of[file] = m
	case gone || m.file != now:
		return errMemory
	}
	m.users++
	h.of, h.at = file, m
	return nil
}

// Close gives the part back. It is called when all connections of a database
// are closed.
func (h *hold) Close() error {
	memories.Lock()
	defer memories.Unlock()
	if h.at == nil {
		return nil
	}
	if h.at.users--; h.at.users == 0 {
		delete(memories.of, h.of)
	}
	h.at = nil
	return nil
}

// current reports that the memory is the one at the path.
func (h *hold) current(p place) bool {
	return h.at == nil || still(p.path+indexSuffix, &h.at.file) == nil
}

// yields notes that a past can close its connections when a writer asks.
func (h *hold) yields(past *Past) {
	memories.Lock()
	defer memories.Unlock()
	if h.at != nil && !slices.Contains(h.at.pasts, past) {
		h.at.pasts = append(h.at.pasts, past)
	}
}

// clear lets those who only read the past of the file close their connections.
func (h *hold) clear() {
	memories.Lock()
	var pasts []*Past
	if h.at != nil {
		pasts, h.at.pasts = h.at.pasts, nil
	}
	memories.Unlock()
	for _, p := range pasts {
		_ = p.Close() // it only read
	}
}

var errAttached = &fault{words: "what SQLite keeps beside it (-wal, -shm) was removed while other sessions have it open",
	hint: "the others still hold what was in it: make a call in each of them, or close them and what reads the journal; the next call tries again"}

// alone makes sure, where one of the companions of a file was removed, that
// nobody has the file open: they could not see who comes now. What is in the log
// is then brought into the file. The caller has the lock.
func (p place) alone(ctx context.Context) error {
	if networked(filepath.Dir(p.path)) || exists(p.path+logSuffix) && exists(p.path+indexSuffix) || emptyFile(p.path) {
		return nil
	}
	logged := exists(p.path + logSuffix)
	db, err := dial(p.dsn("mode=rw", "_pragma=locking_mode(exclusive)", "_defensive=1", "_dqs=0", "_error_rc=1"), appending, &hold{})
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // whoever opens the file next meets what is wrong
	db.SetMaxOpenConns(1)
	conn, err := db.Connx(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	if err := conn.Raw(keepLog); err != nil {
		return err
	}
	var objects int
	if err := sqlx.GetContext(context.WithoutCancel(ctx), conn, &objects, "SELECT count(*) FROM sqlite_master"); isBusy(err) {
		if !logged { // nor is there to be one: who has the old one saves it first
			_ = os.Remove(p.path + logSuffix)
		}
		return errAttached
	}
	return nil
}
