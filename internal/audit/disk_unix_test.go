//go:build unix

package audit_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
)

func init() {
	tasks["full"] = fullTask
	tasks["readonly"] = readOnlyTask
}

// alone runs a task whose limits or rights must not touch other tests.
func alone(t *testing.T, task string, args ...string) string {
	t.Helper()
	c := start(t, task, args...)
	if err := c.stdin.Close(); err != nil {
		t.Fatal(err)
	}
	var said []string
	for c.lines.Scan() {
		said = append(said, c.lines.Text())
	}
	if err := c.Wait(); err != nil {
		t.Fatalf("%v: %s", err, c.said.String())
	}
	return strings.Join(said, "\n")
}

// complain returns an error unless err names the file and hints at a way out.
func complain(err error, path, words string) error {
	var e *audit.Error
	if !errors.As(err, &e) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), words) || e.Hint() == "" {
		return fmt.Errorf("error %q does not name %q and %q or has no hint", fmt.Sprint(err), path, words)
	}
	return nil
}

// fullTask appends to PATH under a limit on the size of files, which works for
// root too, until nothing goes any more; then without the limit. It prints the
// calls that were committed.
func fullTask(args []string) error {
	ctx, path := context.Background(), args[0]
	j := audit.NewJournal(path, audittest.Options())
	count := 0
	attempt := func() error {
		count++
		call := strconv.Itoa(count)
		_, err := j.Record(ctx, decision("s", call, strings.Repeat("x", 2000)))
		if err == nil {
			fmt.Println(call)
		}
		return err
	}
	if err := attempt(); err != nil {
		return err
	}
	signal.Ignore(syscall.SIGXFSZ)
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	free := limit.Cur
	limit.Cur = 150_000
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	for failures := 0; failures < 5; {
		if count > 1000 {
			return errors.New("the limit does not hold")
		}
		if err := attempt(); err != nil {
			failures++
			if err := complain(err, path, "the disk"); err != nil {
				return err
			}
		}
	}
	limit.Cur = free
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	for range 3 {
		if err := attempt(); err != nil {
			return fmt.Errorf("no recovery: %w", err)
		}
	}
	return j.Close()
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	committed := strings.Split(alone(t, "full", path), "\n")
	rows := audittest.Rows(t, path)
	sound(t, path, rows)
	var stored []string
	for _, r := range decisions(rows) {
		stored = append(stored, callOf(t, r))
	}
	if diff := cmp.Diff(committed, stored); diff != "" {
		t.Errorf("committed and stored: %s", diff)
	}
}

// readOnlyTask takes the rights to the journal's folder away and gives them
// back: DIR, which is nobody's when this runs as root.
func readOnlyTask(args []string) error {
	if os.Getuid() == 0 {
		if err := errors.Join(syscall.Setgid(nobody), syscall.Setuid(nobody)); err != nil {
			return err
		}
	}
	ctx, dir := context.Background(), args[0]
	path := filepath.Join(dir, "journal.db")
	add := func() error {
		j := audit.NewJournal(path, audittest.Options())
		_, err := j.Record(ctx, decision("s", "c", "x"))
		if closed := j.Close(); err == nil {
			err = closed
		}
		return err
	}
	if err := errors.Join(add(), add()); err != nil {
		return err
	}
	steps := []struct {
		name   string
		remove []string
		files  os.FileMode
		folder os.FileMode
	}{
		{"files read-only", nil, 0o400, 0o700},
		{"files and folder read-only", nil, 0o400, 0o500},
		{"without companions", []string{path + "-wal", path + "-shm", path + ".lock"}, 0o600, 0o500},
	}
	for i, s := range steps {
		for _, name := range s.remove {
			if err := os.Remove(name); err != nil {
				return err
			}
		}
		if err := modes(dir, s.folder, s.files); err != nil {
			return err
		}
		if err := complain(add(), path, ""); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if got := count(ctx, path); got != i+2 {
			return fmt.Errorf("%s: %d rows read, want %d", s.name, got, i+2)
		}
		if err := modes(dir, 0o700, 0o600); err != nil {
			return err
		}
		if err := add(); err != nil {
			return fmt.Errorf("%s: no recovery: %w", s.name, err)
		}
	}
	return nil
}

const nobody = 65534

// modes sets the modes of a folder and of the files in it.
func modes(dir string, folder, files os.FileMode) error {
	if err := os.Chmod(dir, 0o700); err != nil {
		return err
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range list {
		if err := os.Chmod(filepath.Join(dir, f.Name()), files); err != nil {
			return err
		}
	}
	return os.Chmod(dir, folder)
}

// count returns the number of rows, -1 when they cannot be read.
func count(ctx context.Context, path string) (rows int) {
	r, err := audit.OpenReader(ctx, path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return -1
	}
	defer func() { _ = r.Close() }()
	for row, err := range r.List(ctx, audit.Filter{}) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return -1
		}
		if row.Kind == gate.KindDecision {
			rows++
		}
	}
	return rows
}

func TestReadOnly(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "pigate")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 {
		// Root may write anywhere, so somebody else tries, who must get there.
		for at := filepath.Dir(dir); strings.HasPrefix(at, os.TempDir()) && at != filepath.Clean(os.TempDir()); at = filepath.Dir(at) {
			if err := os.Chmod(at, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chown(dir, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	alone(t, "readonly", dir)
	if got := len(decisions(audittest.Rows(t, filepath.Join(dir, "journal.db")))); got != 5 {
		t.Errorf("%d rows, want 5", got)
	}
}
