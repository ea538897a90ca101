package piview

import (
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report/suggest"
)

// Widener offers what could be drafted beside the exact rules for a call.
type Widener struct{}

var _ gate.Widener = Widener{}

// Wider is part of gate.Widener.
func (Widener) Wider(p *policy.Policy, c *policy.Call, links policy.LinkFacts, exact []string) (list []gate.WiderRule) {
	for _, w := range suggest.Wider(p, c, links, exact) {
		list = append(list, gate.WiderRule(w))
	}
	return list
}
