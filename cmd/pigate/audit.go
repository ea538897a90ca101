package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newAudit(env environment) *cobra.Command {
	list := newAuditList(env)
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Ask the journal what the agent did",
		Long: `Examples:
  pigate audit                               the decisions in this project
  pigate audit --since yesterday --all       what happened since, anywhere
  pigate audit show 12                       one call whole
  pigate audit why "git push origin main"    what would happen now, and what did before
  pigate audit session last                  what happened in a session

Without a command it is list, and takes its flags.`,
		Args: knownCommand,
		RunE: list.RunE,
	}
	cmd.SuggestionsMinimumDistance = 2
	list.Flags().VisitAll(func(f *pflag.Flag) {
		same := *f
		same.Hidden = true // the help of list has them
		cmd.Flags().AddFlag(&same)
	})
	cmd.AddCommand(list, newAuditShow(env), newAuditTail(env), newAuditWhy(env), newAuditSessions(env), newAuditSession(env),
		newAuditStats(env), newAuditSQL(env), newAuditCoverage(env), newAuditReview(env),
		newAuditVerify(env), newAuditExport(env), newAuditErase(env), newAuditRotate(env), newAuditIndex(env))
	return cmd
}
