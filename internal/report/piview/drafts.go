package piview

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report/suggest"
)

// Drafter drafts allow rules from the journal for Pi's own dialog.
type Drafter struct {
	// Open opens the journal; the reader is closed after use.
	Open func(ctx context.Context) (*audit.Reader, error)
	// File is where the rules of a project would be saved.
	File func(root string) string
	// Same are the folders that count as one project with root, root first; nil is
	// root alone.
	Same func(root string) []string
	// Installation is where the gate's own files are.
	Installation policy.Installation
	Now          func() time.Time
}

var _ gate.Drafter = Drafter{}

// draftTime is how long drafting may take: a host waits for ten seconds.
const draftTime = 8 * time.Second

var errSlow = errors.New("the history is too long to do it here; pigate suggest takes its time in a terminal")

// inPi are the thresholds for drafts in Pi. The person has been asked again and
// again today and wants it to end, so that one session is enough; what vetoes a
// draft stays.
var inPi = suggest.Options{Limit: 8, MinSessions: 1, MinDays: 1}

// Drafts drafts rules for the project at root. A history that takes too long to
// look through is an error.
func (d Drafter) Drafts(ctx context.Context, root string, p *policy.Policy) (list []gate.Suggestion, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, draftTime, errSlow)
	defer cancel()
	r, err := d.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	at := suggest.Place{Projects: sameAs(root, d.Same), Installation: d.Installation}
	result, _, err := suggest.For(ctx, r, at, p, inPi)
	if ctx.Err() != nil && errors.Is(context.Cause(ctx), errSlow) {
		return nil, errSlow
	}
	if err != nil {
		return nil, err
	}
	for i := range result.Drafts {
		// A deny rule is a question about the rules, which belongs to a quiet moment.
		if draft := &result.Drafts[i]; draft.Effect == policy.Allow {
			list = append(list, suggestion(draft, d.File(root), d.Now()))
		}
	}
	return list, nil
}

// suggestion is a draft in the few words that a dialog has room for.
func suggestion(d *suggest.Draft, file string, now time.Time) gate.Suggestion {
	var evidence []string
	count := func(n int, format string) {
		if n > 0 {
			evidence = append(evidence, fmt.Sprintf(format, n))
		}
	}
	count(d.Approvals, "approved %d×")
	count(d.Runs, "ran %d×")
	count(d.Saves, "spares %d")
	s := gate.Suggestion{Rule: d.Rule, File: file, Evidence: strings.Join(evidence, ", "), Calls: d.Calls()}
	say := func(format string, args ...any) { s.Details = append(s.Details, fmt.Sprintf(format, args...)) }
	if d.Saves > 0 {
		say("would have spared %s, %.1f a week", counted(d.Saves, "prompt"), d.SavesWeek)
	}
	say("seen in %s on %s, last %s", counted(d.Sessions, "session"), counted(d.Days, "day"), d.Last.Time().In(now.Location()).Format("2006-01-02 15:04"))
	say("risk %.2f of 1", d.Risk)
	for _, words := range d.RiskWords {
		say("  %s", words)
	}
	if d.Unseen > 0 {
		say("about %.0f %% of what it will allow was never seen before", 100*d.Unseen)
	}
	if len(d.Narrower) > 0 {
		say("narrower: %s", d.Narrower[0])
	}
	if len(d.Wider) > 0 {
		say("wider: %s", d.Wider[0])
	}
	say("such as:")
	for _, example := range d.Examples {
		say("  %s", example)
	}
	return s
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
