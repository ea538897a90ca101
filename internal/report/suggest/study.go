package suggest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// Study is a history under one policy, ready to be asked about rules. It may be
// used by one goroutine at a time.
type Study struct {
	miner  *miner
	result Result
}

// NewStudy drafts rules for a policy from a history. It is a pure function: the
// same history, policy and options give the same study, in whatever order the
// history was filled. A refusal in the history can only take drafts away.
func NewStudy(h *History, p *policy.Policy, o Options) *Study {
	h.sort()
	m := newMiner(h, p, o)
	chosen, v := m.mine(h)
	s := &Study{m, m.result(chosen, v)}
	s.result.Drafts = append(s.result.Drafts, m.denyDrafts()...)
	s.result.Settings = m.settings()
	return s
}

// Result is what the history says about the rules.
func (s *Study) Result() Result { return s.result }

// Match is something in the history that a rule covers, and how often it was
// seen. Its text is hostile.
type Match struct {
	Text  string `json:"text"`
	Count int    `json:"count"`
}

// Explanation is all that there is to say about a rule, drafted or not.
type Explanation struct {
	Draft
	// Drafted says that the rule is among the drafts; otherwise Veto or Missing says
	// why it is not, unless it would merely spare nothing beside the others.
	Drafted bool     `json:"drafted"`
	Veto    *Veto    `json:"veto"`
	Missing []string `json:"missing"`
	// Matches is what it covers of what is asked about today, the most frequent
	// first; Others are commands that were never seen and that it would allow too.
	Matches []Match  `json:"matches"`
	Others  []string `json:"others"`
}

// Explain says what speaks for and against an allow rule. The error is that of a
// text that is no rule.
func (s *Study) Explain(text string) (Explanation, error) {
	m := s.miner
	for _, d := range s.result.Drafts {
		if d.Rule == strings.TrimSpace(text) && d.Effect == policy.Deny {
			return Explanation{Draft: d, Drafted: true, Missing: []string{}, Matches: []Match{}, Others: []string{}}, nil
		}
	}
	c, err := m.candidate(text)
	if err != nil {
		return Explanation{}, err
	}
	m.ledger.prove(c)
	e := Explanation{Veto: m.veto(c), Missing: append([]string{}, c.missing(m.options)...)}
	if e.Veto == nil {
		e.Veto = m.refused(c)
	}
	e.Draft = m.draft(c, 0)
	for _, d := range s.result.Drafts {
		if d.Rule == c.rule.Text && d.Effect == policy.Allow {
			e.Draft, e.Drafted = d, true
		}
	}
	if m.options.rejected(c.rule.Text, policy.Allow, c.evidence()) {
		e.Missing = append(e.Missing, "it was rejected, and its evidence has not doubled since")
	}
	e.Matches, e.Others = m.matches(c), m.others(c, othersShown)
	return e, nil
}

// othersShown is how many commands that nobody has seen an explanation names.
const othersShown = 5

// candidate finds or makes the candidate for a rule that somebody names.
func (m *miner) candidate(text string) (*candidate, error) {
	r, err := parse(text, rule.Allow)
	if err != nil {
		return nil, fmt.Errorf("rule %q: %w", text, err)
	}
	if idle := r.Idle(); idle != "" {
		return nil, fmt.Errorf("rule %q: %s", text, idle)
	}
	for _, c := range m.all {
		if c.rule.Text == r.Text {
			return c, nil
		}
	}
	c := &candidate{rule: r, wild: r.Whole || r.Pattern.Wild() || r.Tool != nil && r.Tool.Wild(), wide: namedByHand, class: unknown}
	alone := policy.New(m.policy.Settings, []rule.Rule{r})
	worst := looks
	for i, x := range m.pieces.list {
		if m.ledger.count[i] == 0 || policy.Evaluate(alone, alone.Derive(x.call()), nil).Effect != policy.Allow {
			continue
		}
		c.covers = append(c.covers, int32(i))
		worst = max(worst, x.class(knows(m.policy)))
	}
	if len(c.covers) > 0 {
		c.class = worst
	}
	return c, nil
}

// namedByHand is what is added to the risk of a rule that is wider than any that
// would be drafted.
const namedByHand = 0.1

// call is a call of the piece alone.
func (x piece) call() policy.Request {
	switch x.kind {
	case editPiece:
		return sample("edit", "path", x.text)
	case mcpPiece:
		server, tool, _ := strings.Cut(x.text, ":")
		return sample("mcp__"+server+"__"+tool, "x", "")
	case toolPiece:
		return sample(x.text, "x", "")
	case shellPiece:
	}
	return sample("bash", "command", x.text)
}

func (x piece) class(k knowledge) class {
	switch x.kind {
	case editPiece:
		return local
	case mcpPiece, toolPiece:
		_, tool, found := strings.Cut(x.text, ":")
		if !found {
			tool = x.text
		}
		c, _ := toolClass(tool)
		return c
	case shellPiece:
	}
	c := k.classify(words(x.text), x.shape)
	if x.exact {
		c = max(c, guards) // "find" only looks, and "find -delete" does not
	}
	return c
}

// refused is the veto of a person's no, or nil.
func (m *miner) refused(c *candidate) *Veto {
	after := m.with(c)
	for _, e := range m.history.events {
		if e.word != Denied || m.needs[e.subject].state == silent {
			continue
		}
		s := &m.history.subjects[e.subject]
		if policy.Evaluate(after, after.Derive(s.Request), s.Links).Effect == policy.Allow {
			return &Veto{VetoDenied, policy.Target(s.Request.Tool, s.Request.Input)}
		}
	}
	return nil
}

// missing says in words what evidence a candidate lacks.
func (c *candidate) missing(o Options) []string {
	var list []string
	lack := func(has, want int, what string) {
		if has < want {
			list = append(list, fmt.Sprintf("%s: %d, must be %d", what, has, want))
		}
	}
	if c.enough(o) {
		return nil
	}
	risk := c.risk()
	switch {
	case c.approvals < o.MinCalls && risk > o.MaxRiskUnseen:
		list = append(list, fmt.Sprintf("a risk of %.2f is too much for what was approved less than %d times", risk, o.MinCalls))
	case risk > o.MaxRisk:
		list = append(list, fmt.Sprintf("a risk of %.2f is more than %.2f", risk, o.MaxRisk))
	}
	least := o.MinCalls
	if risk < slight {
		least = min(2, least)
	}
	lack(c.evidence(), least, "calls that were approved or ran well")
	if risk >= slight {
		if c.wild && !c.rule.Whole {
			lack(len(c.covers), o.MinKinds, "distinct commands")
		}
		lack(c.sessions, o.MinSessions, "sessions")
	}
	if risk >= middling {
		lack(c.days, o.MinDays, "days")
	}
	return list
}

// matches are the pieces that a candidate covers, the most frequent first.
func (m *miner) matches(c *candidate) []Match {
	list := make([]Match, 0, len(c.covers))
	for _, id := range c.covers {
		list = append(list, Match{m.pieces.list[id].text, m.ledger.count[id]})
	}
	slices.SortFunc(list, func(a, b Match) int { return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Text, b.Text)) })
	return list
}
