package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/gate/rule"
)

func newRulesPrune(env environment) *cobra.Command {
	var o ruleOptions
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Remove rules that have ended",
		Long: `Example:
  pigate rules prune

Removes the rules whose end has come from your own file and that of the project
you stand in. They count for nothing already.`,
		Args: noArguments,
		RunE: func(_ *cobra.Command, _ []string) error { return rulesPrune(env, o) },
	}
	cmd.Flags().StringVar(&o.cwd, "cwd", "", "the project's folder (default: where you are)")
	return cmd
}

func rulesPrune(env environment, o ruleOptions) error {
	p, err := o.project(env)
	if err != nil {
		return err
	}
	loader, now, count := config.NewLoader(p.where.AgentDir), time.Now(), 0
	for _, root := range []string{"", p.root} {
		removed, err := loader.Prune(root, func(r rule.Rule) bool { return !r.Until.IsZero() && !now.Before(r.Until) })
		if err != nil {
			return err
		}
		for _, r := range removed {
			fmt.Fprintf(env.stdout, "removed: %s\n", removedWords(r))
		}
		count += len(removed)
	}
	if count == 0 {
		fmt.Fprintln(env.stdout, "no rule has ended")
	}
	return nil
}
