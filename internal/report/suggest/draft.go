package suggest

import (
	"strings"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/text"
)

// Draft is a suggested rule with what speaks for it. Its texts come from the
// agent and are hostile: show them through text.Visible.
type Draft struct {
	// Rule is the line as it would stand in the configuration, Effect the list.
	Rule   string        `json:"rule"`
	Effect policy.Effect `json:"effect"`
	// Question says that this is a question rather than advice: a deny rule.
	Question bool `json:"question"`
	// Saves is how many prompts of the history would not have been asked with all
	// drafts, and would be without this one; SavesWeek the same in a week. 0 for a
	// deny rule.
	Saves     int     `json:"saves"`
	SavesWeek float64 `json:"saves_week"`
	Evidence  `json:"evidence"`
	// Risk is from 0 to 1, RiskWords say why.
	Risk      float64  `json:"risk"`
	RiskWords []string `json:"risk_words"`
	// Unseen is the estimated share of what it will allow that was never seen
	// before; 0 for a rule without a wildcard.
	Unseen float64 `json:"unseen"`
	// Score is how far the draft may be trusted, from 0 to 1.
	Score float64 `json:"score"`
	// Examples are a few of the commands, paths or tools that it covers, the most
	// frequent first.
	Examples []string `json:"examples"`
	// Narrower and Wider are rules of the same kind that could be had instead, the
	// next first; none is vetoed.
	Narrower []string `json:"narrower"`
	Wider    []string `json:"wider"`
}

// Evidence is what speaks for a draft. Plain runs say that something ran, never
// that somebody approved it.
type Evidence struct {
	// Approvals are calls that a person approved, Runs those that ran well without
	// anybody being asked, Failed those of them that failed, Dismissed those whose
	// dialog was left without an answer; Denials, of a deny rule, are refusals.
	Approvals int `json:"approvals"`
	Runs      int `json:"runs"`
	Failed    int `json:"failed"`
	Dismissed int `json:"dismissed"`
	Denials   int `json:"denials"`
	// Kinds is how many distinct commands, paths or tools there were, Sessions and
	// Days in how many sessions and on how many days.
	Kinds    int `json:"kinds"`
	Sessions int `json:"sessions"`
	Days     int `json:"days"`
	// First and Last are when that was.
	First audit.Micros `json:"first"`
	Last  audit.Micros `json:"last"`
}

// Calls is how many calls speak for the draft, as a rejection records it.
func (e Evidence) Calls() int { return e.Approvals + e.Runs + e.Denials }

// examplesShown is how many examples a draft carries.
const examplesShown = 5

func (m *miner) draft(c *candidate, saves int) Draft {
	unseen := 0.0
	if c.wild {
		unseen = c.unseen()
	}
	d := Draft{Rule: c.rule.Text, Effect: policy.Allow, Saves: saves, SavesWeek: float64(saves) / m.weeks,
		Evidence: Evidence{Approvals: c.approvals, Runs: c.runs, Failed: c.failed, Dismissed: c.dismissed, Kinds: len(c.covers),
			Sessions: c.sessions, Days: c.days, First: audit.Micros(c.first), Last: audit.Micros(c.last)},
		Risk: c.risk(), RiskWords: c.riskWords(), Unseen: unseen, Score: c.score(), Examples: m.examples(c)}
	d.Narrower, d.Wider = m.rungs(c)
	return d
}

// score is how far a candidate may be trusted: how sure people are of it, less
// for its risk and for what nobody has seen.
func (c *candidate) score() float64 {
	unseen := 0.0
	if c.wild {
		unseen = c.unseen()
	}
	return c.confidence() * (1 - c.risk()) * (1 - unseen/2)
}

// neverAsked are the words for evidence of plain runs alone.
const neverAsked = "nobody was ever asked about it"

// riskWords say what the risk is made of.
func (c *candidate) riskWords() []string {
	list := []string{classes[c.class].words}
	if found, ok := text.Imitation(c.rule.Text); ok {
		list = append(list, found.String())
	}
	if c.wild && c.wide > 0 {
		list = append(list, "stands for more than was seen")
	}
	if c.rule.Scope == rule.Edit && strings.HasSuffix(c.rule.Text, "/*") {
		list = append(list, "files of every kind there, hidden ones too")
	}
	if c.approvals == 0 {
		list = append(list, neverAsked)
	}
	if c.failed > c.runs {
		list = append(list, "failed more often than not")
	}
	return list
}
