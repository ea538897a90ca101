package piview

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report"
	"github.com/pigate/pigate/internal/text"
)

// enough is after how many questions of one shape in a project /allowlist suggest
// is offered, once.
const enough = 10

// offering stands in the one notice that a project gets, and in the journal's
// entry by which it is known again.
const offering = "/allowlist suggest looks for a rule that spares them"

// Offer counts the questions that people answered, by project and shape, and says
// once in a project that rules can be drafted. It may be used by several
// goroutines.
type Offer struct {
	mu       sync.Mutex
	projects map[string]*tally
}

var _ gate.Adviser = (*Offer)(nil)

// tally are the questions in one project: those that the journal had when its
// session began, as soon as they are counted, and those since.
type tally struct {
	since   audit.Micros
	counted bool
	made    bool // the offer
	shapes  map[string]int
}

// Begin starts counting in a project anew, when a session does. The function
// returned counts what the journal has; until it has done so without an error,
// nothing is offered.
func (o *Offer) Begin(root string, now time.Time) (count func(context.Context, *audit.Reader) error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.projects == nil {
		o.projects = map[string]*tally{}
	}
	t := &tally{since: audit.Micros(now.UnixMicro()), shapes: map[string]int{}}
	if old := o.projects[root]; old != nil {
		t.made = old.made
	}
	o.projects[root] = t
	return func(ctx context.Context, r *audit.Reader) error {
		made, shapes, err := before(ctx, r, root, t.since)
		if err != nil {
			return fmt.Errorf("count the questions so far: %w", err)
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		t.counted, t.made = true, t.made || made
		for shape, n := range shapes {
			t.shapes[shape] += n
		}
		return nil
	}
}

// Answered counts a question, and makes the offer when there were enough of its
// shape and a rule could be saved in the project.
func (o *Offer) Answered(c *policy.Call, v policy.Verdict) string {
	if !sparable(v.Reasons) {
		return ""
	}
	shape := report.Shape(c, v.Reasons)
	o.mu.Lock()
	defer o.mu.Unlock()
	t := o.projects[folder(c.Request)]
	if t == nil {
		return ""
	}
	t.shapes[shape]++
	if n := t.shapes[shape]; n >= enough && t.counted && !t.made && c.Request.Trusted {
		t.made = true
		return fmt.Sprintf("you were asked %d times in this project about calls like %q; %s", n, text.Clip(text.Visible(shape), columns/2), offering)
	}
	return ""
}

func folder(req policy.Request) string {
	if req.Root == "" {
		return req.Cwd
	}
	return req.Root
}

// sparable reports that rules could have spared a question.
func sparable(reasons []policy.Reason) bool {
	for _, r := range reasons {
		if r.Cause != policy.CauseNoRule {
			return false
		}
	}
	return len(reasons) > 0
}

// before counts the questions of a project before a moment, and tells whether the
// offer was made then.
func before(ctx context.Context, r *audit.Reader, root string, until audit.Micros) (made bool, shapes map[string]int, err error) {
	for row, err := range r.List(ctx, audit.Filter{Projects: []string{root}, Kind: gate.KindWarning, Until: until}) {
		var w gate.Warning
		switch {
		case err != nil && row.Seq == 0:
			return false, nil, err
		case err == nil && json.Unmarshal(row.Body, &w) == nil && strings.HasSuffix(w.Text, offering):
			return true, nil, nil
		}
	}
	shapes = map[string]int{}
	known := map[int64]string{} // by the entry that stands for calls which are the same
	for c, err := range r.Calls(ctx, audit.Filter{Projects: []string{root}, Basis: policy.BasisUser, Until: until}) {
		if err != nil && c.Seq == 0 {
			return false, nil, err
		}
		if err != nil || c.Project != root || c.Answer == gate.AnswerAborted {
			continue
		}
		shape, ok := known[c.Judged]
		if !ok {
			shape = shapeOf(ctx, r, c.Judged)
			known[c.Judged] = shape
		}
		if shape != "" {
			shapes[shape]++
		}
	}
	return false, shapes, ctx.Err()
}

// shapeOf is the shape of a decided call, "" when no rule could have spared the
// question or its text is gone.
func shapeOf(ctx context.Context, r *audit.Reader, seq int64) string {
	row, err := r.Row(ctx, seq)
	if err != nil || !sparable(row.Reasons) {
		return ""
	}
	req, _, err := row.Request()
	if err != nil && !errors.Is(err, audit.ObstacleAnalyser) {
		return ""
	}
	return report.Shape(policy.Derive(req), row.Reasons)
}
