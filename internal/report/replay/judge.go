package replay

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report"
)

// verdict is what one side says of a call.
type verdict struct {
	// effect is "" when the side says none: see obstacle. An imported call has
	// neither on the side of the journal.
	effect   policy.Effect
	obstacle audit.Obstacle
	reasons  []policy.Reason
	// off reports that the gate was switched off; covers is the setting for session
	// approvals.
	off    bool
	covers policy.Coverage
	beyond bool // no approval for the session covers it
}

// judgement is what both sides say of all calls that are the same. What they touch
// is kept only where it may be needed.
type judgement struct {
	old, new verdict
	// otherReasons reports that both sides have the same policy and verdict, and
	// not the same reasons.
	otherReasons bool
	// linkless reports that symbolic links would have mattered and are not known.
	linkless bool
	// otherPrograms reports that other files about programs were in force when it
	// was decided.
	otherPrograms bool
	// grant is the target that an approval for the session would have to be for,
	// target what the person decides about.
	grant, target key
	what, shape   string
}

// key stands for a longer text.
type key [16]byte

func keyOf(parts ...string) key {
	var text []byte
	for _, p := range parts {
		text = append(strconv.AppendInt(text, int64(len(p)), 10), ':')
		text = append(text, p...)
	}
	sum := sha256.Sum256(text)
	return key(sum[:len(key{})])
}

// judge decides a call on both sides.
func (r *run) judge(t *task) error {
	j, c := t.judged, t.call
	row, err := r.source.Row(r.ctx, c.Judged)
	if err == nil && row.Erased && !c.Erased {
		row, err = r.source.Row(r.ctx, c.Seq)
	}
	if err != nil {
		return err
	}
	recorded := r.options.Old == nil
	if recorded {
		j.old = verdict{effect: row.Verdict, reasons: row.Reasons}
	}
	masked := maskedIn(c, &row)
	call, links, err := r.derive(&row, t, masked)
	var obstacle audit.Obstacle
	if errors.As(err, &obstacle) {
		// Without the call, the policy does not matter.
		j.new = verdict{obstacle: obstacle}
		if !recorded {
			j.old = j.new
		}
	} else if err != nil {
		return err
	}
	if call == nil {
		return nil
	}
	j.linkless = row.Kind == gate.KindImport && call.Paths() != nil
	evaluate(&j.new, t.new, call, links, masked)
	oldDigest := c.Policy
	switch {
	case recorded:
	case t.old != nil && t.new != nil && t.old.Digest() == t.new.Digest():
		oldDigest, j.old = "", j.new
	default:
		oldDigest = ""
		evaluate(&j.old, t.old, call, links, masked)
	}
	j.otherReasons = t.new != nil && oldDigest == t.new.Digest() && j.old.effect == j.new.effect &&
		!masked.has("/reasons") && !slices.EqualFunc(j.old.reasons, j.new.reasons, sameReason)
	j.keep(&row, call, links)
	return nil
}

// derive makes the call of a row. An obstacle is an error, and then there is
// none.
func (r *run) derive(row *audit.Row, t *task, masked masks) (*policy.Call, policy.LinkFacts, error) {
	req, links, err := row.Request()
	if err != nil && !(r.options.Reanalyse && errors.Is(err, audit.ObstacleAnalyser)) {
		return nil, nil, err
	}
	if row.Kind == gate.KindImport {
		req.Installation = r.options.Installation
	}
	call := policy.Derive(req)
	if t.new != nil {
		call = t.new.Derive(req)
	}
	if !r.options.Reanalyse && !t.otherPrograms && !masked.has("/resources") && !slices.Equal(call.Resources, row.Resources) {
		return nil, nil, audit.ObstacleAnalyser // though it has the same name
	}
	return call, links, nil
}

func evaluate(v *verdict, p *policy.Policy, call *policy.Call, links policy.LinkFacts, masked masks) {
	switch {
	case p == nil:
		return // the obstacle is noted
	case (masked.has("/input") || policy.Omitted(call.Request.Input)) && p.LooksAtArguments(call):
		if v.obstacle = audit.ObstacleOmitted; masked.has("/input") {
			v.obstacle = audit.ObstacleMasked
		}
		return
	}
	said := policy.Evaluate(p, call, links)
	v.beyond = said.Beyond
	v.effect, v.reasons, v.off, v.covers = said.Effect, said.Reasons, !p.Settings.Enabled, p.Settings.SessionApprovals
}

// keep keeps what may be told of the call. That most calls run on both sides
// costs nothing.
func (j *judgement) keep(row *audit.Row, call *policy.Call, links policy.LinkFacts) {
	if j.old.effect == policy.Ask || j.new.effect == policy.Ask || row.Verdict == policy.Ask {
		j.grant = keyOf(string(gate.NewGrantKey(call, links)))
	}
	// A call that asks now and asked then keeps its answer, unless that was an
	// approval which a side narrows.
	kept := row.Verdict == policy.Ask && j.old.covers != policy.CoverExact && j.new.covers != policy.CoverExact && !j.old.beyond && !j.new.beyond
	if j.old.effect == j.new.effect && !j.otherReasons && (j.new.effect != policy.Ask || kept) {
		j.old.reasons, j.new.reasons = nil, nil
		return
	}
	j.what = row.What()
	if j.old.effect != policy.Allow && j.old.effect != policy.Pass {
		j.target = targetOf(row)
	}
	about := j.new.reasons
	if strictness[j.old.effect] > strictness[j.new.effect] {
		about = j.old.reasons
	}
	j.shape = report.Shape(call, about)
}

// targetOf is what a person decides about, in its project.
func targetOf(row *audit.Row) key {
	return keyOf(row.Project, row.Tool, policy.Target(row.Tool, row.Input))
}

// strictness orders the effects. What was refused elsewhere counts as denied.
var strictness = map[policy.Effect]int{policy.Pass: 0, policy.Allow: 1, policy.Ask: 2, policy.Deny: 3, SideUndecided: 3}

// sameReason compares reasons. Where a rule stands is not part of a policy, so
// it does not count.
func sameReason(a, b policy.Reason) bool {
	a.File, a.Line, b.File, b.Line = "", 0, "", 0
	return a == b
}

// masks are the fields of an entry in which secrets were masked, so that they
// cannot be compared.
type masks []string

func maskedIn(c *audit.Call, row *audit.Row) masks {
	if !c.Masked {
		return nil
	}
	e := struct {
		Masked []string `json:"masked"`
	}{}
	_ = json.Unmarshal(row.Body, &e) // what cannot be read is met by Row.Request
	return e.Masked
}

// has reports whether the field or one below it is among them.
func (m masks) has(field string) bool {
	return slices.ContainsFunc(m, func(pointer string) bool { return strings.HasPrefix(pointer, field) })
}

// direction says how a decision differs from another: looser (negative), the
// same, or stricter.
func direction(old, new decision) int {
	return cmp.Or(cmp.Compare(strictness[new.verdict], strictness[old.verdict]), cmp.Compare(severity[new.action], severity[old.action]))
}
