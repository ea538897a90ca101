package suggest

import (
	"bytes"
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// Result is what a history says about the rules of a project.
type Result struct {
	// Drafts are the suggested rules: the allow rules by the prompts they save, then
	// the deny rules. They are never nil.
	Drafts []Draft
	// Prompts are the calls of the history that a person was asked about and would
	// be asked about today, or would have been had pigate been there; Spared those
	// that the allow drafts together would have spared; Fixed those that no allow
	// rule can spare.
	Prompts, Spared, Fixed int
	// Weeks is how long the history is, at least one.
	Weeks float64
	// Settings are settings that would spare prompts.
	Settings []Setting
}

// miner draws drafts from a history or parts of it under one policy.
type miner struct {
	history *History
	policy  *policy.Policy
	options Options
	needs   []need
	pieces  *pieces
	weeks   float64
	vetoes  map[string]*Veto
	all     []*candidate // of the last part
	ledger  *ledger
}

func newMiner(h *History, p *policy.Policy, o Options) *miner {
	m := &miner{history: h, policy: p, options: o.withDefaults(), vetoes: map[string]*Veto{}, weeks: h.weeks()}
	m.needs, m.pieces = needs(p, h.subjects)
	return m
}

// mine chooses candidates from a part of the history.
func (m *miner) mine(part *History) ([]*candidate, *cover) {
	l := newLedger(part, m.needs, m.pieces)
	m.ledger = l
	m.all = candidates(knows(m.policy), m.pieces, func(id int32) bool { return l.count[id] > 0 })
	var list []*candidate
	for _, c := range m.all {
		if l.prove(c); c.enough(m.options) {
			list = append(list, c)
		}
	}
	v := newCover(l)
	chosen := v.choose(list, m.options.Limit, worth, func(c *candidate) bool { return m.veto(c) == nil })
	chosen = m.verified(chosen, v)
	chosen = m.undenied(part, m.wanted(chosen, v), v)
	// What went may have been needed beside what stays.
	return keep(chosen, v, func(c *candidate) bool { return v.loss(c) >= least }), v
}

// worth weighs the prompts that a candidate spares: what recurs in many sessions
// is a habit, what stood for many distinct commands will stand for new ones, and
// what is risky must spare more. Of what can do little harm the wildcard comes
// before the single command.
func worth(c *candidate) float64 {
	w := float64(c.sessions) * (1 - classes[c.class].risk - c.wide/2)
	if c.wild {
		w *= 1 + math.Log2(float64(max(1, len(c.covers))))/4
		if c.risk() < slight {
			w *= 1.05
		}
	}
	return w
}

func (m *miner) veto(c *candidate) *Veto {
	if found, known := m.vetoes[c.rule.Text]; known {
		return found
	}
	found := veto(m.policy, &c.rule)
	m.vetoes[c.rule.Text] = found
	return found
}

// with is the policy with the rules of candidates.
func (m *miner) with(list ...*candidate) *policy.Policy {
	rules := m.policy.Rules[:len(m.policy.Rules):len(m.policy.Rules)]
	for _, c := range list {
		rules = append(rules, c.rule)
	}
	return policy.New(m.policy.Settings, rules)
}

// verified keeps the candidates that the gate itself finds to cover every piece
// that they claim, in every call.
func (m *miner) verified(chosen []*candidate, v *cover) []*candidate {
	claimed := map[int32]bool{}
	for _, c := range chosen {
		for _, s := range c.subjects {
			claimed[s] = true
		}
	}
	list := slices.Sorted(maps.Keys(claimed))
	subjects := make([]Subject, len(list))
	for i, s := range list {
		subjects[i] = m.history.subjects[s]
	}
	left, numbered := needs(m.with(chosen...), subjects)
	wrong := map[piece]bool{}
	for i := range left {
		for _, id := range left[i].pieces {
			wrong[numbered.list[id].same()] = true
		}
	}
	return keep(chosen, v, func(c *candidate) bool {
		return !slices.ContainsFunc(c.covers, func(id int32) bool { return wrong[m.pieces.list[id].same()] })
	})
}

// keep drops the candidates that do not satisfy good, from the choice too.
func keep(chosen []*candidate, v *cover, good func(*candidate) bool) []*candidate {
	return slices.DeleteFunc(slices.Clone(chosen), func(c *candidate) bool {
		bad := !good(c)
		if bad {
			v.drop(c)
		}
		return bad
	})
}

// wanted drops what a person rejected, until its evidence has doubled, and what
// was left without an answer more often than approved.
func (m *miner) wanted(chosen []*candidate, v *cover) []*candidate {
	return keep(chosen, v, func(c *candidate) bool {
		return c.dismissed <= c.evidence() && !m.options.rejected(c.rule.Text, policy.Allow, c.evidence())
	})
}

// rejected reports that a draft was rejected when half of its evidence, or more,
// was there.
func (o *Options) rejected(text string, effect policy.Effect, evidence int) bool {
	return slices.ContainsFunc(o.Rejected, func(r Rejection) bool {
		return r.Rule == text && r.Effect == effect && evidence < 2*max(1, r.Evidence)
	})
}

// undenied drops the candidates that would let a call run that a person refused:
// one that would do so alone, and of those that would do so together the one
// that is trusted least. Each refused call is held against the whole choice,
// whatever the others take from it: so one more refusal can only drop more.
func (m *miner) undenied(part *History, chosen []*candidate, v *cover) []*candidate {
	refused := map[int32]bool{}
	for _, e := range part.events {
		if e.word == Denied {
			refused[e.subject] = true
		}
	}
	bad := map[*candidate]bool{}
	for _, s := range slices.SortedFunc(maps.Keys(refused), m.byContent) {
		subject := &m.history.subjects[s]
		call := m.policy.Derive(subject.Request)
		if policy.Evaluate(m.policy, call, subject.Links).Effect != policy.Ask {
			continue
		}
		allows := func(list ...*candidate) (policy.Verdict, bool) {
			verdict := policy.Evaluate(m.with(list...), call, subject.Links)
			return verdict, verdict.Effect == policy.Allow
		}
		rest := slices.Clone(chosen)
		drop := func(worse func(c *candidate) bool) {
			rest = slices.DeleteFunc(rest, func(c *candidate) bool {
				w := worse(c)
				bad[c] = bad[c] || w
				return w
			})
		}
		drop(func(c *candidate) bool { _, runs := allows(c); return runs })
		for verdict, runs := allows(rest...); runs; verdict, runs = allows(rest...) {
			worst := weakest(rest, verdict)
			drop(func(c *candidate) bool { return c == worst })
		}
	}
	return keep(chosen, v, func(c *candidate) bool { return !bad[c] })
}

// byContent orders subjects by what they are, whatever their numbers.
func (m *miner) byContent(a, b int32) int {
	x, y := &m.history.subjects[a].Request, &m.history.subjects[b].Request
	return cmp.Or(strings.Compare(x.Tool, y.Tool), bytes.Compare(x.Input, y.Input), strings.Compare(x.Cwd, y.Cwd), cmp.Compare(a, b))
}

// weakest is the candidate with the least score among those that a verdict rests
// on.
func weakest(chosen []*candidate, verdict policy.Verdict) *candidate {
	var worst *candidate
	for _, c := range chosen {
		rests := slices.ContainsFunc(verdict.Reasons, func(r policy.Reason) bool { return r.File == c.rule.File && r.Rule == c.rule.Text })
		if rests && (worst == nil || c.score() < worst.score()) {
			worst = c
		}
	}
	return worst
}

// result counts what the choice spares.
func (m *miner) result(chosen []*candidate, v *cover) Result {
	r := Result{Drafts: []Draft{}, Weeks: m.weeks}
	for s := range m.needs {
		n := 0
		for _, at := range v.ledger.at[s] {
			if prompts(v.ledger.history.events[at].word) {
				n++
			}
		}
		switch m.needs[s].state {
		case silent:
		case fixed:
			r.Fixed += n
			r.Prompts += n
		case asks, hopeless:
			r.Prompts += n
			if m.needs[s].state == asks && v.lacking[s] == 0 {
				r.Spared += n
			}
		}
	}
	for _, c := range chosen {
		r.Drafts = append(r.Drafts, m.draft(c, v.loss(c)))
	}
	slices.SortStableFunc(r.Drafts, func(a, b Draft) int {
		return cmp.Or(cmp.Compare(float64(b.Saves)*b.Score, float64(a.Saves)*a.Score), strings.Compare(a.Rule, b.Rule))
	})
	return r
}

// examples are the pieces that a candidate covers, the most frequent first.
func (m *miner) examples(c *candidate) []string {
	list := slices.Clone(c.covers)
	slices.SortFunc(list, func(a, b int32) int {
		return cmp.Or(cmp.Compare(m.ledger.count[b], m.ledger.count[a]), strings.Compare(m.pieces.list[a].text, m.pieces.list[b].text))
	})
	texts := []string{}
	for _, id := range list[:min(len(list), examplesShown)] {
		texts = append(texts, m.pieces.list[id].text)
	}
	return texts
}

// rungs are the candidates that cover less than one, and more, the next first.
func (m *miner) rungs(c *candidate) (narrower, wider []string) {
	var less, more []*candidate
	for _, o := range m.all {
		switch {
		case o == c || len(c.covers) == 0 || o.rule.Scope != c.rule.Scope:
		case width(o, c) < 0 && allIn(o.covers, c):
			less = append(less, o)
		case width(o, c) > 0 && allIn(c.covers, o):
			more = append(more, o)
		}
	}
	slices.SortFunc(less, func(a, b *candidate) int { return width(b, a) })
	slices.SortFunc(more, width)
	texts := func(list []*candidate) []string {
		found := []string{}
		for _, o := range list {
			if len(found) < maxRungs && m.veto(o) == nil && o.risk() <= m.options.MaxRisk {
				found = append(found, o.rule.Text)
			}
		}
		return found
	}
	return texts(less), texts(more)
}

// allIn reports that a candidate covers all of the pieces.
func allIn(ids []int32, c *candidate) bool {
	if len(ids) > len(c.covers) {
		return false
	}
	return !slices.ContainsFunc(ids, func(id int32) bool { return !c.has(id) })
}

// maxRungs is how many narrower and wider rules a draft names.
const maxRungs = 4

// width compares how much two candidates allow: what was seen of it, then whether
// a wildcard allows more, then how early it stands.
func width(a, b *candidate) int {
	wild := func(c *candidate) int {
		if c.wild {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(len(a.covers), len(b.covers)), cmp.Compare(wild(a), wild(b)), cmp.Compare(len(b.rule.Text), len(a.rule.Text)), strings.Compare(a.rule.Text, b.rule.Text))
}

// parse reads a rule of one effect.
func parse(text string, effect rule.Effect) (rule.Rule, error) {
	r, err := rule.Parse(text)
	r.Effect, r.File = effect, "-"
	return r, err
}
