package suggest

import "slices"

// cover is the choice of the candidates that spare the most prompts. A call is
// spared when rules cover all its pieces, so a candidate alone often spares
// nothing: the choice goes by what share it adds to the calls that lack it.
type cover struct {
	ledger *ledger
	// prompts is how often a person is asked about a subject, lacking how many of
	// its pieces no chosen candidate covers; held counts who covers a piece.
	prompts []int
	lacking []int32
	held    []int32
}

func newCover(l *ledger) *cover {
	v := &cover{l, make([]int, len(l.needs)), make([]int32, len(l.needs)), make([]int32, len(l.pieces.list))}
	for i := range l.needs {
		if l.needs[i].state != asks {
			continue
		}
		v.lacking[i] = int32(len(l.needs[i].pieces))
		for _, at := range l.at[i] {
			if prompts(l.history.events[at].word) {
				v.prompts[i]++
			}
		}
	}
	return v
}

// prompts reports that a person was asked, or would be, about a call of which
// this became. A run under a grant asks nobody; what was refused is not to be
// spared.
func prompts(w Word) bool {
	switch w {
	case Unknown, Ran, Failed, Approved, Dismissed:
		return true
	case Granted, Denied:
	}
	return false
}

// gain is what a candidate adds: for each call the share of its lacking pieces
// that it covers, times the prompts.
func (v *cover) gain(c *candidate) float64 {
	total := 0.0
	for _, s := range c.subjects {
		if v.lacking[s] == 0 || v.prompts[s] == 0 || v.ledger.needs[s].state != asks {
			continue
		}
		n := 0
		for _, id := range v.ledger.needs[s].pieces {
			if v.held[id] == 0 && c.has(id) {
				n++
			}
		}
		if n > 0 {
			share := float64(n) / float64(v.lacking[s])
			total += float64(v.prompts[s]) * share * share
		}
	}
	return total
}

func (c *candidate) has(id int32) bool {
	_, found := slices.BinarySearch(c.covers, id)
	return found
}

// take adds a candidate to the choice, drop takes it back.
func (v *cover) take(c *candidate) { v.change(c, 1) }
func (v *cover) drop(c *candidate) { v.change(c, -1) }

func (v *cover) change(c *candidate, by int32) {
	for _, id := range c.covers {
		before := v.held[id] == 0
		v.held[id] += by
		if after := v.held[id] == 0; before != after {
			for _, s := range v.ledger.of[id] {
				v.lacking[s] -= by
			}
		}
	}
}

// spared is how many prompts the choice saves, among the subjects.
func (v *cover) spared(subjects []int32) int {
	n := 0
	for _, s := range subjects {
		if v.lacking[s] == 0 && v.ledger.needs[s].state == asks {
			n += v.prompts[s]
		}
	}
	return n
}

// loss is how many prompts come back when one of the choice is taken away.
func (v *cover) loss(c *candidate) int {
	before := v.spared(c.subjects)
	v.drop(c)
	n := before - v.spared(c.subjects)
	v.take(c)
	return n
}

// choose picks at most limit candidates, greedily by gain weighed with merit,
// and drops those that turn out to spare nothing. fit says whether one may be
// taken at all; it is asked late, because it costs.
func (v *cover) choose(list []*candidate, limit int, merit func(*candidate) float64, fit func(*candidate) bool) []*candidate {
	var chosen []*candidate
	barred := map[*candidate]bool{}
	for {
		chosen = v.fill(list, chosen, barred, limit, merit, fit)
		kept := chosen[:0:0]
		for _, c := range chosen {
			if v.loss(c) >= least {
				kept = append(kept, c)
				continue
			}
			v.drop(c)
			barred[c] = true
		}
		if len(kept) == len(chosen) {
			return chosen
		}
		chosen = kept
	}
}

// least is how many prompts a rule must spare beside the others, or it is not
// worth a line in a file that people read.
const least = 2

func (v *cover) fill(list, chosen []*candidate, barred map[*candidate]bool, limit int, merit func(*candidate) float64, fit func(*candidate) bool) []*candidate {
	for len(chosen) < limit {
		var best *candidate
		most := 0.0
		for _, c := range list {
			if barred[c] {
				continue
			}
			if gain := v.gain(c) * merit(c); gain > most+1e-9 {
				best, most = c, gain
			}
		}
		if best == nil {
			return chosen
		}
		barred[best] = true // chosen once, or never
		if fit(best) {
			v.take(best)
			chosen = append(chosen, best)
		}
	}
	return chosen
}
