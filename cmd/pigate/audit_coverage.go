package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/report"
	"github.com/pigate/pigate/internal/report/coverage"
	"github.com/pigate/pigate/internal/text"
)

type coverageOptions struct {
	filterFlags
	journal         string
	asJSON, noPager bool
}

func newAuditCoverage(env environment) *cobra.Command {
	var o coverageOptions
	cmd := &cobra.Command{
		Use:   "coverage [SESSION-FILE...]",
		Short: "Find calls that ran and never passed the gate",
		Long: `Examples:
  pigate audit coverage --all
  pigate audit coverage --since 7d --json
  pigate audit coverage /other/agent/sessions

Compares Pi's own session files with the journal, and names the calls that ran
and are not in it, by session and reason: the gate was not loaded (Pi ran with
--no-extensions, or lost it in a reload), the session had another agent folder,
the journal could not be written, or the gate was there and did not decide. Calls
that ran with another input than was approved are named too. The exit code is 3
when there is such a gap.

Calls from before the journal began, and commands that you ran yourself with "!",
are told and are no gaps.

SESSION-FILE is a session file of Pi or a folder of them; the default is where Pi
keeps them, of which the project you stand in is looked at. What a session did
that Pi kept no file of (--no-session) cannot be told.`,
		RunE: func(cmd *cobra.Command, args []string) error { return auditCoverage(cmd.Context(), env, o, args) },
	}
	f := cmd.Flags()
	addJournal(f, &o.journal)
	o.addTimes(f)
	f.StringVar(&o.filter.Session, "session", "", "only the session of Pi with this id, or the last")
	o.addProjects(f)
	f.BoolVar(&o.asJSON, "json", false, "print one JSON object")
	addNoPager(f, &o.noPager)
	return cmd
}

func auditCoverage(ctx context.Context, env environment, o coverageOptions, paths []string) error {
	filter, here, err := o.read(env, time.Now(), len(paths) > 0)
	if err != nil {
		return err
	}
	where, err := env.installation(o.journal)
	if err != nil {
		return err
	}
	p := newProblems(env)
	sessions, err := env.sessions(where.AgentDir)
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		paths = []string{sessions}
	}
	files, err := importOptions{pi: paths}.files(env, where, p)
	if err != nil {
		return err
	}
	reader, _, err := openJournal(ctx, env, o.journal, nil)
	if err != nil {
		return err
	}
	defer reader.Close()
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	if err := lastSession(ctx, reader, &filter); err != nil {
		return err
	}
	bar := newProgress(env.stderr)
	p.before = bar.clear
	result, err := coverage.Run(ctx, reader, coverage.Options{Files: files, Filter: filter, Elsewhere: outsideOf(sessions), Problem: p.add, Progress: bar.show})
	bar.clear()
	p.end()
	result.Unreadable += p.unfound
	if errors.Is(err, context.Canceled) {
		return &exitError{code: exitInterrupted}
	}
	if err != nil {
		return err
	}
	return printCoverage(ctx, env, &result, o, here)
}

// lastSession puts the session that "last" means into a filter.
func lastSession(ctx context.Context, r *audit.Reader, f *audit.Filter) error {
	if f.Session != audit.LastSession {
		return nil
	}
	for row, err := range r.List(ctx, audit.Filter{Session: f.Session, Projects: f.Projects, Limit: 1}) {
		if err != nil {
			return err
		}
		f.Session = row.Session
	}
	return nil
}

// outsideOf tells whether a session file stands outside a folder, links being
// followed.
func outsideOf(folder string) func(path string) bool {
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	return func(path string) bool {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		rel, err := filepath.Rel(folder, path)
		return err != nil || !filepath.IsLocal(rel)
	}
}

func printCoverage(ctx context.Context, env environment, r *coverage.Result, o coverageOptions, here bool) error {
	err := env.page(ctx, o.noPager, func(_ context.Context, w io.Writer, screen report.Screen) error {
		if o.asJSON {
			return printJSON(w, r)
		}
		return coverage.Write(w, r, screen)
	})
	if err != nil {
		return err
	}
	if here && r.Ran == 0 && !o.asJSON {
		fmt.Fprintf(env.stderr, "hint: only the project %s was looked at; --all looks at all\n", text.Visible(env.cwd))
	}
	switch {
	case r.Gaps > 0:
		return &exitError{exitFound, nil}
	case r.Unreadable > 0:
		return fmt.Errorf("%d %s could not be read", r.Unreadable, plural(r.Unreadable, "file", "files"))
	}
	return nil
}
