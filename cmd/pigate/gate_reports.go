package main

import (
	"context"
	"errors"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/report/allowlist"
)

// reports makes what /allowlist shows of the journal.
type reports struct {
	journal string
	past    *audit.Past
}

func (r reports) recent(ctx context.Context, root string, n int) (string, error) {
	return r.read(ctx, func(reader *audit.Reader) (string, error) {
		return allowlist.Log(ctx, reader, root, n, time.Now())
	})
}

func (r reports) why(ctx context.Context, session string) (string, error) {
	return r.read(ctx, func(reader *audit.Reader) (string, error) {
		return allowlist.Why(ctx, reader, r.past, session, time.Now())
	})
}

// read opens the journal for one report.
func (r reports) read(ctx context.Context, report func(*audit.Reader) (string, error)) (text string, err error) {
	reader, err := r.open(ctx)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	return report(reader)
}

// open opens the journal anew each time: a person asks seldom, and the files may
// have been rotated since.
func (r reports) open(ctx context.Context) (*audit.Reader, error) {
	files, err := audit.Files(r.journal)
	if err != nil {
		return nil, err
	}
	return audit.OpenReader(ctx, files...)
}
