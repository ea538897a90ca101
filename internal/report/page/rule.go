package page

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate/policy"
)

// question counts the prompts of one judgement.
type question struct{ prompts, approved int }

func (b *builder) question(call *audit.Call) {
	q := b.asked[call.Judged]
	if q == nil {
		q = &question{}
		b.asked[call.Judged] = q
	}
	q.prompts++
	if call.Decision == policy.Run {
		q.approved++
	}
	if call.Waited > 0 && call.Waited < waitBounds[0].Microseconds() {
		b.special.quick++
	}
}

// programs fills the list of programs, those with most prompts first. A call of
// several programs counts for each that was asked about.
func (b *builder) programs(ctx context.Context) error {
	type most struct {
		Program
		prompts int   // of the call most often asked about,
		judged  int64 // which this is
	}
	found := map[string]*most{}
	for judged, q := range b.asked {
		for _, name := range b.known[judged].programs {
			p := found[name]
			if p == nil {
				p = &most{Program: Program{Name: name}}
				found[name] = p
			}
			p.Prompts += q.prompts
			p.Approved += q.approved
			if q.prompts > p.prompts || q.prompts == p.prompts && judged < p.judged {
				p.prompts, p.judged = q.prompts, judged
			}
		}
	}
	list := slices.SortedFunc(maps.Values(found), func(a, b *most) int {
		return cmp.Or(cmp.Compare(b.Prompts, a.Prompts), cmp.Compare(a.Name, b.Name))
	})
	var rows []Program
	for i, p := range list {
		if i == maxPrograms {
			break
		}
		text, err := b.text(ctx, p.judged)
		if err != nil {
			return err
		}
		p.Example = text.what
		rows = append(rows, p.Program)
	}
	b.report.Programs = List[Program]{Rows: rows, More: len(list) - len(rows)}
	if rows == nil {
		b.report.Programs.Rows = []Program{}
	}
	return nil
}

// ruleKey is a rule in what it does.
type ruleKey struct {
	rule   string
	effect policy.Effect
}

// use counts the calls that a rule decided.
type use struct {
	calls int
	last  audit.Micros
	// judged is the judgement of the newest.
	judged int64
}

func (b *builder) use(call *audit.Call) {
	for _, rule := range call.Rules {
		k := ruleKey{rule, call.Verdict}
		u := b.ruled[k]
		if u == nil {
			u = &use{}
			b.ruled[k] = u
		}
		u.calls++
		if call.Time >= u.last {
			u.last, u.judged = call.Time, call.Judged
		}
	}
}

// rules fills the list of rules, those with most calls first.
func (b *builder) rules(ctx context.Context) error {
	var list []RuleUse
	for k, u := range b.ruled {
		list = append(list, RuleUse{Rule: k.rule, Effect: k.effect, Calls: u.calls, Last: u.last})
	}
	slices.SortFunc(list, func(a, b RuleUse) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Effect, b.Effect))
	})
	b.report.Rules = listOf(list, maxRules)
	for i := range b.report.Rules.Rows {
		r := &b.report.Rules.Rows[i]
		text, err := b.text(ctx, b.ruled[ruleKey{r.Rule, r.Effect}].judged)
		if err != nil {
			return err
		}
		r.Where, r.Rule = text.places[r.Rule], shorten(r.Rule)
	}
	return nil
}
