package suggest

import (
	"path"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// The most wider rules that are told of one piece of a call, and of the call.
const (
	widerOfPiece = 3
	widerOfCall  = 6
)

// WiderRule is a rule that covers more than exactly one call.
type WiderRule struct {
	// Rule is the line as it would stand in the configuration.
	Rule string
	// But is a dangerous call that it would let run too, which a person should know;
	// "" for none.
	But string
}

// Wider lists allow rules that are wider than the exact ones for a call that
// asks, the narrowest first: those that could be drafted were there the history
// for it. None has more than the greatest risk of a draft, is named by a deny
// rule, or touches pigate's or Pi's own files; each, with the exact rules for the
// other pieces, lets the call run. One that lets a dangerous call run as well
// stands there only where a piece has no other, as the narrowest, and says so.
// What people said of earlier calls is not looked at.
func Wider(p *policy.Policy, c *policy.Call, links policy.LinkFacts, exact []string) (list []WiderRule) {
	state, pieces := lacks(p, &Subject{Request: c.Request, Links: links})
	if state != asks {
		return nil
	}
	most := Options{}.withDefaults().MaxRisk
	for _, x := range pieces {
		var safe []WiderRule
		var unsafe *WiderRule
		for _, o := range x.wider(knows(p)) {
			r, err := parse(o.text, rule.Allow)
			known := slices.Contains(exact, o.text) || slices.ContainsFunc(list, func(w WiderRule) bool { return w.Rule == o.text })
			if err != nil || known || min(0.99, classes[o.class].risk+o.wide) > most || !lets(p, c, links, r, x, exact) {
				continue
			}
			switch found := veto(p, &r); {
			case found == nil && len(safe) < widerOfPiece:
				safe = append(safe, WiderRule{Rule: o.text})
			case found != nil && found.Cause == VetoDangerous && unsafe == nil:
				unsafe = &WiderRule{o.text, found.Detail}
			}
		}
		if len(safe) == 0 && unsafe != nil {
			safe = append(safe, *unsafe)
		}
		if list = append(list, safe...); len(list) > widerOfCall {
			return list[:widerOfCall]
		}
	}
	return list
}

// offer is a rule that covers a piece and more.
type offer struct {
	text  string
	class class
	wide  float64 // what its width adds to the risk of the class
}

// wider are the rules with a wildcard for one piece, the narrowest first.
func (x piece) wider(known knowledge) (list []offer) {
	switch {
	case x.kind == editPiece:
		dir, ext := path.Dir(x.text), path.Ext(x.text)
		if dir == "." || risky[ext] || sensitive(x.text) || sensitive(dir+"/x") || !within(x.text) || path.IsAbs(x.text) || strings.ContainsAny(x.text, "*?\\\n\r\x00:") {
			return nil
		}
		return []offer{{rule.Edit + ":" + dir + "/*" + ext, local, 0.15 / float64(1+strings.Count(dir, "/")) / 2}}
	case x.kind != shellPiece || x.exact || !writable(x.text):
		return nil
	}
	words := words(x.text)
	least := known.depth(words, x.shape)
	if least == 0 || least > len(words) {
		return nil
	}
	for n := max(least, len(words)-1); n >= least; n-- {
		if !slices.ContainsFunc(words[:n], func(w string) bool { return !literal(w) }) {
			list = append(list, offer{rule.Shell + ":" + glob.Escape(strings.Join(words[:n], " ")) + " *", x.class(known), 0.05})
		}
	}
	return list
}

// lets reports that a rule lets the call run in the place of the exact rule for a
// piece.
func lets(p *policy.Policy, c *policy.Call, links policy.LinkFacts, r rule.Rule, x piece, exact []string) bool {
	own := rule.Shell + ":" + glob.Escape(x.text)
	if x.kind == editPiece {
		own = rule.Edit + ":" + x.text
	}
	rules := append(p.Rules[:len(p.Rules):len(p.Rules)], r)
	for _, line := range exact {
		if other, err := parse(line, rule.Allow); err == nil && line != own {
			rules = append(rules, other)
		}
	}
	return policy.Evaluate(policy.New(p.Settings, rules), c, links).Effect == policy.Allow
}
