package audit

import (
	"context"
	"sync"
	"time"

	"github.com/pigate/pigate/internal/gate"
)

// gapCounter counts the entries that could not be recorded.
type gapCounter struct {
	mu sync.Mutex
	gapCount
}

// gapCount is what a gap entry says in public.
type gapCount struct {
	Entries   int64 `json:"entries"`
	Decisions int64 `json:"decisions"`
	// From and To are when the first and the last were missed.
	From int64 `json:"from"`
	To   int64 `json:"to"`

	reason string // of the first
}

func (m *gapCounter) add(kind gate.Kind, why error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now().UnixMicro()
	if m.Entries == 0 {
		m.From, m.reason = now, why.Error()
	}
	m.To = now
	m.Entries++
	if kind == gate.KindDecision {
		m.Decisions++
	}
}

func (m *gapCounter) now() gapCount {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.gapCount
}

// told takes back what a committed gap entry said.
func (m *gapCounter) told(g gapCount) {
	if g.Entries == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.Entries -= g.Entries
	m.Decisions -= g.Decisions
}

// gap makes the entry. Policy says what became of the calls: "block", or "warn"
// when they ran.
func (n *encoder) gap(ctx context.Context, g gapCount, lenient bool) (*parts, error) {
	policy := "block"
	if lenient {
		policy = "warn"
	}
	h := head{Kind: gate.KindGap, Time: time.Now().UnixMicro()}
	return n.parts(ctx, h, struct {
		head
		gapCount
		Policy string `json:"on_error"`
	}{h, g, policy}, struct {
		Reason string `json:"reason"`
	}{g.reason})
}
