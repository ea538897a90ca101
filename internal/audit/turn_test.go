package audit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/audit/redact"
	"github.com/pigate/pigate/internal/gate"
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

// What was committed before another process sealed the file and moved it aside
// is in the journal, once.
func TestSealedDuringWrite(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows lets nobody move an open file")
	}
	path := filepath.Join(t.TempDir(), "journal.db")
	options := Options{Masker: unmasked}
	j, err := Open(t.Context(), path, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	times := 0
	err = j.write(t.Context(), opAppend, func(ctx context.Context, c *connection) error {
		times++
		p := &parts{pub: []byte(`{"kind":"warning","time":1}`)}
		if _, err := c.append(ctx, []*parts{p}, func(p *parts, _ int64) *parts { return p }); err != nil {
			return err
		}
		_, err := Rotate(ctx, path, options)
		return err
	})
	if err != nil || times != 1 {
		t.Errorf("written %d times, %v", times, err)
	}
	if _, err := j.Record(t.Context(), &gate.Entry{Kind: gate.KindWarning, Time: 2, Warning: &gate.Warning{Text: "after"}}); err != nil {
		t.Error(err)
	}
	files, err := Files(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := OpenReader(t.Context(), files...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	var got []int64
	for row, err := range r.List(t.Context(), Filter{Kind: gate.KindWarning}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, int64(row.Time))
	}
	if !slices.Equal(got, []int64{1, 2}) {
		t.Errorf("warnings of %v, want 1 and 2", got)
	}
}

// unmasked makes a masker that finds nothing.
func unmasked([]byte) Masker { return blindMasker{} }

type blindMasker struct{}

func (blindMasker) Text(_ context.Context, s string) (string, []redact.Mask, error) {
	return s, nil, nil
}
