package audit

import (
	"context"
	"sync"
	"time"

	"github.com/pigate/pigate/internal/gate"
)

const (
	// groupDelay is how long an entry that may come later waits for others.
	groupDelay = 50 * time.Millisecond
	// groupSize is how many do not wait any longer.
	groupSize = 128
	// maxWaiting is how many may wait while the journal is slow or broken.
	maxWaiting = 1024
)

// queue holds the entries that are to be committed a moment later.
type queue struct {
	mu        sync.Mutex
	list      []*parts
	scheduled bool
	broken    bool // the last attempt failed: nothing is put off any more
}

func (w *queue) any() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.list) > 0
}

func (w *queue) all() []*parts {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.list[:len(w.list):len(w.list)]
}

// committed takes the first n away.
func (w *queue) committed(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list, w.broken = w.list[n:], false
	if len(w.list) == 0 {
		w.list = nil
	}
}

func (w *queue) failed() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken = true
}

// later puts an entry off and reports whether that was possible.
func (j *Journal) later(p *parts) bool {
	w := &j.waiting
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.broken || len(w.list) >= maxWaiting {
		return false
	}
	w.list = append(w.list, p)
	switch {
	case len(w.list) == groupSize:
		go j.flush()
	case !w.scheduled:
		w.scheduled = true
		time.AfterFunc(groupDelay, func() {
			w.mu.Lock()
			w.scheduled = false
			w.mu.Unlock()
			j.flush()
		})
	}
	return true
}

// flush commits what is waiting. What fails stays for the next attempt, which
// the next entry makes.
func (j *Journal) flush() {
	if !j.waiting.any() {
		return
	}
	if _, err := j.commit(context.Background(), nil); err != nil {
		j.waiting.failed()
	}
}

// commit appends the entry, nil for none, behind everything that waits.
func (j *Journal) commit(ctx context.Context, p *parts) (seq int64, err error) {
	err = j.write(ctx, opAppend, func(ctx context.Context, c *connection) (err error) {
		seq, err = j.appendAll(ctx, c, p)
		return err
	})
	return seq, err
}

// appendAll appends a gap, if something is missing, what waits, and the entry.
// The caller has the turn.
func (j *Journal) appendAll(ctx context.Context, c *connection, p *parts) (seq int64, err error) {
	waiting := j.waiting.all()
	gap, found := j.missed.now()
	list, err := j.gaps(ctx, gap, found)
	if err != nil {
		return 0, err
	}
	list = append(list, waiting...)
	if p != nil {
		list = append(list, p)
	}
	if len(list) == 0 {
		return 0, nil
	}
	fresh := decisionSeqs{} // decided in this very transaction
	first, err := c.append(ctx, list, func(p *parts, seq int64) *parts {
		p = j.decided.join(fresh.join(p))
		fresh.note(p, seq)
		return p
	})
	if err != nil {
		return 0, err
	}
	j.waiting.committed(len(waiting))
	j.missed.told(gap, found)
	for i, p := range list {
		j.decided.note(p, first+int64(i))
	}
	last := first + int64(len(list)) - 1
	c.keeper.appended(first, last, p)
	return last, nil
}

// gaps makes the entries that say what is missing.
func (j *Journal) gaps(ctx context.Context, own gapCount, found []foundGap) (list []*parts, err error) {
	if own.Entries > 0 {
		found = append(found[:len(found):len(found)], foundGap{gapCount: own, lenient: j.options.Lenient})
	}
	for _, f := range found {
		p, err := j.encoder.Load().gap(ctx, f.gapCount, f.lenient)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// decisionSeqs remembers the numbers of decisions until their outcomes come.
type decisionSeqs map[[2]string]int64

// join writes the number of the decision into an outcome.
func (d decisionSeqs) join(p *parts) *parts {
	seq, known := d[[2]string{p.session, p.call}]
	if p.kind != gate.KindOutcome || !known {
		return p
	}
	joined := *p
	joined.kind = joinedOutcome
	joined.pub = splice(p.pub, object(struct {
		Of int64 `json:"of"`
	}{seq}))
	return &joined
}

// joinedOutcome marks an outcome whose decision is known.
const joinedOutcome gate.Kind = "joined outcome"

// note remembers a decision, and forgets one whose outcome is known.
func (d *decisionSeqs) note(p *parts, seq int64) {
	key := [2]string{p.session, p.call}
	switch {
	case p.call == "":
	case p.kind == gate.KindOutcome:
		delete(*d, key)
	case p.kind == gate.KindDecision:
		if *d == nil || len(*d) >= maxRemembered {
			*d = decisionSeqs{}
		}
		(*d)[key] = seq
	}
}
