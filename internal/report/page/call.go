package page

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// The flags of an approval, the gravest first.
const (
	FlagMismatch       = "mismatch"
	FlagSelfProtection = "self-protection"
	FlagOutside        = "outside-project"
	FlagGuarded        = "guarded-flag"
	FlagOpaque         = "opaque"
	FlagMasked         = "masked-secret"
	FlagRedirection    = "redirection"
	FlagFirst          = "first-time"
)

var flags = []string{FlagMismatch, FlagSelfProtection, FlagOutside, FlagGuarded, FlagOpaque, FlagMasked, FlagRedirection, FlagFirst}

// flagOf are the causes that are a flag of what was approved in spite of them.
var flagOf = map[policy.Cause]string{policy.CauseSelfProtection: FlagSelfProtection, policy.CauseOutside: FlagOutside, policy.CauseGuardedFlag: FlagGuarded,
	policy.CauseOpaque: FlagOpaque, policy.CauseUnparsed: FlagOpaque, policy.CauseRedirection: FlagRedirection}

// callGroup are calls that are the same in what counts for a list.
type callGroup struct {
	newest   audit.Call
	times    int
	mismatch bool
	masked   bool
	outside  bool
	first    bool // nothing before one of them was the same
}

// refusal is what denials that are counted together have in common.
type refusal struct {
	subject int64
	basis   policy.Basis
	answer  gate.Answer
}

func tally[K comparable](all map[K]*callGroup, key K, call *audit.Call) *callGroup {
	s := all[key]
	if s == nil {
		s = &callGroup{}
		all[key] = s
	}
	if call.Time >= s.newest.Time {
		s.newest = *call
	}
	s.times++
	s.mismatch, s.masked, s.outside = s.mismatch || call.Mismatch, s.masked || call.Masked, s.outside || call.Outside
	return s
}

func (b *builder) refuse(call *audit.Call) {
	tally(b.denials, refusal{call.Subject, call.Basis, call.Answer}, call)
}

func (b *builder) approve(call *audit.Call) {
	s := tally(b.approvals, call.Subject, call)
	s.first = s.first || !b.met[call.Subject]
}

// about is what both lists say of calls.
func (b *builder) about(ctx context.Context, s *callGroup) (About, error) {
	text, err := b.text(ctx, s.newest.Judged)
	if err != nil {
		return About{}, err
	}
	c := &s.newest
	return About{Seq: c.Seq, Time: c.Time, Session: c.Session, Project: c.Project, Tool: c.Tool, What: text.what, Why: text.why, Times: s.times}, nil
}

// refused fills the list of denials, the newest first.
func (b *builder) refused(ctx context.Context) error {
	var rows []Denial
	list := slices.SortedFunc(maps.Values(b.denials), newest)
	for i, s := range list {
		if i == maxDenials {
			break
		}
		about, err := b.about(ctx, s)
		if err != nil {
			return err
		}
		rows = append(rows, Denial{About: about, Basis: s.newest.Basis, Answer: s.newest.Answer})
	}
	b.report.Denials = listOf(rows, maxDenials)
	b.report.Denials.More = len(list) - len(rows)
	return nil
}

func newest(a, b *callGroup) int { return cmp.Compare(b.newest.Seq, a.newest.Seq) }

// approved fills the list of approvals, the gravest first. What was asked about
// for the first time and has no other flag comes last.
func (b *builder) approved(ctx context.Context) error {
	type ranked struct {
		*callGroup
		flags []string
	}
	var list []ranked
	for _, s := range b.approvals {
		if f := s.flags(b.known[s.newest.Judged].causes); len(f) > 0 {
			list = append(list, ranked{s, f})
		}
	}
	slices.SortFunc(list, func(a, b ranked) int {
		rank := func(r ranked) int { return slices.Index(flags, r.flags[0]) }
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(len(b.flags), len(a.flags)), newest(a.callGroup, b.callGroup))
	})
	var rows []Approval
	for i, r := range list {
		if i == maxApprovals {
			break
		}
		about, err := b.about(ctx, r.callGroup)
		if err != nil {
			return err
		}
		rows = append(rows, Approval{About: about, Basis: r.newest.Basis, Answer: r.newest.Answer, Flags: r.flags})
	}
	b.report.Approvals = listOf(rows, maxApprovals)
	b.report.Approvals.More = len(list) - len(rows)
	return nil
}

func (s *callGroup) flags(causes []policy.Cause) (list []string) {
	has := map[string]bool{FlagMismatch: s.mismatch, FlagMasked: s.masked, FlagOutside: s.outside, FlagFirst: s.first}
	for _, cause := range causes {
		if flag, ok := flagOf[cause]; ok {
			has[flag] = true
		}
	}
	for _, flag := range flags {
		if has[flag] {
			list = append(list, flag)
		}
	}
	return list
}
