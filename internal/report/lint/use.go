package lint

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// Use is what the journal knows of a rule. The tags are fields of `pigate rules
// list --json`.
type Use struct {
	// Calls is how many calls it decided, Last when it last did; 0 for none.
	Calls int          `json:"calls"`
	Last  audit.Micros `json:"-"`
	// Since is when a call was first decided under a policy that held the rule,
	// whether or not the rule had a part in it; 0 when there was none.
	Since audit.Micros `json:"-"`
}

// ruleKey is a rule by what the journal knows of it.
type ruleKey struct {
	effect rule.Effect
	text   string
}

// Uses is what the journal knows of all rules, here and everywhere.
type Uses struct {
	here, all map[ruleKey]*Use
	// Newest is when the last call was decided here; 0 for none.
	Newest audit.Micros
}

// ReadUses goes through the journal once, from a time on; 0 is its beginning, and
// twice IdleAfter before now is enough for Idle. projects are the spellings of
// the folder that counts as here.
func ReadUses(ctx context.Context, r *audit.Reader, projects []string, from audit.Micros) (*Uses, error) {
	u := &Uses{here: map[ruleKey]*Use{}, all: map[ruleKey]*Use{}}
	place := audit.Filter{Projects: projects}
	type seen struct{ here, all audit.Micros }
	policies := map[string]*seen{}
	for call, err := range r.Calls(ctx, audit.Filter{Kind: gate.KindDecision, Since: from}) {
		if err != nil {
			return nil, err
		}
		here := place.Within(call.Project)
		p := policies[call.Policy]
		if p == nil {
			p = &seen{}
			policies[call.Policy] = p
		}
		earliest(&p.all, call.Time)
		if here {
			earliest(&p.here, call.Time)
			u.Newest = max(u.Newest, call.Time)
		}
		for _, text := range call.Rules {
			k := ruleKey{rule.Effect(call.Verdict), text}
			count(u.all, k, call.Time)
			if here {
				count(u.here, k, call.Time)
			}
		}
	}
	for row, err := range r.List(ctx, audit.Filter{Kind: gate.KindPolicy}) {
		if err != nil {
			return nil, err
		}
		digest, held, err := policyOf(&row)
		if err != nil {
			return nil, err
		}
		if p := policies[digest]; p != nil {
			for _, k := range held {
				since(u.all, k, p.all)
				since(u.here, k, p.here)
			}
		}
	}
	return u, nil
}

func earliest(at *audit.Micros, t audit.Micros) {
	if *at == 0 || t < *at {
		*at = t
	}
}

func count(uses map[ruleKey]*Use, k ruleKey, t audit.Micros) {
	use := uses[k]
	if use == nil {
		use = &Use{}
		uses[k] = use
	}
	use.Calls++
	use.Last = max(use.Last, t)
}

func since(uses map[ruleKey]*Use, k ruleKey, t audit.Micros) {
	if t == 0 {
		return
	}
	if uses[k] == nil {
		uses[k] = &Use{}
	}
	earliest(&uses[k].Since, t)
}

// policyOf reads which rules a recorded policy holds; none when it was erased.
func policyOf(row *audit.Row) (digest string, held []ruleKey, err error) {
	var entry struct {
		Digest string `json:"digest"`
		Policy *struct {
			Allow, Deny, Ask []string
		} `json:"policy"`
	}
	if err := json.Unmarshal(row.Body, &entry); err != nil {
		return "", nil, fmt.Errorf("policy of entry %d: %w", row.Seq, err)
	}
	if entry.Policy == nil {
		return entry.Digest, nil, nil
	}
	for _, text := range entry.Policy.Allow {
		held = append(held, ruleKey{rule.Allow, text})
	}
	for _, text := range entry.Policy.Deny {
		held = append(held, ruleKey{rule.Deny, text})
	}
	for _, text := range entry.Policy.Ask {
		held = append(held, ruleKey{rule.Ask, text})
	}
	return entry.Digest, held, nil
}

// Of is the use of a rule: of a project's own rule here, of any other
// everywhere.
func (u *Uses) Of(r *rule.Rule, own bool) Use {
	uses := u.all
	if own {
		uses = u.here
	}
	if use := uses[ruleKey{r.Effect, r.Text}]; use != nil {
		return *use
	}
	return Use{}
}

// IdleAfter is how long a rule is in force without a use before it counts as
// unused.
const IdleAfter = 30 * 24 * time.Hour

// Idle finds rules that were in force for IdleAfter before now, while calls
// were decided here, and decided none of them. Rules that are new are not among
// them, nor are those of a project in which nothing happened. own tells a
// project's own rules.
func Idle(p *policy.Policy, u *Uses, now time.Time, own func(*rule.Rule) bool) []Finding {
	from := audit.Micros(now.Add(-IdleAfter).UnixMicro())
	if u.Newest < from {
		return nil
	}
	var list []Finding
	for i := range p.Rules {
		r := &p.Rules[i]
		use := u.Of(r, own(r))
		if use.Since == 0 || use.Since > from || use.Last >= from {
			continue
		}
		text := "it was never used"
		if use.Calls > 0 {
			text = "it was last used on " + use.Last.Time().In(now.Location()).Format("2006-01-02")
		}
		list = append(list, Finding{Kind: Unused, Rule: r.Text, Effect: r.Effect, File: r.File, Line: r.Line,
			Text: text + ", and it is in force since " + use.Since.Time().In(now.Location()).Format("2006-01-02") + " at least", Advice: "remove it if you do not miss it"})
	}
	return list
}
