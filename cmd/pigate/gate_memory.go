package main

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/wire"
	"github.com/pigate/pigate/internal/report/allowlist"
)

// memory is what the gate knows of its journal's past. Nothing of it decides
// anything: where it fails, dialogs come without history and the person without
// advice.
type memory struct {
	journal  string
	past     *audit.Past
	offer    *allowlist.Offer
	ready    atomic.Bool // the index is, or none is needed
	catching atomic.Bool // the index is caught up with
	warn     func(error)
}

func newMemory(journal string, warn func(error)) *memory {
	return &memory{journal: journal, past: audit.NewPast(journal), offer: &allowlist.Offer{}, warn: warn}
}

// started makes the past ready when a session begins, in the background.
func (m *memory) started(ctx context.Context, root string) {
	count := m.offer.Begin(root, time.Now())
	go wire.Alongside(func() {
		err := m.past.Refresh(ctx)
		if err == nil {
			m.ready.Store(true)
			err = m.read(ctx, func(r *audit.Reader) error { return count(ctx, r) })
		}
		if err != nil {
			m.warn(err)
		}
	})
}

// History is part of gate.Historian. When the index has fallen behind in a long
// session, it catches up in the background.
func (m *memory) History(ctx context.Context, req gate.Request) (gate.History, error) {
	h, err := m.past.History(ctx, req)
	if errors.Is(err, audit.ErrBehind) && m.catching.CompareAndSwap(false, true) {
		go wire.Alongside(func() {
			defer m.catching.Store(false)
			if err := m.past.Refresh(context.WithoutCancel(ctx)); err != nil {
				m.warn(err)
			}
		})
	}
	return h, err
}

// recent is the report of /allowlist log.
func (m *memory) recent(ctx context.Context, root string, n int) (string, error) {
	return m.view(ctx, func(ctx context.Context, v allowlist.View) (string, error) { return v.Log(ctx, root, n) })
}

// why is the report of /allowlist why.
func (m *memory) why(ctx context.Context, session string) (string, error) {
	return m.view(ctx, func(ctx context.Context, v allowlist.View) (string, error) { return v.Why(ctx, session) })
}

// viewTime is how long a report may take: a host waits for ten seconds.
const viewTime = 8 * time.Second

var errLongJournal = errors.New("the journal is long and its index is not ready yet; try again in a moment, or ask pigate audit list in a terminal")

// view makes a report. It does not wait for the index.
func (m *memory) view(ctx context.Context, report func(context.Context, allowlist.View) (string, error)) (text string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, viewTime, errLongJournal)
	defer cancel()
	err = m.read(ctx, func(r *audit.Reader) error {
		text, err = report(ctx, allowlist.View{Reader: r, Scan: !m.ready.Load(), Past: m.past, Now: time.Now()})
		return err
	})
	if err != nil && errors.Is(context.Cause(ctx), errLongJournal) {
		err = errLongJournal
	}
	return text, err
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
