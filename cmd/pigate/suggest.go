package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/hint"
	"github.com/pigate/pigate/internal/report"
	"github.com/pigate/pigate/internal/report/lint"
	"github.com/pigate/pigate/internal/report/suggest"
	"github.com/pigate/pigate/internal/text"
)

type suggestOptions struct {
	suggest.Options
	project, since, until, journal string
	all, global, asJSON, noPager   bool
	interactive, noBacktest, scan  bool
	tighten                        bool
	explain                        string
	apply, reject                  []string
}

// draftLine is a line of `pigate suggest --json`.
type draftLine struct {
	// N is the draft's number, as --apply takes it; Project the folder it was drawn
	// from, "" for all projects together.
	N       int    `json:"n"`
	Project string `json:"project"`
	suggest.Draft
}

func newSuggest(env environment) *cobra.Command {
	var o suggestOptions
	cmd := &cobra.Command{
		Use:   "suggest",
		Short: "Draft rules from what was approved and what ran",
		Long: `Examples:
  pigate suggest
  pigate suggest --explain "shell:npm test *"
  pigate suggest --apply 1,3
  pigate suggest --interactive
  pigate suggest --tighten

Drafts allow rules for the project you stand in, from what people approved and
from what ran, imported calls included, and prints what each would have saved,
what speaks for it, and its risk in words. Then the drafts of the first 70 % of
the time are tried on the rest. A deny rule is a question: it is asked about what
you refused at least three times, in two sessions, and never approved.

Frequency alone makes no draft. Nothing is drafted that would let a call run that
you refused, that a deny rule names, or that lets a known dangerous call run;
docs/suggest.md says how drafts are chosen, and how to argue with it.

--apply writes drafts into the project's configuration (with --global into the
global one), by number or by text; --reject keeps them away until twice as much
speaks for them. Both are recorded in the journal. A number means the draft that
the same command prints without --apply at that moment: where an agent works
meanwhile, name the rule.

--tighten looks at the rules that you have instead: those unused for 90 days, those
that others cover, those wider than their use, and exact rules that one pattern
covers. ` + "`pigate rules prune --tighten`" + ` applies what it finds.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context(), env) },
	}
	f := cmd.Flags()
	f.StringVar(&o.project, "project", "", "the project (default: the folder you stand in)")
	f.BoolVar(&o.all, "all", false, "every project, one after the other")
	f.BoolVar(&o.global, "global", false, "all projects together, for the global configuration")
	f.StringVar(&o.since, "since", "", "only evidence from this time on (a refusal counts whenever it was): "+report.WhenForms)
	f.StringVar(&o.until, "until", "", "only evidence before this time; the same forms")
	addJournal(f, &o.journal)
	f.BoolVar(&o.scan, "scan", false, "read every entry of the journal, and not the index beside it")
	f.IntVar(&o.Limit, "limit", 20, "at most so many allow rules")
	f.IntVar(&o.MinCalls, "min-calls", 3, "how many approvals and good runs a draft needs")
	f.IntVar(&o.MinSessions, "min-sessions", 2, "in how many sessions, unless it can do little harm")
	f.IntVar(&o.MinDays, "min-days", 2, "on how many days, if its harm cannot be undone here")
	f.IntVar(&o.MinKinds, "min-kinds", 3, "for how many distinct commands a wildcard must stand, unless it can do little harm")
	f.StringVar(&o.explain, "explain", "", "say all about this rule, drafted or not")
	f.StringSliceVar(&o.apply, "apply", nil, "write these `DRAFTS` into the configuration: numbers or rules")
	f.StringSliceVar(&o.reject, "reject", nil, "keep these `DRAFTS` away until twice as much speaks for them")
	f.BoolVar(&o.tighten, "tighten", false, "find rules that you can do without, or write more narrowly")
	f.BoolVar(&o.interactive, "interactive", false, "go through the drafts one by one, in the terminal")
	f.BoolVar(&o.noBacktest, "no-backtest", false, "do not try the drafts on the last 30 % of the time")
	f.BoolVar(&o.asJSON, "json", false, "print one JSON object a line, one for each draft")
	addNoPager(f, &o.noPager)
	return cmd
}

// check refuses flags that contradict each other.
func (o *suggestOptions) check() error {
	for _, n := range []struct {
		flag  string
		value int
	}{{"limit", o.Limit}, {"min-calls", o.MinCalls}, {"min-sessions", o.MinSessions}, {"min-days", o.MinDays}, {"min-kinds", o.MinKinds}} {
		if n.value < 1 {
			return usage("--%s is %d, must be 1 or more", n.flag, n.value)
		}
	}
	places, does := []string{}, []string{}
	for _, f := range []struct {
		is   bool
		name string
		list *[]string
	}{{o.all, "--all", &places}, {o.global, "--global", &places}, {o.project != "", "--project", &places},
		{o.explain != "", "--explain", &does}, {o.interactive, "--interactive", &does}, {o.tighten, "--tighten", &does}, {o.asJSON && o.explain == "" && !o.tighten, "--json", &does}, {len(o.apply)+len(o.reject) > 0, "--apply or --reject", &does}} {
		if f.is {
			*f.list = append(*f.list, f.name)
		}
	}
	switch {
	case len(places) > 1:
		return usage("%s and %s contradict each other", places[0], places[1])
	case len(does) > 1:
		return usage("%s and %s exclude each other", does[0], does[1])
	case o.all && len(does) > 0 && does[0] != "--json":
		return usage("--all and %s exclude each other: name one project with --project, or give --global", does[0])
	}
	return nil
}

func (o *suggestOptions) run(ctx context.Context, env environment) error {
	if err := o.check(); err != nil {
		return err
	}
	where, err := env.installation(o.journal)
	if err != nil {
		return err
	}
	at := suggest.Place{Installation: where, Scan: o.scan}
	now := time.Now()
	if at.Since, err = when("since", o.since, now); err != nil {
		return err
	}
	if at.Until, err = when("until", o.until, now); err != nil {
		return err
	}
	reader, _, err := openJournal(ctx, env, o.journal, nil)
	if err != nil {
		return err
	}
	defer reader.Close()
	bar := newProgress(env.stderr)
	at.Progress = bar.count
	if o.tighten {
		err = o.tightened(ctx, env, reader, bar)
	} else if o.all {
		err = o.everywhere(ctx, env, reader, at, bar)
	} else {
		err = o.here(ctx, env, reader, at, bar)
	}
	bar.clear()
	return err
}

// place is the project or the global configuration that rules are drafted for.
type place struct {
	env    environment
	where  policy.Installation
	root   string // "" for the global configuration
	policy *policy.Policy
	seen   views
}

// find settles which project is meant, and the policy in force there.
func (o *suggestOptions) find(env environment, at *suggest.Place) (p place, err error) {
	p = place{env: env, where: at.Installation}
	if o.global {
		r := config.NewReader(p.where.AgentDir).Load(filepath.Join(p.where.AgentDir, "pigate"), policy.Untrusted)
		p.policy = r.Policy
		p.warn(r.Warnings)
		return p, nil
	}
	p.root = env.cwd
	if o.project != "" {
		p.root = o.project
		if !filepath.IsAbs(p.root) {
			p.root = filepath.Join(env.cwd, p.root)
		}
	}
	if at.Projects, err = spellings(p.root); err != nil {
		return p, err
	}
	p.root = at.Projects[0]
	p.seen = look(env, p.where.AgentDir, p.root, true)
	p.policy = p.seen.Asked.Policy
	p.warn(p.seen.Asked.Warnings)
	return p, nil
}

func (p *place) warn(list []config.Warning) {
	for _, w := range list {
		fmt.Fprintf(p.env.stderr, "pigate: warning: %s\n", text.Visible(w.String()))
	}
}

// here drafts rules for one project, or for all together.
func (o *suggestOptions) here(ctx context.Context, env environment, reader *audit.Reader, at suggest.Place, bar *progress) error {
	p, err := o.find(env, &at)
	if err != nil {
		return err
	}
	study, history, err := suggest.StudyOf(ctx, reader, at, p.policy, o.Options)
	bar.clear()
	if err != nil {
		return err
	}
	o.noteUnreadable(env, history)
	switch {
	case history.Calls() == 0:
		o.noteNothing(env, p, reader)
		return nil
	case !p.policy.Settings.Enabled:
		return hint.With(errors.New("the gate is switched off, so nothing is asked about"), `remove "enabled": false from the configuration`)
	case o.explain != "":
		return o.explained(env, study)
	case len(o.apply)+len(o.reject) > 0:
		return o.decide(ctx, p, study)
	case o.interactive:
		return o.review(ctx, p, study)
	case o.asJSON:
		return printDrafts(env.stdout, p.root, study.Result().Drafts)
	}
	findings, err := p.findings(ctx, reader, o.global)
	if err != nil {
		return err
	}
	return env.page(ctx, o.noPager, func(_ context.Context, w io.Writer, s report.Screen) error {
		err := o.write(w, study, s)
		for i, f := range findings {
			if err == nil && i == 0 {
				_, err = fmt.Fprint(w, "\nrules in force that are worth a look (`pigate rules lint` says more):\n")
			}
			if err == nil {
				_, err = fmt.Fprintf(w, "   %s: %s %s: %s\n", text.Visible(f.Where()), f.Effect, text.Visible(f.Rule), f.Kind)
			}
		}
		if err != nil {
			return err
		}
		return o.next(w, study.Result())
	})
}

// findings are the rules in force that do nothing, or that would not be drafted.
func (p *place) findings(ctx context.Context, reader *audit.Reader, global bool) ([]lint.Finding, error) {
	if global {
		return nil, nil // each project replaces them or not
	}
	here, err := spellings(p.root)
	if err != nil {
		return nil, err
	}
	uses, err := lint.ReadUses(ctx, reader, here, audit.Micros(time.Now().Add(-2*lint.IdleAfter).UnixMicro()))
	if err != nil {
		return nil, err
	}
	return (&project{p.root, p.where, p.seen.Asked}).lint(p.env, uses, time.Now()), nil
}

func (o *suggestOptions) write(w io.Writer, study *suggest.Study, s report.Screen) error {
	var tested *suggest.Backtest
	if b, ok := study.Backtest(); ok && !o.noBacktest {
		tested = &b
	}
	return suggest.Write(w, study.Result(), tested, s.Zone, s.Width)
}

// next says what can be done with the drafts.
func (o *suggestOptions) next(w io.Writer, r suggest.Result) error {
	if len(r.Drafts) == 0 {
		return nil
	}
	_, err := fmt.Fprint(w, "\nnext: --apply NUMBERS writes drafts into the configuration, --interactive goes through them, --explain RULE says all about one.\n")
	return err
}

func printDrafts(w io.Writer, project string, drafts []suggest.Draft) error {
	lines := make([]draftLine, len(drafts))
	for i, d := range drafts {
		lines[i] = draftLine{i + 1, project, d}
	}
	return printJSONLines(w, lines)
}

func (o *suggestOptions) explained(env environment, study *suggest.Study) error {
	e, err := study.Explain(o.explain)
	if err != nil {
		return usage("--explain: %v", err)
	}
	if o.asJSON {
		return printJSON(env.stdout, e)
	}
	return suggest.WriteExplanation(env.stdout, e, time.Local)
}

func (o *suggestOptions) noteUnreadable(env environment, h *suggest.History) {
	if n := h.Unreadable(); n > 0 {
		fmt.Fprintf(env.stderr, "pigate: warning: %d entries of the journal could not be understood; `pigate audit verify` says more\n", n)
	}
}

func (o *suggestOptions) noteNothing(env environment, p place, reader *audit.Reader) {
	fmt.Fprintf(env.stderr, "pigate: the journal %s has no calls", text.Visible(reader.Path()))
	if p.root != "" {
		fmt.Fprintf(env.stderr, " of the project %s", text.Visible(p.root))
	}
	fmt.Fprintln(env.stderr, "\nhint: `pigate import` brings in past sessions; --all looks at all projects")
}
