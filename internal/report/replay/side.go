package replay

import (
	"context"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
)

// Open, beside gate.Run and gate.Block, is the decision on a call that would be
// asked about when nobody ever was: the answer is not known.
const Open gate.Action = "ask"

// severity orders the decisions.
var severity = map[gate.Action]int{gate.Run: 0, Open: 1, gate.Block: 2}

// decided is the decision of one side on one call.
type decided struct {
	verdict gate.Effect // "" for none
	action  gate.Action // "" for none
	basis   gate.Basis
	// prompt reports that a person is asked.
	prompt bool
}

// silent reports that the call runs and nobody is asked.
func (d decided) silent() bool { return d.action == gate.Run && !d.prompt }

// asRecorded is the decision that was made.
func asRecorded(c *audit.Call) decided {
	return decided{c.Verdict, c.Decision, c.Basis, asked(c)}
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
}

// session is one since its last start.
type session struct {
	left   []start // the starts that are still to come
	noUI   bool
	grants map[key]bool
}

func newSide(starts map[string][]start) *side {
	return &side{starts, map[string]*session{}}
}

// decide turns a verdict into a decision. Calls must come in their order.
func (s *side) decide(c *audit.Call, j *judged, v verdict) decided {
	switch v.effect {
	case "":
		return decided{}
	case gate.Ask:
		return s.ask(c, j)
	default:
		action, basis := gate.Settle(v.effect, !v.off)
		return decided{verdict: v.effect, action: action, basis: basis}
	}
}

// ask keeps what was decided when the call asked then too; otherwise it looks
// for an approval of the session.
func (s *side) ask(c *audit.Call, j *judged) decided {
	now := s.session(c)
	if c.Verdict == gate.Ask {
		if c.Answer == gate.AnswerSession || c.Basis == gate.BasisGrant {
			now.grants[j.grant] = true
		}
		return asRecorded(c)
	}
	d := decided{verdict: gate.Ask}
	switch {
	case c.Kind == gate.KindImport:
		d.action, d.prompt = Open, true
	case now.grants[j.grant]:
		d.action, d.basis = gate.Run, gate.BasisGrant
	case now.noUI:
		d.action, d.basis = gate.Block, gate.BasisNoUI
	default:
		d.action, d.basis, d.prompt = Open, gate.BasisUser, true
	}
	return d
}

// session is the session of a call as it stands at that moment.
func (s *side) session(c *audit.Call) *session {
	now := s.sessions[c.Session]
	if now == nil {
		now = &session{left: s.starts[c.Session], grants: map[key]bool{}}
		s.sessions[c.Session] = now
	}
	for len(now.left) > 0 && now.left[0].seq < c.Seq {
		now.noUI = !now.left[0].hasUI
		clear(now.grants)
		now.left = now.left[1:]
	}
	return now
}
