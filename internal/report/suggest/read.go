package suggest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// Place is what is asked of the journal, and what imported calls do not say.
type Place struct {
	// Projects are the spellings of one project's folder; none means all projects.
	Projects []string
	// Group names, for ReadAll, the project that a folder counts as: that of the main
	// checkout for a worktree. Nil takes each for itself.
	Group func(project string) string
	// Since and Until bound the time of the evidence, as in audit.Filter. A refusal
	// counts whenever it was.
	Since, Until audit.Micros
	// Installation is where the gate's own files are.
	Installation policy.Installation
	// Scan reads every entry of the journal, and not the index beside it.
	Scan bool
	// Progress, unless nil, is called now and then with how many calls were read.
	Progress func(calls int)
}

// For drafts rules for a project: it reads its history, and what people said of
// earlier drafts, and mines both. Errors are those of the journal.
func For(ctx context.Context, r *audit.Reader, at Place, p *policy.Policy, o Options) (Result, *History, error) {
	s, h, err := StudyOf(ctx, r, at, p, o)
	if err != nil {
		return Result{}, nil, err
	}
	return s.Result(), h, nil
}

// StudyOf is For with everything that there is to ask.
func StudyOf(ctx context.Context, r *audit.Reader, at Place, p *policy.Policy, o Options) (*Study, *History, error) {
	h, err := Read(ctx, r, at, p)
	if err != nil {
		return nil, nil, err
	}
	rejected, err := Rejections(ctx, r, at.Projects)
	if err != nil {
		return nil, nil, err
	}
	o.Rejected = append(o.Rejected[:len(o.Rejected):len(o.Rejected)], rejected...)
	return NewStudy(h, p, o), h, nil
}

// Read gathers the calls of a project, recorded and imported, as far as they
// matter to drafts for a policy. Calls in projects beneath it are not its own:
// they have another configuration. Calls that cannot be decided again, because
// text was erased or masked, count as prompts that no rule can spare. Entries
// that cannot be understood are counted and left out.
func Read(ctx context.Context, r *audit.Reader, at Place, p *policy.Policy) (*History, error) {
	d := newHistoryBuilder(r, at, p)
	err := calls(ctx, r, at, func(c *audit.Call, err error) error {
		if err != nil {
			d.history.unreadable++
			return nil
		}
		return d.add(ctx, c)
	})
	d.history.sort()
	return d.history, err
}

// ReadAll is Read for every project of the journal, by its folder; policy gives
// the one that is in force in each. Entries that cannot be understood belong to
// none.
func ReadAll(ctx context.Context, r *audit.Reader, at Place, pol func(project string) *policy.Policy) (map[string]*History, error) {
	all, histories := map[string]*historyBuilder{}, map[string]*History{}
	err := calls(ctx, r, at, func(c *audit.Call, err error) error {
		if err != nil || c.Erased {
			return nil // the folder of an erased call is not known either
		}
		d := all[c.Project]
		if d == nil {
			project := c.Project
			if at.Group != nil {
				project = at.Group(project)
			}
			if d = all[project]; d == nil {
				d = newHistoryBuilder(r, at, pol(project))
				histories[project] = d.history
			}
			all[project], all[c.Project] = d, d
		}
		return d.add(ctx, c)
	})
	for _, h := range histories {
		h.sort()
	}
	return histories, err
}

// calls yields the calls of the place; err of one is that of an entry that cannot
// be understood.
func calls(ctx context.Context, r *audit.Reader, at Place, each func(c *audit.Call, err error) error) error {
	n := 0
	for c, err := range r.Calls(ctx, audit.Filter{Projects: at.Projects, Imported: true, Scan: at.Scan}) {
		if err != nil && c.Seq == 0 {
			return err
		}
		if err == nil && len(at.Projects) > 0 && !slices.Contains(at.Projects, c.Project) {
			continue
		}
		if err := each(&c, err); err != nil {
			return err
		}
		if n++; at.Progress != nil && n%progressStep == 0 {
			at.Progress(n)
		}
	}
	return nil
}

// progressStep is after how many calls progress is told.
const progressStep = 4096

// historyBuilder turns the calls of a journal into a history.
type historyBuilder struct {
	reader   *audit.Reader
	place    Place
	policy   *policy.Policy
	history  *History
	subjects map[int64]int   // by the number of the entry
	passing  map[string]bool // tools that pass under the policy
}

