package audit

import (
	"context"
	"sync"
	"time"

	"github.com/pigate/pigate/internal/gate"
)

// gapCounter counts the entries that could not be recorded. What it counts is
// written down at once, where anything can be, so that it outlives the process.
type gapCounter struct {
	mu sync.Mutex
	gapCount
	lenient bool
	folders func() []slip // where a slip may be written, best first
	written *slip         // nil while nothing is, or can be
	found   []foundGap    // by processes that have ended
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

// foundGap is what another process counted, and where it was written down.
type foundGap struct {
	gapCount
	lenient bool
	slip    *slip
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
	m.write()
}

// write writes down what is counted. The caller has the lock.
func (m *gapCounter) write() {
	if m.written == nil && m.folders != nil {
		for _, s := range m.folders() {
			if s.create() == nil {
				m.written = &s
				break
			}
		}
	}
	if m.written != nil {
		_ = m.written.write(m.gapCount, m.lenient) // what was there before says less, and something
	}
}

// adopt takes over what processes have counted that ended.
func (m *gapCounter) adopt(list []foundGap) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.found = append(m.found, list...)
}

// now returns what is to be told: what this process counted, whose Entries are 0
// when it missed none, and what others did.
func (m *gapCounter) now() (own gapCount, found []foundGap) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.gapCount, m.found
}

// told takes back what committed gap entries said.
func (m *gapCounter) told(g gapCount, found []foundGap) {
	if g.Entries == 0 && len(found) == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range found {
		f.slip.remove()
	}
	m.found = m.found[len(found):]
	m.Entries -= g.Entries
	m.Decisions -= g.Decisions
	switch {
	case m.written == nil:
	case m.Entries > 0:
		m.write()
	default:
		m.written.remove()
		m.written = nil
	}
}

// close leaves what was not told to another process.
func (m *gapCounter) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.written != nil {
		m.written.leave()
	}
	for _, f := range m.found {
		f.slip.leave()
	}
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
