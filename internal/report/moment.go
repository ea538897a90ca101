package report

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/text"
)

// Moment is what was in force in a session just before an entry was recorded,
// rebuilt from the entries alone. The tags are the fields of
// `pigate audit session --at --json`.
type Moment struct {
	Session string `json:"session"`
	// At is the number of the entry; Time is that of the last entry of the session
	// that counts.
	At   int64        `json:"at"`
	Time audit.Micros `json:"time"`
	// Open reports whether the session had begun and not ended.
	Open bool `json:"open"`
	// Decided is the decision that tells of the policy: that of the entry, else the
	// last one before it; 0 when nothing had been decided. Trusted is whether the
	// project was trusted then, Digest the policy's and Policy its text; null when
	// the journal does not have it. NewMoment leaves Policy to its caller.
	Decided int64           `json:"decided"`
	Trusted bool            `json:"trusted"`
	Digest  string          `json:"policy_digest"`
	Policy  json.RawMessage `json:"policy"`
	// Grants are what was allowed for the session, in the order of the answers.
	Grants []Grant `json:"grants"`
}

// Grant is a call that the person allowed for the session.
type Grant struct {
	// Seq is the decision that gave it.
	Seq  int64        `json:"seq"`
	Time audit.Micros `json:"time"`
	Tool string       `json:"tool"`
	What string       `json:"what"`
	// Covers is what the person was told that the approval covers.
	Covers policy.Coverage `json:"covers"`

	words string // safe to show, with what it covers
}

// errNotBegun is a moment before the session.
var errNotBegun = errors.New("nothing of the session is recorded before it")

// NewMoment rebuilds what was in force before the entry with a number, from the
// rows of one session, of all kinds and oldest first. It uses the gate's own
// grants, so that a call counts as granted here exactly when it did there; of an
// erased or masked call the grant is listed as its text is.
func NewMoment(rows iter.Seq2[audit.Row, error], at int64) (Moment, error) {
	b := momentBuilder{Moment: Moment{At: at, Policy: json.RawMessage("null"), Grants: []Grant{}}}
	for row, err := range rows {
		if err != nil {
			return b.Moment, err
		}
		if row.Seq > at {
			break
		}
		if err := b.add(&row); err != nil {
			return b.Moment, fmt.Errorf("entry %d: %w", row.Seq, err)
		}
	}
	if b.Session == "" {
		return b.Moment, fmt.Errorf("entry %d: %w", at, errNotBegun)
	}
	return b.Moment, nil
}

type momentBuilder struct {
	Moment
	grants gate.Grants
}

func (b *momentBuilder) add(row *audit.Row) error {
	b.Session, b.Time = row.Session, row.Time
	if row.Kind == gate.KindDecision {
		m := moreOf(row)
		b.Decided, b.Trusted, b.Digest = row.Seq, m.Trusted, fmt.Sprint(m.Policy)
	}
	if row.Seq == b.At {
		return nil // what it brings about comes after
	}
	switch row.Kind {
	case gate.KindSessionStart, gate.KindSessionEnd:
		b.grants.Reset(time.Time{})
		b.Grants, b.Open = []Grant{}, row.Kind == gate.KindSessionStart
	case gate.KindDecision:
		b.Open = true
		if row.Answer == gate.AnswerSession && row.Decision == policy.Run {
			return b.grant(row)
		}
	default:
		// tells nothing of grants
	}
	return nil
}

func (b *momentBuilder) grant(row *audit.Row) error {
	covers, input := row.Approval()
	given := Grant{Seq: row.Seq, Time: row.Time, Tool: row.Tool, What: row.What(), Covers: covers}
	given.words = text.Visible(given.Tool + " " + given.What)
	req, links, err := row.Request()
	var obstacle audit.Obstacle
	switch {
	case err == nil, errors.Is(err, audit.ObstacleAnalyser):
		call := policy.Derive(req)
		key := gate.NewGrantKey(call, links)
		if _, before := b.grants.Covers(key, input, covers); before {
			return nil
		}
		grant := gate.NewGrant(call, covers)
		b.grants.Add(key, input, grant)
		given.words = grant.Words(covers)
	case !errors.As(err, &obstacle):
		return err
	case slices.ContainsFunc(b.Grants, func(g Grant) bool { return g.Tool == given.Tool && g.What == given.What }):
		return nil
	}
	b.Grants = append(b.Grants, given)
	return nil
}

// WriteMoment writes what was in force for people.
func WriteMoment(w io.Writer, m Moment, screen Screen) error {
	out := bufio.NewWriter(w)
	say := func(name, format string, args ...any) {
		fmt.Fprintf(out, "%-9s %s\n", name, text.Visible(fmt.Sprintf(format, args...)))
	}
	clock := func(t audit.Micros) string { return t.Time().In(screen.Zone).Format("2006-01-02 15:04:05") }
	say("session", "%s", m.Session)
	state := "open"
	if !m.Open {
		state = "not open"
	}
	say("before", "entry %d; the session was %s, last heard of at %s", m.At, state, clock(m.Time))
	if m.Decided == 0 {
		say("policy", "not known: nothing had been decided")
	} else {
		sayPolicy(say, m.Digest, m.Trusted, m.Policy)
	}
	if len(m.Grants) == 0 {
		say("grants", "none")
	}
	for i, g := range m.Grants {
		name := ""
		if i == 0 {
			name = "grants"
		}
		say(name, "%s (%d, %s)", g.words, g.Seq, clock(g.Time))
	}
	return out.Flush()
}
