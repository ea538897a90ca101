package page

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report/lint"
)

// Journal is what a report is made from; audit.Reader is one. Row is called by
// several goroutines.
type Journal interface {
	Calls(ctx context.Context, f audit.Filter) iter.Seq2[audit.Call, error]
	List(ctx context.Context, f audit.Filter) iter.Seq2[audit.Row, error]
	Row(ctx context.Context, seq int64) (audit.Row, error)
}

// Options say what a report is about.
type Options struct {
	// Filter chooses the calls. Its times are the period; without Since the period
	// begins with the first call, without Until it ends with the last.
	Filter audit.Filter
	// Filters and Journals are shown as they are given.
	Filters, Journals []string
	// Zone is that of days and hours, Now when the report is made.
	Zone *time.Location
	Now  time.Time
	// Findings are what is the matter with the rules in force in the folder
	// RulesOf, "" when nobody looked.
	Findings []lint.Finding
	RulesOf  string
}

// New makes the report of a journal in one pass over the calls of the period and
// of the one before. The text of calls is read for those that are shown, once
// for calls that are the same. Entries that cannot be understood are counted in
// a note; any other error of the journal ends it.
func New(ctx context.Context, journal Journal, o Options) (*Report, error) {
	b := &builder{journal: journal, filter: o.Filter, now: newCounter(o.Zone), before: newCounter(o.Zone), texts: map[int64]*wording{},
		courses: courses{}, approvals: map[int64]*callGroup{}, denials: map[refusal]*callGroup{}, met: map[int64]bool{}, known: map[int64]gist{}, asked: map[int64]*question{}, ruled: map[ruleKey]*use{}}
	b.report = &Report{Made: audit.Micros(o.Now.UnixMicro()), Zone: zoneName(o.Zone, o.Now), Journals: known(o.Journals), Projects: known(o.Filter.Projects),
		Filters: known(o.Filters), Period: Period{Since: o.Filter.Since, Until: o.Filter.Until}, RulesOf: o.RulesOf, Findings: listOf(o.Findings, maxFindings)}
	if err := b.read(ctx, o); err != nil {
		return nil, fmt.Errorf("make report: %w", err)
	}
	for _, step := range []func(context.Context) error{b.figures, b.gists, b.programs, b.refused, b.approved, b.rules, b.sessions, b.notes} {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("make report: %w", err)
		}
	}
	return b.report, nil
}

// known makes an empty list of none, which is [] in JSON.
func known(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func zoneName(zone *time.Location, now time.Time) string {
	if name := zone.String(); name != "Local" && name != "" {
		return name
	}
	return now.In(zone).Format("MST -07:00")
}

// builder is a report in the making.
type builder struct {
	journal     Journal
	filter      audit.Filter
	report      *Report
	now, before *counter
	texts       map[int64]*wording
	courses     courses
	// Calls are held by what they have in common, so that a journal of many needs
	// no more memory than the different ones of them.
	approvals map[int64]*callGroup // by subject
	denials   map[refusal]*callGroup
	asked     map[int64]*question // by judgement
	ruled     map[ruleKey]*use
	met       map[int64]bool // subjects
	known     map[int64]gist // by judgement
	broken    int
	special   special
}

// special counts calls that a note tells of.
type special struct{ disabled, journal, quick int }

// read makes the pass over the calls.
func (b *builder) read(ctx context.Context, o Options) error {
	f := o.Filter
	f.Kind, f.Imported, f.Reverse, f.Limit = gate.KindDecision, false, false, 0
	if f.Since != 0 {
		until := f.Until
		if until == 0 {
			until = b.report.Made
			b.report.Period.Until = until
		}
		f.Since = max(f.Since-(until-f.Since), 1)
	}
	for call, err := range b.journal.Calls(ctx, f) {
		switch {
		case err != nil && call.Seq == 0:
			return err
		case err != nil:
			b.broken++
		case call.Time < o.Filter.Since:
			b.before.count(&call)
			b.met[call.Subject] = true
		default:
			b.count(&call)
			b.met[call.Subject] = true
		}
	}
	return nil
}

func (b *builder) count(call *audit.Call) {
	b.now.count(call)
	b.courses.count(call)
	switch {
	case asked(call):
		b.question(call)
	case call.Basis == policy.BasisRule:
		b.use(call)
	case call.Basis == policy.BasisDisabled:
		b.special.disabled++
	case call.Basis == policy.BasisJournal:
		b.special.journal++
	}
	if call.Decision != policy.Run {
		b.refuse(call)
	} else if asked(call) || call.Mismatch {
		b.approve(call)
	}
}

// asked reports whether a person was asked about a call.
func asked(call *audit.Call) bool { return call.Answer != "" && call.Answer != gate.AnswerNoUI }
