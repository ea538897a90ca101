package audit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/audit/redact"
)

func TestWritesAreBounded(t *testing.T) {
	t.Parallel()
	ctx, cancel := bounded(context.Background())
	defer cancel()
	if at, ok := ctx.Deadline(); !ok || time.Until(at) > patience {
		t.Errorf("deadline %v %t", at, ok)
	}
	own, cancelOwn := context.WithTimeout(context.Background(), time.Hour)
	defer cancelOwn()
	ctx, cancel = bounded(own)
	defer cancel()
	if at, _ := ctx.Deadline(); time.Until(at) < 59*time.Minute {
		t.Errorf("the deadline of the caller became %v", at)
	}
}

// What was committed to a file that was taken away meanwhile does not count.
func TestTakenAwayDuringWrite(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows lets nobody take away an open file")
	}
	path := filepath.Join(t.TempDir(), "journal.db")
	j, err := Open(t.Context(), path, Options{Masker: unmasked})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	err = j.write(t.Context(), "append to", func(ctx context.Context, c *connection) error {
		if _, err := c.append(ctx, []*parts{{pub: []byte(`{"kind":"warning","time":1}`)}}, func(p *parts, _ int64) *parts { return p }); err != nil {
			t.Error(err)
		}
		return os.Remove(path)
	})
	if !errors.Is(err, errMoved) {
		t.Errorf("error %v", err)
	}
}

// unmasked makes a masker that finds nothing.
func unmasked([]byte) Masker { return blindMasker{} }

type blindMasker struct{}

func (blindMasker) Text(_ context.Context, s string) (string, []redact.Mask, error) {
	return s, nil, nil
}
