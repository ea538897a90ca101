package audit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// place is where a journal lives. The file and its companions are only ever
// looked at by name: opening and closing the file anywhere in the process would
// drop the locks SQLite holds on it.
type place struct {
	named string // absolute
	path  string // with links resolved: SQLite puts the companions beside this

	file, log *identity // what was there when the connection was opened; log is nil without a log
}

const (
	logSuffix   = "-wal"
	indexSuffix = "-shm"
	lockSuffix  = ".lock"
)

// locate finds where path leads, and creates its folder where that is missing.
func locate(path string) (place, error) {
	if path == "" {
		return place{}, errors.New("its path is empty")
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return place{}, err
	}
	if err := os.MkdirAll(filepath.Dir(abs), 0o700); err != nil {
		return place{}, err
	}
	return follow(abs)
}

// follow resolves the links of an absolute path whose folder exists.
func follow(abs string) (place, error) {
	if _, err := os.Lstat(abs); errors.Is(err, fs.ErrNotExist) {
		dir, err := filepath.EvalSymlinks(filepath.Dir(abs))
		return place{named: abs, path: filepath.Join(dir, filepath.Base(abs))}, err
	}
	path, err := filepath.EvalSymlinks(abs) // an error also for a link that leads nowhere
	return place{named: abs, path: path}, err
}

// lock takes the lock file beside the journal.
func (p place) lock(ctx context.Context) (unlock func(), err error) {
	l := flock.New(p.path+lockSuffix, flock.SetPermissions(0o600))
	if _, err := l.TryLockContext(ctx, time.Millisecond); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%w: %w", errLocked, ctx.Err())
		}
		return nil, err
	}
	return func() { _ = l.Unlock() }, nil // closing releases it in any case
}

// prepare makes sure, under the lock, that the file can be opened as a journal:
// nobody else may read what there is already, and a missing file has no
// companions left from a deleted one.
func (p place) prepare() error {
	info, err := os.Stat(p.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := p.setAside(); err != nil {
			return err
		}
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errNoFile
	}
	for _, suffix := range []string{lockSuffix, "", logSuffix, indexSuffix} {
		if err := narrow(p.path + suffix); err != nil {
			return err
		}
	}
	return nil
}

// narrow takes the rights of others to a file away, if there is one.
func narrow(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0:
		return nil // Windows shows every file as readable by all
	}
	return os.Chmod(path, info.Mode().Perm()&0o700)
}

// keptSuffix, with a number behind it, names a log whose file was moved away.
const keptSuffix = logSuffix + ".kept-"

// setAside makes room for a new file: a log that is left of another holds what
// is not in that file yet, and is kept under another name.
func (p place) setAside() error {
	if info, err := os.Stat(p.path + logSuffix); err == nil && info.Size() > 0 {
		for n := 1; ; n++ {
			name := fmt.Sprint(p.path, keptSuffix, n)
			if exists(name) {
				continue
			}
			if err := os.Rename(p.path+logSuffix, name); err != nil {
				return err
			}
			break
		}
	}
	return p.removeCompanions()
}

// dropKept removes the log, which was merged, from where setAside has put it.
func (p place) dropKept(log *identity) {
	names, _ := filepath.Glob(escapeGlob(p.path+keptSuffix) + "*") // never a bad pattern
	for _, name := range names {
		if still(name, log) == nil {
			_ = os.Remove(name) // kept, then: what is in it is in the file too
		}
	}
}

func escapeGlob(path string) string {
	if runtime.GOOS == "windows" {
		return path // there a pattern knows no escapes, and nobody moves an open file
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

func (p place) removeCompanions() error {
	for _, suffix := range []string{logSuffix, indexSuffix} {
		if err := os.Remove(p.path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// remember notes which files the connection has open; logging reports that
// there is a write-ahead log.
func (p *place) remember(logging bool) error {
	file, err := identify(p.named)
	if err != nil {
		return err
	}
	p.file, p.log = &file, nil
	if !logging {
		return nil
	}
	log, err := identify(p.path + logSuffix)
	p.log = &log
	return err
}

// unchanged returns errMoved when one of the remembered files is not in its
// place any more.
func (p place) unchanged() error {
	if err := still(p.named, p.file); err != nil || p.log == nil {
		return err
	}
	return still(p.path+logSuffix, p.log)
}

// emptyFile reports that nothing is in a file, or that there is none.
func emptyFile(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.Size() == 0
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// isThere reports that the folder exists.
func (p place) isThere() bool { return exists(filepath.Dir(p.path)) }

// still returns errMoved when the file at path is not the one that it was.
func still(path string, as *identity) error {
	now, err := identify(path)
	switch {
	case err == nil && now == *as:
		return nil
	case err == nil || errors.Is(err, fs.ErrNotExist):
		return errMoved
	}
	return err
}

func (p place) writerDSN(options Options) string {
	return p.dsn(
		// The file gets the mode of the lock file from the start.
		"modeof="+escape(liveName(p.path)+lockSuffix),
		fmt.Sprintf("_busy_timeout=%d", busyTimeout),
		fmt.Sprintf("_synchronous=%d", options.Durability.synchronous()),
		"_pragma=fullfsync(1)",
		"_pragma=wal_autocheckpoint(0)",
		fmt.Sprintf("_pragma=journal_size_limit(%d)", walLimit),
		"_defensive=1", "_dqs=0", "_error_rc=1")
}

// dsn is the name under which SQLite opens the file. Only with the prefix does
// it heed the parameters, and then a path has to be escaped.
func (p place) dsn(parameters ...string) string {
	path := filepath.ToSlash(p.path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/… on Windows
	}
	u := url.URL{Scheme: "file", Path: path}
	return u.String() + "?" + strings.Join(parameters, "&")
}

// escape makes a text the value of a parameter. SQLite takes "+" literally.
func escape(text string) string {
	return strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
}
