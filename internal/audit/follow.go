package audit

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"slices"
	"time"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// pollEvery is how often Follow looks for what was appended.
const pollEvery = 250 * time.Millisecond

// maxRunning is of how many calls that run Follow waits for the outcome. Calls
// whose gate was cut off never have one.
const maxRunning = 256

// Follow yields the entries that a filter chooses as they are appended to the
// journal at path, in batches: first the newest, as many as the filter's Limit
// says (0: none), then what comes, also in the next file when the journal is
// rotated. A call that had no outcome yet is yielded again when it has one. The
// iteration ends with the context, without an error. Filter.Reverse and
// Filter.After are of no meaning here.
func Follow(ctx context.Context, path string, f Filter) iter.Seq2[[]Row, error] {
	return followEvery(ctx, path, f, pollEvery)
}

func followEvery(ctx context.Context, path string, f Filter, every time.Duration) iter.Seq2[[]Row, error] {
	return func(yield func([]Row, error) bool) {
		w := &follower{path: path, filter: f}
		w.filter.Reverse = false
		defer w.close()
		batch, err := w.begin(ctx)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			if ctx.Err() != nil {
				return
			}
			if err != nil || len(batch) > 0 {
				if !yield(batch, err) || err != nil {
					return
				}
			}
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			batch, err = w.next(ctx)
		}
	}
}

// follower remembers what of a journal was seen.
type follower struct {
	path    string
	filter  Filter
	files   []string
	reader  *Reader
	last    int64   // the last entry when it was looked at
	after   int64   // the last entry that was listed
	running []int64 // the calls without an outcome, oldest first
}

func (w *follower) close() {
	if w.reader != nil {
		_ = w.reader.Close() // it only read
	}
}

// begin returns the newest rows. A journal that is not there is an error only
// here: later it may be on its way.
func (w *follower) begin(ctx context.Context) ([]Row, error) {
	if err := w.filter.Check(); err != nil {
		return nil, err
	}
	if err := w.open(ctx); err != nil {
		return nil, err
	}
	var err error
	if w.last, err = w.reader.last(ctx); err != nil || w.filter.Limit == 0 {
		w.after = w.last
		return nil, err
	}
	batch, err := w.list(ctx, w.filter)
	w.after = max(w.after, w.last)
	return batch, err
}

// open opens the files there are now, unless they are open.
func (w *follower) open(ctx context.Context) error {
	files, err := Files(w.path)
	if err != nil {
		return &Error{Op: "read", Path: w.path, Err: err}
	}
	if _, err := os.Stat(w.path); errors.Is(err, fs.ErrNotExist) && len(files) > 1 {
		files = files[:len(files)-1] // sealed, and the next not begun
	}
	if w.reader != nil && slices.Equal(files, w.files) {
		return nil
	}
	reader, err := OpenReader(ctx, files...)
	if err != nil {
		return err
	}
	w.close()
	w.reader, w.files = reader, files
	return nil
}

// next returns what was appended since the last time.
func (w *follower) next(ctx context.Context) ([]Row, error) {
	if err := w.open(ctx); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	last, err := w.reader.last(ctx)
	if err != nil || last == w.last {
		return nil, err
	}
	batch, err := w.ended(ctx)
	if err != nil {
		return nil, err
	}
	f := w.filter
	f.Limit, f.After, f.Outcome = 0, w.after, "" // a call that runs may come to have the outcome
	fresh, err := w.list(ctx, f)
	w.last, w.after = last, max(w.after, last)
	return append(batch, fresh...), err
}

// list returns the rows a filter chooses that have the outcome which is asked
// for, and takes note of the calls that have none yet.
func (w *follower) list(ctx context.Context, f Filter) (batch []Row, err error) {
	for row, err := range w.reader.List(ctx, f) {
		if err != nil {
			return batch, err
		}
		w.after = max(w.after, row.Seq)
		if w.wanted(&row) {
			batch = append(batch, row)
		}
		if row.Kind == gate.KindDecision && row.Decision == policy.Run && row.Outcome == "" {
			w.running = append(w.running, row.Seq)
		}
	}
	w.running = w.running[max(0, len(w.running)-maxRunning):]
	return batch, nil
}

func (w *follower) wanted(row *Row) bool {
	m := newMatcher(Filter{Outcome: w.filter.Outcome})
	return m.outcome(row)
}

// ended returns the calls that have an outcome by now.
func (w *follower) ended(ctx context.Context) (batch []Row, err error) {
	var still []int64
	for _, seq := range w.running {
		row, err := w.reader.Row(ctx, seq)
		if err != nil {
			return batch, err
		}
		switch {
		case row.Outcome == "":
			still = append(still, seq)
		case w.wanted(&row):
			batch = append(batch, row)
		}
	}
	w.running = still
	return batch, nil
}

// last is the number of the last entry.
func (r *Reader) last(ctx context.Context) (seq int64, err error) {
	for _, f := range slices.Backward(r.files) {
		if err := f.db.GetContext(ctx, &seq, sqlNumber); err != nil {
			return 0, r.fail(err)
		}
		if seq > 0 {
			return seq, nil
		}
	}
	return 0, nil
}
