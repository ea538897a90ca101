package suggest

import (
	"slices"
)

// proof is what in the history speaks for a candidate.
type proof struct {
	approvals, runs, failed, dismissed int
	sessions, days                     int
	first, last                        int64
	// seen is how many sightings of covered pieces there are, once how many covered
	// pieces were seen a single time.
	seen, once int
	// subjects are the calls with a covered piece, sorted.
	subjects []int32
}

// evidence is how many calls speak for the candidate.
func (p *proof) evidence() int { return p.approvals + p.runs }

// unseen estimates, after Good and Turing, how likely the next command that the
// rule covers is one that was never seen: the share of sightings that are of a
// command seen once.
func (p *proof) unseen() float64 {
	if p.seen == 0 {
		return 1
	}
	return float64(p.once) / float64(p.seen)
}

const day = 24 * 60 * 60 * 1_000_000 // microseconds

// ledger finds the sightings of pieces, those of refused calls left out.
type ledger struct {
	history *History
	needs   []need
	pieces  *pieces
	// of are the subjects that lack a piece, by its number; at the events of a
	// subject; count how often a piece was seen.
	of    [][]int32
	at    [][]int32
	count []int
}

func newLedger(h *History, list []need, p *pieces) *ledger {
	l := &ledger{h, list, p, make([][]int32, len(p.list)), make([][]int32, len(h.subjects)), make([]int, len(p.list))}
	for i, e := range h.events {
		if e.word == Denied {
			continue // so that a no never brings a draft about
		}
		if l.at[e.subject] == nil {
			for _, id := range list[e.subject].pieces {
				l.of[id] = append(l.of[id], e.subject)
			}
		}
		l.at[e.subject] = append(l.at[e.subject], int32(i))
		for _, id := range list[e.subject].pieces {
			l.count[id]++
		}
	}
	return l
}

// prove gathers what speaks for a candidate.
func (l *ledger) prove(c *candidate) {
	p := proof{}
	for _, id := range c.covers {
		p.subjects = append(p.subjects, l.of[id]...)
		p.seen += l.count[id]
		if l.count[id] == 1 {
			p.once++
		}
	}
	slices.Sort(p.subjects)
	p.subjects = slices.Compact(p.subjects)
	sessions, days := map[int32]bool{}, map[int64]bool{}
	for _, s := range p.subjects {
		for _, i := range l.at[s] {
			e := &l.history.events[i]
			switch e.word {
			case Approved:
				p.approvals++
			case Ran, Granted:
				p.runs++
			case Failed:
				p.failed++
				continue
			case Dismissed:
				p.dismissed++
				continue
			case Denied, Unknown:
				continue
			}
			sessions[e.session], days[e.time/day] = true, true
			if p.first == 0 {
				p.first = e.time
			}
			p.first, p.last = min(p.first, e.time), max(p.last, e.time)
		}
	}
	p.sessions, p.days = len(sessions), len(days)
	c.proof = p
}

// enough reports that a candidate has the evidence that the options ask for. The
// riskier it is, the more: what only looks, or changes little, may come from one
// session, and what changes files here from one day, or from one session with a
// great many distinct calls.
func (c *candidate) enough(o Options) bool {
	risk := c.risk()
	switch most := o.MaxRiskUnseen; {
	case c.approvals >= o.MinCalls && risk > o.MaxRisk, c.approvals < o.MinCalls && risk > most:
		return false
	case risk < slight:
		return c.evidence() >= min(2, o.MinCalls)
	}
	kinds := len(c.covers)
	if c.evidence() < o.MinCalls || c.wild && kinds < o.MinKinds && !c.rule.Whole {
		return false
	}
	if risk < middling {
		return c.sessions >= o.MinSessions || c.evidence() >= manyCalls*o.MinCalls && kinds >= manyKinds*o.MinKinds
	}
	return c.sessions >= o.MinSessions && c.days >= o.MinDays
}

// Below slight a rule can do little harm; below middling its harm stays here and
// can be undone. So many times the least evidence makes up for a second session.
const (
	slight    = 0.22
	middling  = 0.42
	manyCalls = 3
	manyKinds = 2
)

// confidence is how sure the yes of people is: the lower end of what their
// answers allow for the share of yes, by Wilson, at nine of ten. Plain runs
// count half of an approval: nobody said yes to them, nobody said no.
func (p *proof) confidence() float64 {
	yes := float64(p.approvals) + float64(p.runs)/2
	return wilson(yes, yes+float64(p.dismissed)/2)
}
