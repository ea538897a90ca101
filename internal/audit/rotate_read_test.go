package audit_test

import (
	"context"
	"iter"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
)

// Somebody who reads the journal and does not go on keeps it from being rotated,
// and nobody from appending.
func TestRotateWithPausedReader(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	j := open(t, path)
	for range 300 {
		record(t, j, decision("s", "c", strings.Repeat("x", 300)))
	}
	next, stop := iter.Pull2(reader(t, path).List(t.Context(), audit.Filter{}))
	defer stop()
	if _, err, ok := next(); err != nil || !ok {
		t.Fatal(err)
	}
	record(t, j, decision("s", "c", "after the reader began"))
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := audit.Rotate(ctx, path, audittest.Options())
	told(t, err, path, "somebody keeps reading it")
	record(t, j, decision("s", "c", "all the same"))
	record(t, open(t, path), decision("s", "c", "a new session"))
	if files, err := audit.Files(path); err != nil || len(files) != 1 {
		t.Fatalf("sealed: %v %v", files, err)
	}
	stop()
	if _, err := audit.Rotate(t.Context(), path, audittest.Options()); err != nil {
		t.Fatal(err)
	}
	record(t, j, decision("s", "c", "in the next file"))
	files, err := audit.Files(path)
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	if v := verified(t, files...); !v.Whole {
		t.Errorf("%+v", v.Finding)
	}
}
