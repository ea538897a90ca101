// Package importer brings past tool calls into the journal: it reads session files
// and appends what the journal does not know yet.
package importer

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/transcript"
)

// Options are what an import needs to know.
type Options struct {
	// Journal is the file to import into, Audit how it is opened.
	Journal string
	Audit   audit.Options
	// Home is the home folder on this machine.
	Home string
	// DryRun counts what would be added, and adds nothing.
	DryRun bool
	// Progress is told now and then how many bytes of all were read. Nil tells
	// nobody.
	Progress func(done, total int64)
	// Problem is told of each line and each file that was skipped, as it is met:
	// lines as *transcript.BrokenError. Nil tells nobody.
	Problem func(error)
}

// Run imports the calls of the files, in their order, and tells what came of
// them, also after an error. A file that cannot be read is a problem, and the
// others are read all the same. When the context ends, what was added stays: the
// next import goes on from there. The errors are those of the journal and of the
// context.
func Run(ctx context.Context, files []transcript.File, o Options) (s Summary, err error) {
	r := &reader{options: o, at: time.Now().UnixMicro()}
	for _, f := range files {
		r.total += f.Size
	}
	if o.DryRun {
		if r.known, err = audit.ReadKnown(ctx, o.Journal); err == nil {
			err = r.files(ctx, files)
		}
		return r.summary, err
	}
	// What the journal knows is read once it is open: another process may be
	// making it at this very moment.
	j, err := audit.Open(ctx, o.Journal, o.Audit)
	if err != nil {
		return s, err
	}
	t := &writer{journal: j}
	if r.known, err = audit.ReadKnown(ctx, o.Journal); err == nil {
		t.known = r.known
		err = pipeline(ctx, r, t, files)
	}
	err = errors.Join(err, j.Close())
	s = r.summary
	s.Added, s.AlreadyThere, s.Decided = t.added, s.AlreadyThere+t.alreadyThere, s.Decided+t.decided
	return s, err
}

// pipeline reads, masks and stores at the same time: masking is most of the
// work, and storing is mostly waiting for the disk.
func pipeline(ctx context.Context, r *reader, t *writer, files []transcript.File) error {
	each, ctx := errgroup.WithContext(ctx)
	groups, prepared := make(chan []audit.PastCall, 1), make(chan []audit.Prepared, 1)
	r.full = groups
	each.Go(func() error {
		defer close(groups)
		return r.files(ctx, files)
	})
	each.Go(func() error {
		defer close(prepared)
		for group := range groups {
			p, err := t.prepare(ctx, group)
			if err != nil {
				return err
			}
			if err := send(ctx, prepared, p); err != nil {
				return err
			}
		}
		return nil
	})
	each.Go(func() error {
		for group := range prepared {
			if err := t.store(ctx, group); err != nil {
				return err
			}
		}
		return nil
	})
	return each.Wait()
}

// send hands a value on, unless the context ends first.
func send[T any](ctx context.Context, to chan<- T, value T) error {
	select {
	case to <- value:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