func newHistoryBuilder(r *audit.Reader, at Place, p *policy.Policy) *historyBuilder {
	return &historyBuilder{reader: r, place: at, policy: p, history: NewHistory(), subjects: map[int64]int{}, passing: map[string]bool{}}
}

func (d *historyBuilder) add(ctx context.Context, c *audit.Call) error {
	word, speaks := wordOf(c)
	outside := c.Time < d.place.Since || d.place.Until != 0 && c.Time >= d.place.Until
	if outside && word != Denied {
		return nil
	}
	if !speaks || d.quiet(c) {
		d.history.Passed(int64(c.Time))
		return nil
	}
	n, known := d.subjects[c.Subject]
	if !known {
		s, err := d.subject(ctx, c.Subject)
		if err != nil {
			return err
		}
		n = d.history.Subject(s)
		d.subjects[c.Subject] = n
	}
	seen := Sighting{Time: int64(c.Time), Session: c.Session, Word: word}
	if outside {
		d.history.saw(n, seen)
	} else {
		d.history.Saw(n, seen)
	}
	return nil
}

// quiet reports that a call need not be looked at: the policy that decided it is
// still in force and did not ask, or its tool passes.
func (d *historyBuilder) quiet(c *audit.Call) bool {
	if c.Verdict != "" && c.Verdict != policy.Ask && c.Policy == d.policy.Digest() {
		return true
	}
	pass, known := d.passing[c.Tool]
	if !known {
		v := policy.Evaluate(d.policy, d.policy.Derive(policy.Request{Tool: c.Tool, Input: json.RawMessage("null")}), nil)
		pass = v.Effect == policy.Pass
		d.passing[c.Tool] = pass
	}
	return pass
}

// subject reads what a call was.
func (d *historyBuilder) subject(ctx context.Context, seq int64) (Subject, error) {
	row, err := d.reader.Row(ctx, seq)
	if err != nil {
		return Subject{}, fmt.Errorf("read entry %d: %w", seq, err)
	}
	req, links, err := row.Request()
	var obstacle audit.Obstacle
	switch {
	case errors.As(err, &obstacle) && obstacle != audit.ObstacleAnalyser:
		return d.unclear(&row, obstacle), nil
	case err != nil && obstacle == "":
		return Subject{}, fmt.Errorf("read entry %d: %w", seq, err)
	}
	req.Session, req.Call, req.Parent = "", "", ""
	if row.Kind == gate.KindImport {
		req.Trusted, req.HasUI, req.Installation = true, true, d.place.Installation
	}
	return Subject{Request: req, Links: links}, nil
}

// unclear is a call that cannot be decided again. Where secrets were masked, what
// is left is kept: a refusal of it speaks against a rule that would cover that.
func (d *historyBuilder) unclear(row *audit.Row, obstacle audit.Obstacle) Subject {
	req := policy.Request{Tool: row.Tool, Input: json.RawMessage("null")}
	if obstacle == audit.ObstacleMasked {
		req.Input, req.Cwd, req.Root, req.Trusted, req.HasUI, req.OS = row.Input, row.Project, row.Project, true, true, runtime.GOOS
		req.Installation = d.place.Installation
	}
	return Subject{Request: req, Masked: true}
}

// wordOf says how a call speaks for or against rules; ok is false when it does
// not at all: nobody could be asked, it failed to be recorded, or another input
// ran than was approved.
func wordOf(c *audit.Call) (w Word, ok bool) {
	if c.Kind == gate.KindImport {
		switch {
		case c.Refused:
			return Denied, true
		case c.Outcome == audit.OutcomeOK:
			return Ran, true
		case c.Outcome == audit.OutcomeError:
			return Failed, true
		}
		return Unknown, true
	}
	switch c.Answer {
	case gate.AnswerDeny:
		return Denied, true
	case gate.AnswerDismissed:
		return Dismissed, true
	case gate.AnswerOnce, gate.AnswerSession, gate.AnswerSave:
		return Approved, c.Decision == policy.Run && !c.Mismatch
	case gate.AnswerNoUI, gate.AnswerAborted:
		return Unknown, false
	}
	switch {
	case c.Decision != policy.Run || c.Mismatch:
		return Unknown, false
	case c.Basis == policy.BasisGrant:
		return Granted, true
	case c.Outcome == audit.OutcomeError:
		return Failed, true
	}
	return Ran, true
}
