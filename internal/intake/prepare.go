package intake

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
)

// prepare finds the resources of the calls of the group and masks their secrets,
// on all processors: it is most of the work.
func (r *run) prepare(ctx context.Context) ([]audit.Prepared, error) {
	prepared := make([]audit.Prepared, len(r.group))
	workers := runtime.GOMAXPROCS(0)
	each, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		each.Go(func() error {
			for i := w; i < len(r.group); i += workers {
				e := r.group[i].Entry
				e.Import = described(e.Import)
				p, err := r.journal.Prepare(ctx, r.group[i])
				if err != nil {
					return err
				}
				prepared[i] = p
			}
			return nil
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
