package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/report/lint"
)

func newRules(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "Look after the rules of a project",
		Long: `Examples:
  pigate rules list    which rules are in force here, and how often each was used
  pigate rules lint    which of them do nothing, or more than they seem to
  pigate rules test    whether they say what the project's table expects
  pigate rules prove   whether they can let something run that must not
  pigate rules diff    what one file of rules lets run and another does not
  pigate rules prune   remove those that have ended`,
		Args: knownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newRulesList(env), newRulesLint(env), newRulesTest(env), newRulesPrune(env), newRulesProve(env), newRulesDiff(env))
	return cmd
}

// ruleOptions are the flags of the commands on rules.
type ruleOptions struct {
	cwd, journal    string
	asJSON, noPager bool
}

func (o *ruleOptions) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.cwd, "cwd", "", "the project's folder (default: where you are)")
	f.BoolVar(&o.asJSON, "json", false, "print one JSON object a line")
}

func (o *ruleOptions) addJournal(cmd *cobra.Command) {
	addJournal(cmd.Flags(), &o.journal)
}

// project is a project with the rules in force there, as in one that the person
// trusts.
type project struct {
	root  string
	where policy.Installation
	rules config.Result
}

// project reads the configuration, and says so when Pi would not count it in
// full.
func (o *ruleOptions) project(env environment) (*project, error) {
	root := env.cwd
	if o.cwd != "" {
		root = o.cwd
	}
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("find the project: %w", err)
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return nil, usage("--cwd names no folder: %s", root)
	}
	where, err := env.installation(o.journal)
	if err != nil {
		return nil, err
	}
	seen := look(env, where.AgentDir, root, true)
	seen.noteTrust(env)
	return &project{root, where, seen.Asked}, nil
}

// place is a request without a call, for the project.
func (p *project) place(env environment) policy.Request {
	return policy.Request{Cwd: p.root, Root: p.root, Trusted: true, HasUI: true, OS: runtime.GOOS, Home: env.home, Installation: p.where}
}

// own reports that a rule is the project's and not of the global file.
func (p *project) own(r *rule.Rule) bool {
	return r.File != "" && r.File != p.rules.Global.Path && r.File != p.rules.Organisation.Path
}

// uses reads what the journal knows of the rules' use; nil where there is no
// journal.
func (p *project) uses(ctx context.Context, env environment, journal string) (*lint.Uses, error) {
	if _, err := os.Stat(p.where.Journal); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	reader, _, err := openJournal(ctx, env, journal, nil)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	here, err := spellings(p.root)
	if err != nil {
		return nil, err
	}
	return lint.ReadUses(ctx, reader, here, 0)
}
