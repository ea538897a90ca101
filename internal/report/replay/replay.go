// Package replay decides recorded calls again under other policies, with the
// gate's own Derive and Evaluate, and says what would have been different.
//
// What a policy cannot know stays as it was: the answers of people. A call that
// asks now and asked then gets the answer that it got. One that asks now and did
// not then is covered by what was approved for the session before, or else is
// left open: nobody knows what the person would have said.
package replay

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"sync"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// Source is a journal; *audit.Reader is one. Row is called by several goroutines
// at a time.
type Source interface {
	Calls(ctx context.Context, f audit.Filter) iter.Seq2[audit.Call, error]
	List(ctx context.Context, f audit.Filter) iter.Seq2[audit.Row, error]
	Row(ctx context.Context, seq int64) (audit.Row, error)
}

// Options say what is compared with what.
type Options struct {
	// Old and New decide the calls of the two sides. Without Old, that side is what
	// the journal says was decided; imported calls are undecided there.
	Old, New Policies
	// Recorded looks up the policy that a call was decided under by its digest, to
	// tell whether other files about programs were in force then; it may be nil.
	Recorded func(ctx context.Context, digest string) (*policy.Policy, error)
	// Installation is where the gate's own files are taken to be for imported
	// calls, which do not say it.
	Installation policy.Installation
	// Reanalyse decides calls that another version of the analysis took apart as
	// this one does, instead of counting them as not replayable.
	Reanalyse bool
	// Zone tells the days.
	Zone *time.Location
	// Changed gets each change as it is found, in the order of the calls; it may be
	// nil. Its error ends the replay.
	Changed func(Change) error
	// Progress gets now and then the number of the last call that was replayed; it
	// may be nil.
	Progress func(seq int64)
}

// ahead is how many calls are read before they are decided, so that new ones
// among them can be decided side by side.
const ahead = 4096

// Run replays the calls that a filter chooses, oldest first, whatever order the
// filter asks for. Its errors are those of the source, of Policies and of
// Options.Changed; a call that cannot be decided again is none.
func Run(ctx context.Context, source Source, f audit.Filter, o Options) (*Result, error) {
	f.Reverse = false
	if o.Zone == nil {
		o.Zone = time.Local
	}
	r := &run{ctx: ctx, source: source, options: o, judged: map[int64]*judgement{}, tally: newTally(o.Zone, f.Imported || f.Kind == gate.KindImport)}
	if o.Recorded != nil {
		r.recorded = Recorded(o.Recorded)
	}
	starts, err := readStarts(ctx, source, f)
	if err != nil {
		return nil, err
	}
	r.old, r.new = newSide(starts, r.approval), newSide(starts, r.approval)
	chunk := make([]audit.Call, 0, ahead)
	for c, err := range source.Calls(ctx, f) {
		if err != nil {
			return nil, err
		}
		if chunk = append(chunk, c); len(chunk) < ahead {
			continue
		}
		if err := r.replay(chunk); err != nil {
			return nil, err
		}
		chunk = chunk[:0]
	}
	if err := r.replay(chunk); err != nil {
		return nil, err
	}
	if err := r.findSeen(f); err != nil {
		return nil, err
	}
	return r.tally.result(), nil
}

// run is one replay.
type run struct {
	ctx      context.Context
	source   Source
	options  Options
	judged   map[int64]*judgement // by audit.Call.Judged
	old, new *side
	tally    *tally
	recorded Policies // nil when Options.Recorded is
}

// replay decides and counts some calls.
func (r *run) replay(chunk []audit.Call) error {
	if err := r.judgeNew(chunk); err != nil {
		return err
	}
	for i := range chunk {
		c := &chunk[i]
		j := r.judged[c.Judged]
		old, err := asRecorded(c), error(nil)
		if r.options.Old != nil {
			if old, err = r.old.decide(c, j, j.old); err != nil {
				return err
			}
		}
		now, err := r.new.decide(c, j, j.new)
		if err != nil {
			return err
		}
		ch := r.tally.count(c, j, old, now)
		if ch.kind != "" && r.options.Changed != nil {
			if err := r.options.Changed(ch.tell(c, j)); err != nil {
				return err
			}
		}
	}
	if r.options.Progress != nil && len(chunk) > 0 {
		r.options.Progress(chunk[len(chunk)-1].Seq)
	}
	return nil
}

// approval reads what an approval for the session covers that belongs to a
// call, and the digest of the call's whole input.
func (r *run) approval(c *audit.Call) (covers policy.Coverage, input string, err error) {
	row, err := r.source.Row(r.ctx, c.Seq)
	if err != nil {
		return "", "", err
	}
	covers, input = row.Approval()
	return covers, input, nil
}

// task is a call that is unlike all before it, with the policies it is to be
// decided under.
type task struct {
	call     *audit.Call
	old, new *policy.Policy
	judged   *judgement
	// otherPrograms reports that the call was decided by other files about programs.
	otherPrograms bool
}

// judgeNew decides those of the calls that are unlike all before them, as many
// at a time as there are processors.
func (r *run) judgeNew(chunk []audit.Call) error {
	var tasks []task
	for i := range chunk {
		c := &chunk[i]
		if r.judged[c.Judged] != nil {
			continue
		}
		t := task{call: c, judged: &judgement{}}
		r.judged[c.Judged] = t.judged
		if err := r.policies(&t); err != nil {
			return err
		}
		tasks = append(tasks, t)
	}
	var wait sync.WaitGroup
	workers := max(1, min(runtime.GOMAXPROCS(0), len(tasks)/8))
	errs := make([]error, workers)
	for w := range workers {
		wait.Go(func() {
			for i := w; i < len(tasks) && errs[w] == nil; i += workers {
				errs[w] = r.judge(&tasks[i])
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

// policies finds the policies of a task. A side without one is not replayable.
func (r *run) policies(t *task) (err error) {
	find := func(p Policies, v *verdict) *policy.Policy {
		if p == nil || err != nil {
			return nil
		}
		pol, findErr := p.Of(r.ctx, t.call)
		if findErr != nil && !errors.As(findErr, &v.obstacle) {
			err = fmt.Errorf("entry %d: %w", t.call.Seq, findErr)
		}
		return pol
	}
	t.old, t.new = find(r.options.Old, &t.judged.old), find(r.options.New, &t.judged.new)
	switch {
	case t.new == nil:
	case t.call.Kind == gate.KindImport: // taken apart by what this binary knows
		t.otherPrograms = t.new.Programs() != ""
	case r.recorded != nil:
		then, findErr := r.recorded.Of(r.ctx, t.call)
		t.otherPrograms = findErr == nil && then.Programs() != t.new.Programs()
		t.judged.otherPrograms = t.otherPrograms
	}
	return err
}
