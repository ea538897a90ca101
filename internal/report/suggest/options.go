package suggest

import "github.com/pigate/pigate/internal/gate/policy"

// Options are the thresholds of drafts. The zero value of a field that has a
// default means that default.
type Options struct {
	// Limit is how many drafts there may be (default 20).
	Limit int
	// MinCalls, MinSessions and MinDays are how much evidence a draft needs: calls
	// that a person approved or that ran well, in how many sessions, on how many
	// days (defaults 3, 2 and 2).
	MinCalls, MinSessions, MinDays int
	// MinKinds is how many distinct commands a wildcard must stand for (default 3).
	MinKinds int
	// MaxRisk is the greatest risk of a draft, from 0 to 1 (default 0.7), and
	// MaxRiskUnseen the greatest of one that no person ever approved (default 0.5).
	MaxRisk, MaxRiskUnseen float64
	// MinDenials and MinDenialSessions are how often a person must have refused a
	// shape before a deny rule is drafted (defaults 3 and 2).
	MinDenials, MinDenialSessions int
	// Rejected are what people said of earlier drafts; see Rejection.
	Rejected []Rejection
}

// Rejection is a draft that a person rejected.
type Rejection struct {
	Rule   string
	Effect policy.Effect
	// Evidence is how many calls spoke for it then. It is drafted again when there
	// are twice as many.
	Evidence int
}

func orInt(value, otherwise int) int {
	if value == 0 {
		return otherwise
	}
	return value
}

func orFloat(value, otherwise float64) float64 {
	if value == 0 {
		return otherwise
	}
	return value
}

func (o Options) withDefaults() Options {
	o.Limit = orInt(o.Limit, 20)
	o.MinCalls = orInt(o.MinCalls, 3)
	o.MinSessions, o.MinDays, o.MinKinds = orInt(o.MinSessions, 2), orInt(o.MinDays, 2), orInt(o.MinKinds, 3)
	o.MaxRisk, o.MaxRiskUnseen = orFloat(o.MaxRisk, 0.7), orFloat(o.MaxRiskUnseen, 0.5)
	o.MinDenials, o.MinDenialSessions = orInt(o.MinDenials, 3), orInt(o.MinDenialSessions, 2)
	return o
}
