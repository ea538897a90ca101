package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/hint"
	"github.com/pigate/pigate/internal/importer"
	"github.com/pigate/pigate/internal/pi"
	"github.com/pigate/pigate/internal/text"
	"github.com/pigate/pigate/internal/transcript"
)

type importOptions struct {
	pi, claude, codex []string
	journal           string
	dryRun, asJSON    bool
}

func newImport(env environment) *cobra.Command {
	var o importOptions
	cmd := &cobra.Command{
		Use:   "import",
		Short: "Bring past tool calls into the journal, from session files",
		Long: `Examples:
  pigate import                                    all sessions of Pi
  pigate import --dry-run
  pigate import --claude ~/.claude/projects --codex ~/.codex

Reads the session files of Pi, the transcripts of Claude Code and the rollouts of
Codex, and adds each tool call that the journal does not have yet: what was
called, where and when, and whether it ran, failed or was refused. Secrets are
masked, contents of edits are left out, and calls that the gate decided itself
are not added again, so it can be repeated whenever there are new sessions.

An imported call is evidence that something was called, never that anybody
approved it: the commands leave imported calls out unless you ask for them, as
with ` + "`pigate audit list --imported`" + `.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return importCalls(cmd.Context(), env, o) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.pi, "pi", nil, "session files of Pi in this `FOLDER`, or this file (default, without the other two: where Pi keeps them)")
	f.StringArrayVar(&o.claude, "claude", nil, "transcripts of Claude Code in this `FOLDER`, such as ~/.claude/projects, or this file")
	f.StringArrayVar(&o.codex, "codex", nil, "rollouts of Codex in this `FOLDER`, such as ~/.codex, or this file")
	f.BoolVar(&o.dryRun, "dry-run", false, "only say what would be added")
	f.BoolVar(&o.asJSON, "json", false, "print one JSON object")
	addJournal(f, &o.journal)
	return cmd
}

func importCalls(ctx context.Context, env environment, o importOptions) error {
	where, err := env.installation(o.journal)
	if err != nil {
		return err
	}
	p := newProblems(env)
	files, err := o.files(env, where, p)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	// Little is kept for long, so the heap may grow a little more between two
	// collections.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	bar := newProgress(env.stderr)
	bar.text = func(done, total int64) string { return fmt.Sprintf("%.1f of %.1f MiB", mib(done), mib(total)) }
	p.before = bar.clear
	s, err := importer.Run(ctx, files, importer.Options{Journal: where.Journal, Audit: env.journalOptions(where), Home: env.home,
		DryRun: o.dryRun, Progress: bar.show, Problem: p.add})
	bar.clear()
	p.end()
	s.Unreadable += p.unfound
	if err == nil || s.Calls > 0 {
		err = errors.Join(err, o.print(env, s))
	}
	if err == nil && s.Added > 0 && !o.dryRun && !o.asJSON {
		fmt.Fprintln(env.stderr, "hint: `pigate suggest` drafts rules from them, in the folder of a project; `pigate suggest --all` for every project")
	}
	switch {
	case errors.Is(err, context.Canceled):
		return &exitError{exitInterrupted, hint.With(errors.New("interrupted"), "what was added stays; the same command goes on from there")}
	case err == nil && s.Unrecognised > 0 && s.Unrecognised == s.Files:
		return hint.With(errors.New("no session was recognised in what was named"), "--pi, --claude and --codex each take the files of one program")
	case err == nil && s.Unreadable > 0:
		return fmt.Errorf("%d %s could not be read", s.Unreadable, plural(s.Unreadable, "file", "files"))
	}
	return err
}

func mib(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// files are those that the flags name, or else Pi's.
func (o importOptions) files(env environment, where policy.Installation, p *problems) (all []transcript.File, err error) {
	if len(o.pi)+len(o.claude)+len(o.codex) == 0 {
		dir, err := env.sessions(where.AgentDir)
		if err != nil {
			return nil, err
		}
		o.pi = []string{dir}
	}
	for _, named := range []struct {
		source transcript.Source
		flag   string
		paths  []string
	}{{transcript.Pi, "--pi", o.pi}, {transcript.Claude, "--claude", o.claude}, {transcript.Codex, "--codex", o.codex}} {
		for _, path := range named.paths {
			if !filepath.IsAbs(path) { // the journal keeps where a call was read
				path = filepath.Join(env.cwd, path)
			}
			list, unfound, err := transcript.Find(named.source, path)
			if err != nil {
				return nil, hint.With(fmt.Errorf("look for session files: %w", err), "name the folder or the file with "+named.flag)
			}
			for _, problem := range unfound {
				p.unfound++
				p.add(problem)
			}
			if len(list) == 0 && len(unfound) == 0 {
				return nil, hint.With(fmt.Errorf("there are no session files (*%s) in %s", strings.Join(transcript.Endings, ", *"), text.Visible(path)), "name the folder or the file with "+named.flag)
			}
			all = append(all, list...)
		}
	}
	return all, nil
}

// sessions is the folder where Pi keeps its sessions: that of
// PI_CODING_AGENT_SESSION_DIR, else of Pi's global settings, else in the agent
// folder. A relative one is meant from where Pi is started.
func (e environment) sessions(agentDir string) (string, error) {
	dir := e.getenv("PI_CODING_AGENT_SESSION_DIR")
	if dir == "" {
		var err error
		if dir, err = pi.SessionDir(agentDir); err != nil {
			return "", err
		}
	}
	if rest, ok := strings.CutPrefix(dir, "~/"); ok && e.home != "" {
		dir = filepath.Join(e.home, rest)
	}
	switch {
	case dir == "":
		return filepath.Join(agentDir, "sessions"), nil
	case !filepath.IsAbs(dir):
		return filepath.Join(e.cwd, dir), nil
	}
	return dir, nil
}

func (o importOptions) print(env environment, s importer.Summary) error {
	if o.asJSON {
		return text.NewEncoder(env.stdout).Encode(s)
	}
	_, err := fmt.Fprint(env.stdout, s.Text())
	return err
}

// problems shows what was skipped, as long as it is not too much to read.
type problems struct {
	env     environment
	shown   int
	more    int
	unfound int
	before  func() // is called before anything is shown
}

// maxProblems is how many are shown one by one.
const maxProblems = 20

func newProblems(env environment) *problems { return &problems{env: env, before: func() {}} }

func (p *problems) add(err error) {
	if p.shown == maxProblems {
		p.more++
		return
	}
	p.shown++
	p.before()
	fmt.Fprintf(p.env.stderr, "pigate: skipped %s\n", text.Visible(err.Error()))
}

func (p *problems) end() {
	if p.more > 0 {
		fmt.Fprintf(p.env.stderr, "pigate: and %d more\n", p.more)
	}
}
