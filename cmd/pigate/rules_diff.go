package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/report/prove"
	"github.com/pigate/pigate/internal/text"
)

func newRulesDiff(env environment) *cobra.Command {
	var o ruleOptions
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Say what one configuration lets run and another does not",
		Long: `Example:
  pigate rules diff .pi/allowlist-gate.json new.json

Looks for the shortest call that the configuration file B lets run without a
question and A does not. Each file counts as a whole configuration of its own.
When there is such a call its text is the first line, and the exit code is 3. A
line about the other direction follows.

What it cannot see is told by ` + "`pigate rules prove --help`" + `.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usage("pigate rules diff takes two files, got %d", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return rulesDiff(env, o, args[0], args[1]) },
	}
	o.add(cmd)
	return cmd
}

func rulesDiff(env environment, o ruleOptions, before, after string) error {
	p, err := o.project(env)
	if err != nil {
		return err
	}
	var sides [2]*policy.Policy
	for i, path := range []string{before, after} {
		pol, warnings, readErr := config.ReadPolicy(path)
		err = errors.Join(err, readErr)
		for _, w := range warnings {
			fmt.Fprintf(env.stderr, "pigate: warning: %s\n", w)
		}
		sides[i] = pol
	}
	if err != nil {
		return err
	}
	more, less := prove.Diff(sides[0], sides[1], p.place(env)), prove.Diff(sides[1], sides[0], p.place(env))
	if o.asJSON {
		err = printJSON(env.stdout, struct {
			More *prove.Result `json:"more"`
			Less *prove.Result `json:"less"`
		}{more, less})
	} else {
		printDiff(env, more, before, after, true)
		printDiff(env, less, after, before, false)
	}
	if err == nil && more.Witness != nil {
		err = &exitError{code: exitFound}
	}
	return err
}

// printDiff says what one file lets run and another does not; the answer to the
// question begins with the call itself.
func printDiff(env environment, r *prove.Result, without, with string, question bool) {
	without, with = text.Visible(without), text.Visible(with)
	switch w := r.Witness; {
	case w != nil && question:
		fmt.Fprintf(env.stdout, "%s\n  runs %s with %s, and not with %s\n", text.Visible(w.Text), by(w), with, without)
	case w != nil:
		fmt.Fprintf(env.stdout, "%s lets run what %s does not: %s (%s)\n", with, without, text.Visible(w.Text), by(w))
	case r.Proven:
		fmt.Fprintf(env.stdout, "proven: the patterns of %s match no call that those of %s do not\n", with, without)
	default:
		printDoubts(env, r, "of "+with+" that "+without+" does not let run")
	}
}

// by says what lets a call run.
func by(w *prove.Witness) string {
	call := ""
	if _, _, isMCP := rule.SplitMCP(w.Tool); w.Tool != "bash" && w.Tool != w.Text && !isMCP {
		call = "as a call of " + text.Visible(w.Tool) + " "
	}
	if w.Rule == "" {
		return call + "without a rule"
	}
	return call + "by the rule " + text.Visible(w.Rule)
}
