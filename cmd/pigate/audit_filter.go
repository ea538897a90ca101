package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/checkout"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/hint"
	"github.com/pigate/pigate/internal/report"
)

// filterFlags are the flags that choose entries.
type filterFlags struct {
	since, until, project, regex     string
	verdict, decision, basis, answer string
	kind                             string
	all                              bool
	filter                           audit.Filter
}

func (o *filterFlags) add(cmd *cobra.Command) { o.addTo(cmd.Flags()) }

func (o *filterFlags) addTo(f *pflag.FlagSet) {
	o.addTimes(f)
	f.StringVar(&o.filter.Session, "session", "", "only the session of Pi with this id, or the last")
	o.addProjects(f)
	f.StringVar(&o.filter.Tool, "tool", "", "only this tool")
	f.StringVar(&o.verdict, "verdict", "", "what the rules said: allow, deny, ask, pass")
	f.StringVar(&o.decision, "decision", "", "what was done: run, block")
	f.StringVar(&o.basis, "basis", "", "by what: rule, grant, user, pass, disabled, no-ui, journal, error")
	f.StringVar(&o.answer, "answer", "", "what the person said: once, session, save, deny, dismissed, no-ui, aborted")
	f.StringVar(&o.filter.Rule, "rule", "", "only what a rule with this text decided; wildcards as in a rule: *, ?, \\* for a star")
	f.StringVar(&o.filter.Outcome, "outcome", "", "what came of it: ok, error, none")
	f.StringVar(&o.kind, "kind", "", "only entries of this kind (docs/json.md lists them)")
	f.StringVar(&o.filter.Match, "match", "", "only calls whose whole command or path, or a part that rules look at, matches; wildcards as in a rule")
	f.StringVar(&o.regex, "regex", "", "only calls in whose command or path this regular expression (RE2) matches")
	f.BoolVar(&o.filter.Unreviewed, "unreviewed", false, "only decisions that nobody has reviewed (pigate audit review)")
	f.BoolVar(&o.filter.Outside, "outside", false, "only calls that reach outside the project")
	f.BoolVar(&o.filter.Scan, "scan", false, "read every entry of the journal, and not the index beside it")
}

func (o *filterFlags) addTimes(f *pflag.FlagSet) {
	f.StringVar(&o.since, "since", "", "from this time on: "+report.WhenForms)
	f.StringVar(&o.until, "until", "", "before this time; the same forms")
}

func (o *filterFlags) addProjects(f *pflag.FlagSet) {
	f.StringVar(&o.project, "project", "", "only projects in this folder or beneath it (default: the one you stand in); worktrees of one repository count as one")
	f.BoolVar(&o.all, "all", false, "all projects")
}

// addImported adds the flag that takes imported calls in.
func (o *filterFlags) addImported(f *pflag.FlagSet) {
	f.BoolVar(&o.filter.Imported, "imported", false, "also calls that were imported (pigate import); nobody approved them here")
}

// read makes the filter of the flags; here reports that it chose the project
// the person stands in, without being told. Of files that were named all is
// meant.
func (o *filterFlags) read(env environment, now time.Time, named bool) (f audit.Filter, here bool, err error) {
	f = o.filter
	f.Verdict, f.Decision, f.Basis = policy.Effect(o.verdict), policy.Action(o.decision), policy.Basis(o.basis)
	f.Answer, f.Kind = gate.Answer(o.answer), gate.Kind(o.kind)
	if f.Since, err = when("since", o.since, now); err != nil {
		return f, false, err
	}
	if f.Until, err = when("until", o.until, now); err != nil {
		return f, false, err
	}
	if o.regex != "" {
		if f.Regex, err = regexp.Compile(o.regex); err != nil {
			return f, false, usage("--regex: %v", err)
		}
	}
	if o.all && o.project != "" {
		return f, false, usage("--all and --project contradict each other")
	}
	if err := f.Check(); err != nil {
		return f, false, usage("%v", err)
	}
	if here = !o.all && !named && o.project == ""; here {
		f.Projects, err = spellings(env.cwd)
	} else if o.project != "" {
		project := o.project
		if !filepath.IsAbs(project) {
			project = filepath.Join(env.cwd, project)
		}
		f.Projects, err = spellings(project)
	}
	return f, here, err
}

// spellings are a folder as it is named and, where links lead there, as Pi may
// have recorded it; and the same folder in the other worktrees of its repository.
func spellings(folder string) ([]string, error) {
	if folder == "" {
		return nil, hint.With(fmt.Errorf("the current folder is not known"), "name a project with --project, or give --all")
	}
	list := []string{filepath.Clean(folder)}
	// A folder that is gone has entries all the same.
	if real, err := filepath.EvalSymlinks(folder); err == nil && !slices.Contains(list, real) {
		list = append(list, real)
	}
	for _, same := range checkout.Around(folder).Same() {
		if !slices.Contains(list, same) {
			list = append(list, same)
		}
	}
	return list, nil
}

func when(flag, text string, now time.Time) (audit.Micros, error) {
	if strings.TrimSpace(text) == "" {
		return 0, nil
	}
	at, err := report.ParseWhen(text, now)
	if err != nil {
		return 0, usage("--%s: %v", flag, err)
	}
	return audit.Micros(at.UnixMicro()), nil
}
