package suggest

import (
	"sort"
	"strings"

	"github.com/pigate/pigate/internal/gate/policy"
)

// Backtest says how drafts that were drawn from the first part of a history fare
// in the rest of it.
type Backtest struct {
	// Rules is how many allow rules were drawn from the calls before Cut, in
	// microseconds since the Unix epoch.
	Rules int   `json:"rules"`
	Cut   int64 `json:"cut"`
	// Prompts and Spared are those of the calls from then on; Reachable are the
	// prompts that no setting and no ban on drafting puts out of the reach of rules.
	Prompts   int `json:"prompts"`
	Reachable int `json:"reachable"`
	Spared    int `json:"spared"`
	// New is how many distinct calls ran silently then that had never been seen
	// before, Examples a few of them.
	New      int      `json:"new"`
	Examples []string `json:"examples"`
	// Wrong is how many calls were let run that a person refused later on.
	Wrong int `json:"wrong"`
}

// trainShare is the share of the time that drafts are drawn from in a backtest.
const trainShare = 0.7

// Backtest draws drafts from the first 70 % of the time of the history and tries
// them on the rest. ok is false when one of the two holds no calls.
func (s *Study) Backtest() (b Backtest, ok bool) {
	h := s.miner.history
	cut := h.first + int64(trainShare*float64(h.last-h.first))
	m := *s.miner // which keeps what it says of the whole
	return m.test(sort.Search(len(h.events), func(i int) bool { return h.events[i].time > cut }))
}

// test mines the first events of the history and tries the drafts on the others.
func (m *miner) test(train int) (b Backtest, ok bool) {
	h := m.history
	if train == 0 || train == len(h.events) {
		return b, false
	}
	chosen, _ := m.mine(h.part(h.events[:train]))
	b.Rules, b.Cut = len(chosen), h.events[train].time
	known := map[int32]bool{}
	for _, e := range h.events[:train] {
		known[e.subject] = true
	}
	after := m.with(chosen...)
	spared := map[int32]bool{}
	for _, e := range h.events[train:] {
		if m.needs[e.subject].state == silent || !prompts(e.word) && e.word != Denied {
			continue
		}
		runs, tried := spared[e.subject]
		if !tried {
			s := &h.subjects[e.subject]
			runs = m.needs[e.subject].state == asks && policy.Evaluate(after, after.Derive(s.Request), s.Links).Effect == policy.Allow
			spared[e.subject] = runs
			if runs && !known[e.subject] {
				b.New++
				if len(b.Examples) < examplesShown {
					b.Examples = append(b.Examples, named(&s.Request))
				}
			}
		}
		b.count(m.needs[e.subject].state, e.word, runs)
	}
	return b, true
}

func (b *Backtest) count(s state, w Word, runs bool) {
	if w == Denied {
		if runs {
			b.Wrong++
		}
		return
	}
	b.Prompts++
	if s == asks {
		b.Reachable++
	}
	if runs {
		b.Spared++
	}
}

// named is a call as a person knows it: the command, or the tool with its target
// as it is called in the project.
func named(r *policy.Request) string {
	target := strings.TrimPrefix(policy.Target(r.Tool, r.Input), r.Root+"/")
	switch {
	case r.Tool == "bash", r.Tool == "powershell", target == r.Tool:
		return target
	}
	return r.Tool + " " + target
}
