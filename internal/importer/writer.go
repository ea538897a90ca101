package importer

import (
	"context"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
)

// writer brings groups of calls into the journal.
type writer struct {
	journal *audit.Journal
	known   *audit.Known

	added, alreadyThere, decided int
}

// prepare finds the resources of the calls of a group and masks their secrets, on
// all processors.
func (t *writer) prepare(ctx context.Context, group []audit.PastCall) ([]audit.Prepared, error) {
	prepared := make([]audit.Prepared, len(group))
	workers := runtime.GOMAXPROCS(0)
	each, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		each.Go(func() (err error) {
			for i := w; i < len(group) && err == nil; i += workers {
				e := group[i].Entry
				e.Import = described(e.Import)
				prepared[i], err = t.journal.Prepare(ctx, group[i])
			}
			return err
		})
	}
	return prepared, each.Wait()
}

// described adds what the gate finds out about a call.
func described(i *gate.Imported) *gate.Imported {
	full := gate.NewImported(i.Request)
	full.Result, full.Source, full.File, full.ImportedAt = i.Result, i.Source, i.File, i.ImportedAt
	return full
}

// patience is how long a group waits for others who write. Nobody waits for an
// import as for a call, so it may be longer than a gate's.
const patience = time.Minute

// store appends the calls of a group.
func (t *writer) store(ctx context.Context, group []audit.Prepared) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	before, err := t.journal.Import(ctx, t.known, group)
	if err != nil {
		return err
	}
	for _, standing := range before {
		switch standing {
		case audit.AlreadyImported:
			t.alreadyThere++
		case audit.AlreadyDecided:
			t.decided++
		case audit.Unknown:
			t.added++
		}
	}
	return nil
}
