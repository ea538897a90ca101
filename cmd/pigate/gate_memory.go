package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report/piview"
)

// memory is what the gate knows of its journal's past. Nothing of it decides
// anything: where it fails, dialogs come without history and the person without
// advice.
type memory struct {
	journal string
	past    *audit.Past
	offer   *piview.Offer
	// index brings the index of the journal up to date; it takes its time.
	index func(ctx context.Context) error
	warn  func(error)

	ready    atomic.Bool  // the index is, or none is needed
	renewing atomic.Bool  // History has that done
	catching atomic.Bool  // index is at work
	caught   atomic.Int64 // when it began last, in nanoseconds
}

func newMemory(journal string, warn func(error)) *memory {
	return &memory{journal: journal, past: audit.NewPast(journal), offer: &piview.Offer{}, warn: warn,
		index: func(ctx context.Context) error {
			program, err := os.Executable()
			if err != nil {
				return fmt.Errorf("index the journal: %w", err)
			}
			return index(ctx, program, journal)
		}}
}

// started makes the past ready when a session begins, in the background.
func (m *memory) started(ctx context.Context, root string) {
	count := m.offer.Begin(root, time.Now())
	go func() {
		err := m.renew(ctx)
		if err == nil {
			err = m.read(ctx, func(r *audit.Reader) error { return count(ctx, r) })
		}
		if err != nil {
			m.warn(err)
		}
	}()
}

// History is part of gate.Historian. When the journal was rotated meanwhile, or
// its index has fallen behind in a long session, that is mended in the
// background.
func (m *memory) History(ctx context.Context, req policy.Request) (gate.History, error) {
	h, err := m.past.History(ctx, req)
	if (errors.Is(err, audit.ErrBehind) || errors.Is(err, audit.ErrChanged)) && m.renewing.CompareAndSwap(false, true) {
		go func() {
			defer m.renewing.Store(false)
			if err := m.renew(context.WithoutCancel(ctx)); err != nil {
				m.warn(err)
			}
		}()
	}
	return h, err
}

// renew looks at the journal's files anew, and brings their index up to date
// where that is needed.
func (m *memory) renew(ctx context.Context) error {
	err := m.past.Refresh(ctx)
	if errors.Is(err, audit.ErrBehind) {
		err = m.catchUp(ctx)
	}
	if err == nil {
		m.ready.Store(true)
	}
	return err
}

// catchUpPause is the least time between two attempts to bring the index up to
// date: where there cannot be one, the next attempt is as vain as the last.
const catchUpPause = 10 * time.Minute

// catchUp brings the index up to date, unless that is being done, or was tried a
// moment ago.
func (m *memory) catchUp(ctx context.Context) error {
	if !m.catching.CompareAndSwap(false, true) {
		return nil
	}
	defer m.catching.Store(false)
	now := time.Now().UnixNano()
	if last := m.caught.Swap(now); last != 0 && now-last < int64(catchUpPause) {
		m.caught.Store(last)
		return nil
	}
	return m.index(ctx)
}

// recent is the report of /allowlist log.
func (m *memory) recent(ctx context.Context, root string, n int) (string, error) {
	return m.view(ctx, func(ctx context.Context, v piview.View) (string, error) { return v.Log(ctx, root, n) })
}

// why is the report of /allowlist why.
func (m *memory) why(ctx context.Context, session string) (string, error) {
	return m.view(ctx, func(ctx context.Context, v piview.View) (string, error) { return v.Why(ctx, session) })
}

// viewTime is how long a report may take: a host waits for ten seconds.
const viewTime = 8 * time.Second

var errLongJournal = errors.New("the journal is long and its index is not ready yet; try again in a moment, or ask pigate in a terminal")

// view makes a report. It does not wait for the index.
func (m *memory) view(ctx context.Context, report func(context.Context, piview.View) (string, error)) (text string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, viewTime, errLongJournal)
	defer cancel()
	err = m.read(ctx, func(r *audit.Reader) error {
		text, err = report(ctx, piview.View{Reader: r, Scan: !m.ready.Load(), Past: m.past, Same: sameProject, Now: time.Now()})
		return err
	})
	if err != nil && errors.Is(context.Cause(ctx), errLongJournal) {
		err = errLongJournal
	}
	return text, err
}

// drafting opens the journal for drafts, which need the index.
func (m *memory) drafting(ctx context.Context) (*audit.Reader, error) {
	if !m.ready.Load() && m.catching.Load() {
		return nil, errLongJournal
	}
	return m.open(ctx)
}

// read opens the journal for one use.
func (m *memory) read(ctx context.Context, use func(*audit.Reader) error) (err error) {
	r, err := m.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return use(r)
}

// open opens the journal anew each time: a person asks seldom, and the files may
// have been rotated since.
func (m *memory) open(ctx context.Context) (*audit.Reader, error) {
	files, err := audit.Files(m.journal)
	if err != nil {
		return nil, err
	}
	return audit.OpenReader(ctx, files...)
}
