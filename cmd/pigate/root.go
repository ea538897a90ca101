package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/gate/organisation"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/hint"
)

// environment is what a command may touch of the world around it.
type environment struct {
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	getenv func(string) string
	// lookupEnv tells a variable that is empty from one that is not set.
	lookupEnv func(string) (string, bool)
	cwd       string
	home      string
}

func standard() environment {
	// A folder that was deleted, or an unset HOME, is met again by the commands
	// that need it.
	cwd, _ := os.Getwd()
	home, _ := os.UserHomeDir()
	return environment{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv, lookupEnv: os.LookupEnv, cwd: cwd, home: home}
}

// agentDir is Pi's folder: PI_CODING_AGENT_DIR, else ~/.pi/agent.
func (e environment) agentDir() (string, error) {
	if dir := e.getenv("PI_CODING_AGENT_DIR"); dir != "" {
		if dir == "~" || strings.HasPrefix(dir, "~/") {
			if e.home == "" {
				return "", hint.With(errors.New("the home folder is not known"), "set HOME, or PI_CODING_AGENT_DIR without ~")
			}
			dir = e.home + dir[1:]
		}
		return filepath.Abs(dir)
	}
	if e.home == "" {
		return "", hint.With(errors.New("the home folder is not known"), "set HOME or PI_CODING_AGENT_DIR")
	}
	return filepath.Join(e.home, ".pi", "agent"), nil
}

// installation finds where pigate keeps its files. The journal is, in this
// order: the flag, PIGATE_JOURNAL, the agent dir's.
func (e environment) installation(journalFlag string) (policy.Installation, error) {
	agent, err := e.agentDir()
	if err != nil {
		return policy.Installation{}, err
	}
	journal := journalFlag
	if journal == "" {
		if journal, err = e.journalVariable(); err != nil {
			return policy.Installation{}, err
		}
	}
	if journal == "" {
		journal = filepath.Join(agent, "pigate", "journal.db")
	}
	if journal, err = filepath.Abs(journal); err != nil {
		return policy.Installation{}, fmt.Errorf("find journal: %w", err)
	}
	return policy.Installation{AgentDir: agent, Journal: journal, Organisation: organisation.Path()}, nil
}

// journalVariable is the journal that PIGATE_JOURNAL names, "" for none. A shell
// leaves a tilde between quotes as it is; and a relative path would mean another
// journal, with its key, in each project.
func (e environment) journalVariable() (string, error) {
	path := e.getenv("PIGATE_JOURNAL")
	if rest, ok := strings.CutPrefix(path, "~"); ok && e.home != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
		path = e.home + rest
	}
	if path != "" && !filepath.IsAbs(path) {
		return "", hint.With(fmt.Errorf("PIGATE_JOURNAL is %q, which is no absolute path", path), "name the file from the root on, or from ~/ on")
	}
	return path, nil
}

// run executes one command line and returns its exit code.
func run(args []string, env environment) int {
	root := newRoot(env)
	root.SetArgs(args)
	root.SetIn(env.stdin)
	root.SetOut(env.stdout)
	root.SetErr(env.stderr)
	command, err := root.ExecuteC()
	return explain(env.stderr, command.CommandPath(), err)
}

func newRoot(env environment) *cobra.Command {
	root := &cobra.Command{
		Use:   "pigate",
		Short: "A permission gate for the Pi coding agent, with a memory",
		Long: `Example:
  pigate install                       put the gate into Pi
  pigate check "git push --force"      what would happen to this command, and why
  pigate audit list                    what the agent did, and who let it

pigate decides every tool call of the Pi coding agent by rules, or asks you,
and records each decision before the call runs.

` + exitHelp,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version,
		Args:          knownCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("pigate {{.Version}}\n")
	// Some flags have much to say, more than fits a line.
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "FlagUsages |", "FlagUsagesWrapped 80 |"))
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		text, _, _ := strings.Cut(err.Error(), ": strconv.") // the flag and its value say enough
		return usage("%s", text)
	})
	for _, sub := range []*cobra.Command{
		newInstall(env), newUninstall(env), newDoctor(env), newStatus(env),
		newCheck(env), newAllow(env), newRevoke(env), newRules(env), newPrograms(env), newSuggest(env), newAudit(env), newReplay(env), newReport(env), newImport(env), newGate(env),
		newCompletion(env), newVersion(env),
	} {
		root.AddCommand(sub)
	}
	complete(env, root)
	return root
}

// knownCommand refuses what is no command, and suggests what may have been
// meant.
func knownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	unknown := fmt.Errorf("%s has no command %q", cmd.CommandPath(), args[0])
	cmd.SuggestionsMinimumDistance = max(2, cmd.SuggestionsMinimumDistance)
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		path := cmd.CommandPath() + " "
		return &exitError{exitUsage, hint.With(unknown, "did you mean "+path+strings.Join(near, ", "+path)+"?")}
	}
	return &exitError{exitUsage, unknown}
}

// noArguments refuses arguments to a command that takes none.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("%s takes no arguments, got %q", cmd.CommandPath(), args[0])
	}
	return nil
}
