package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/report/prove"
	"github.com/pigate/pigate/internal/text"
)

func newRulesProve(env environment) *cobra.Command {
	var o ruleOptions
	var never []string
	cmd := &cobra.Command{
		Use:   "prove RULE... --never RULE",
		Short: "Say whether allow rules can let something run that must not",
		Long: `Examples:
  pigate rules prove 'shell:git *' --never 'shell:git push *'
  pigate rules prove 'shell:npm run *' 'shell:npx *' --never 'shell:*deploy*'

Takes rules for the allow list and a rule for the deny list, and looks for the
shortest call that the first let run and the second would stop. The patterns are
compared exactly, and the gate itself judges each call that they share, by the
settings in force here. When there is such a call its text is the first line, and
the exit code is 3.

What it cannot see: what an allowed program does when it runs. A deny rule also
stops commands that mean the same and are written otherwise; of those some are
tried (options by their other names, more words in between), and none is proven
not to be.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("pigate rules prove takes one or more RULEs, such as 'shell:git *'")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return rulesProve(env, o, args, never) },
	}
	o.add(cmd)
	cmd.Flags().StringArrayVar(&never, "never", nil, "what must not run, as a deny `RULE`; may be given several times")
	return cmd
}

func rulesProve(env environment, o ruleOptions, texts, never []string) error {
	if len(never) == 0 {
		return usage("--never RULE is missing: what must not run")
	}
	allow, err := parseRules(texts, rule.Allow)
	if err != nil {
		return err
	}
	stops, err := parseRules(never, rule.Deny)
	if err != nil {
		return err
	}
	p, err := o.project(env)
	if err != nil {
		return err
	}
	for _, r := range stops {
		result := prove.Never(p.rules.Policy.Settings, allow, r, p.place(env))
		if o.asJSON {
			err = printJSON(env.stdout, result)
		} else {
			err = printNever(env, result, r)
		}
		if err != nil {
			return err
		}
		if result.Witness != nil {
			return &exitError{code: exitFound}
		}
	}
	return nil
}

// parseRules reads the rules of a command line.
func parseRules(texts []string, effect rule.Effect) (list []rule.Rule, err error) {
	for _, line := range texts {
		r, err := rule.Parse(line)
		if err != nil {
			return nil, usage("%q: %v", line, err)
		}
		r.Effect, r.File = effect, "-"
		if idle := r.Idle(); idle != "" {
			return nil, usage("%q: %s", line, idle)
		}
		list = append(list, r)
	}
	return list, nil
}

func printNever(env environment, r *prove.Result, never rule.Rule) error {
	stops := text.Visible(never.Text)
	switch w := r.Witness; {
	case w != nil:
		fmt.Fprintf(env.stdout, "%s\n  runs %s, and %s would stop it\n", text.Visible(w.Text), by(w), stops)
	case r.Proven:
		fmt.Fprintf(env.stdout, "proven: the patterns share no call with %s\n", stops)
	default:
		printDoubts(env, r, "that "+stops+" would stop")
	}
	return nil
}

// printDoubts says what was tried where the patterns alone prove nothing.
func printDoubts(env environment, r *prove.Result, which string) {
	if r.Tried == 0 {
		fmt.Fprintf(env.stdout, "none found: no call %s can be made of the patterns; what programs touch and what settings change was only tried\n", which)
		return
	}
	fmt.Fprintf(env.stdout, "none found: the patterns cover calls %s, and none of the %d shortest runs without a question\n", which, r.Tried)
	for _, d := range r.Doubts {
		line := text.Visible(d.Text) + "  (" + string(d.Cause)
		if d.Why != "" {
			line += ": " + text.Visible(d.Why)
		}
		fmt.Fprintf(env.stdout, "  %s)\n", line)
	}
}
