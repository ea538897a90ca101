package main

import (
	"context"

	"github.com/pigate/pigate/internal/audit"
)

// openReader opens the journal in files. When a query has to bring the index up
// to date first and a terminal is there, it shows how far that is.
func openReader(ctx context.Context, env environment, files []string) (*audit.Reader, error) {
	reader, err := audit.OpenReader(ctx, files...)
	if err != nil {
		return nil, err
	}
	bar := newProgress(env.stderr)
	reader.OnProgress(func(done, total int64) {
		if bar.show(done, total); done == total {
			bar.clear()
		}
	})
	return reader, nil
}
