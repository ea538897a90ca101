package replay

import (
	"context"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// Open, beside gate.Run and gate.Block, is the decision on a call that would be
// asked about when nobody ever was: the answer is not known.
const Open policy.Action = "ask"

// severity orders the decisions.
var severity = map[policy.Action]int{policy.Run: 0, Open: 1, policy.Block: 2}

// decision is the decision of one side on one call.
type decision struct {
	verdict policy.Effect // "" for none
	action  policy.Action // "" for none
	basis   policy.Basis
	// prompt reports that a person is asked.
	prompt bool
}

// silent reports that the call runs and nobody is asked.
func (d decision) silent() bool { return d.action == policy.Run && !d.prompt }

// asRecorded is the decision that was made.
func asRecorded(c *audit.Call) decision {
	return decision{c.Verdict, c.Decision, c.Basis, asked(c)}
}

// asked reports that a person was asked about a call.
func asked(c *audit.Call) bool { return c.Answer != "" && c.Answer != gate.AnswerNoUI }

// answered reports that a person was asked and knew what about.
func answered(c *audit.Call) bool {
	switch c.Answer {
	case gate.AnswerOnce, gate.AnswerSession, gate.AnswerSave, gate.AnswerDeny, gate.AnswerDismissed:
		return true
	case gate.AnswerNoUI, gate.AnswerAborted:
	}
	return false
}

// refused reports that a person said no.
func refused(c *audit.Call) bool {
	return c.Answer == gate.AnswerDeny || c.Answer == gate.AnswerDismissed || c.Refused
}

// start is where a session of Pi began; the same one may begin several times.
type start struct {
	seq   int64
	hasUI bool
}

// readStarts finds where sessions began, whatever else a filter asks for.
func readStarts(ctx context.Context, source Source, f audit.Filter) (map[string][]start, error) {
	starts := map[string][]start{}
	for row, err := range source.List(ctx, audit.Filter{Kind: gate.KindSessionStart, Session: f.Session, Projects: f.Projects}) {
		if err != nil {
			return nil, err
		}
		starts[row.Session] = append(starts[row.Session], start{row.Seq, hasUI(&row)})
	}
	return starts, nil
}

// side makes the decisions of one side, with the approvals of each session as
// they would stand there.
type side struct {
	starts   map[string][]start
	sessions map[string]*session
	// approval reads what Row.Approval says of a call.
	approval func(c *audit.Call) (covers policy.Coverage, input string, err error)
}

// session is one since its last start.
type session struct {
	left   []start // the starts that are still to come
	noUI   bool
	grants gate.Grants
	exact  bool // some of the grants cover one input alone
}

func newSide(starts map[string][]start, approval func(*audit.Call) (policy.Coverage, string, error)) *side {
	return &side{starts, map[string]*session{}, approval}
}

// decide turns a verdict into a decision. Calls must come in their order.
func (s *side) decide(c *audit.Call, j *judgement, v verdict) (decision, error) {
	switch v.effect {
	case "":
		return decision{}, nil
	case policy.Ask:
		return s.ask(c, j, v)
	default:
		action, basis := policy.Settle(v.effect, !v.off)
		return decision{verdict: v.effect, action: action, basis: basis}, nil
	}
}

// ask keeps what was decided when the call asked then too; otherwise, and where
// an approval of the session covered more than this side lets one cover, it
// looks for an approval. None covers a call that is to be asked about each time.
func (s *side) ask(c *audit.Call, j *judgement, v verdict) (decision, error) {
	now, setting := s.session(c), v.covers
	switch {
	case c.Verdict != policy.Ask || v.beyond && c.Basis == policy.BasisGrant:
	case c.Answer == gate.AnswerSession && v.beyond:
		return asRecorded(c), nil
	case c.Answer == gate.AnswerSession:
		covers, input, err := s.approval(c)
		now.add(j, input, covers.Narrower(setting))
		return asRecorded(c), err
	case c.Basis == policy.BasisGrant:
		if kept, err := s.granted(now, c, j, setting); kept || err != nil {
			return asRecorded(c), err
		}
	default:
		return asRecorded(c), nil
	}
	d := decision{verdict: policy.Ask}
	covered, err := false, error(nil)
	if !v.beyond {
		covered, err = s.covered(now, c, j, setting)
	}
	switch {
	case c.Kind == gate.KindImport:
		d.action, d.prompt = Open, true
	case covered:
		d.action, d.basis = policy.Run, policy.BasisGrant
	case now.noUI:
		d.action, d.basis = policy.Block, policy.BasisNoUI
	default:
		d.action, d.basis, d.prompt = Open, policy.BasisUser, true
	}
	return d, err
}

// granted reports whether the approval that a call ran by then covers it on this
// side too. The approval itself may lie before the calls that are replayed, so
// the call stands for it from here on.
func (s *side) granted(now *session, c *audit.Call, j *judgement, setting policy.Coverage) (bool, error) {
	if _, known := now.grants.Covers(j.key(), "", setting); known {
		return true, nil
	}
	covers, input, err := s.approval(c)
	if err != nil || setting == policy.CoverExact && covers != policy.CoverExact {
		return false, err
	}
	now.add(j, input, covers)
	return true, nil
}

// covered reports whether an approval of the session covers a call. The digest
// of its input is read where it matters.
func (s *side) covered(now *session, c *audit.Call, j *judgement, setting policy.Coverage) (bool, error) {
	if _, known := now.grants.Covers(j.key(), "", setting); known || !now.exact && setting != policy.CoverExact || c.Kind == gate.KindImport {
		return known, nil
	}
	_, input, err := s.approval(c)
	_, known := now.grants.Covers(j.key(), input, setting)
	return known, err
}

// key is that of an approval for the target of a call.
func (j *judgement) key() gate.GrantKey { return gate.GrantKey(j.grant[:]) }

// add remembers an approval of a call with the digest of its whole input.
func (n *session) add(j *judgement, input string, covers policy.Coverage) {
	n.grants.Add(j.key(), input, gate.Grant{Covers: covers})
	n.exact = n.exact || covers == policy.CoverExact
}

// session is the session of a call as it stands at that moment.
func (s *side) session(c *audit.Call) *session {
	now := s.sessions[c.Session]
	if now == nil {
		now = &session{left: s.starts[c.Session]}
		s.sessions[c.Session] = now
	}
	for len(now.left) > 0 && now.left[0].seq < c.Seq {
		now.noUI, now.exact = !now.left[0].hasUI, false
		now.grants.Reset(time.Time{})
		now.left = now.left[1:]
	}
	return now
}
