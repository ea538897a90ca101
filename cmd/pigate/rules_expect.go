package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/hint"
	"github.com/pigate/pigate/internal/report/ruletest"
	"github.com/pigate/pigate/internal/text"
)

// tableName is where a project's table of expectations stands, beside its rules.
const tableName = ".pi/allowlist-gate.expect"

func newRulesTest(env environment) *cobra.Command {
	var o ruleOptions
	cmd := &cobra.Command{
		Use:   "test [FILE...]",
		Short: "Hold the rules against a table of calls and expected verdicts",
		Long: `Examples:
  pigate rules test
  pigate rules test more-expectations.txt

A table has a call a line, the verdict in front; # begins a comment:

  allow  git status
  deny   git push --force
  ask    @edit ../elsewhere/notes.md
  pass   @read

Each call is decided with the gate's own code and the rules of the project you
stand in, as in a project that you trust. Without FILE the table is
` + tableName + `. Nothing is run and nothing is recorded.

The exit code is 3 when a verdict is not the one expected, for CI. docs/rules.md
describes the table in full.`,
		RunE: func(_ *cobra.Command, args []string) error { return rulesTest(env, o, args) },
	}
	o.add(cmd)
	return cmd
}

// testResult is a line of `pigate rules test --json`.
type testResult struct {
	File    string          `json:"file"`
	Line    int             `json:"line"`
	Tool    string          `json:"tool"`
	Text    string          `json:"text"`
	Want    policy.Effect   `json:"want"`
	Verdict policy.Effect   `json:"verdict"`
	OK      bool            `json:"ok"`
	Reasons []policy.Reason `json:"reasons"`
}

func rulesTest(env environment, o ruleOptions, files []string) error {
	p, err := o.project(env)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		table := filepath.Join(p.root, filepath.FromSlash(tableName))
		switch at, err := os.Stat(table); {
		case errors.Is(err, fs.ErrNotExist):
			return hint.With(usage("there is no table at %s", table), "write one, or name a FILE; pigate rules test --help shows an example")
		case err == nil && !at.Mode().IsRegular(): // a FILE that somebody names may be a pipe
			return usage("the table %s is not a regular file", table)
		}
		files = []string{table}
	}
	var list []testResult
	wrong := 0
	for _, file := range files {
		cases, err := readTable(env, file)
		if err != nil {
			return err
		}
		for _, c := range cases {
			_, v := decide(p.rules.Policy, c.Request(p.place(env)))
			e := testResult{shown(p.root, file), c.Line, c.Tool, c.Text, c.Want, v.Effect, v.Effect == c.Want, v.Reasons}
			if list = append(list, e); !e.OK {
				wrong++
			}
		}
	}
	if o.asJSON {
		err = printJSONLines(env.stdout, list)
	} else {
		err = writeExpectations(env, list, wrong)
	}
	if err == nil && wrong > 0 {
		return &exitError{exitFound, nil}
	}
	return err
}

func readTable(env environment, file string) ([]ruletest.Case, error) {
	if !filepath.IsAbs(file) {
		file = filepath.Join(env.cwd, file)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("read table: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	cases, err := ruletest.Parse(f)
	switch {
	case err != nil:
		return nil, usage("%s: %v", file, err)
	case len(cases) == 0:
		return nil, usage("%s holds no call", file)
	}
	return cases, nil
}

// shown is a file as the person sees it: relative where it is in the project.
func shown(root, file string) string {
	if rel, err := filepath.Rel(root, file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return file
}

// writeExpectations writes what is not as expected, and why.
func writeExpectations(env environment, list []testResult, wrong int) error {
	out := bufio.NewWriter(env.stdout)
	say := func(format string, args ...any) { fmt.Fprintln(out, text.Visible(fmt.Sprintf(format, args...))) }
	for _, e := range list {
		if e.OK {
			continue
		}
		text := e.Text
		if e.Tool != "bash" {
			text = strings.TrimSpace("@" + e.Tool + " " + e.Text)
		}
		say("%s:%d: %s, expected %s: %s", e.File, e.Line, e.Verdict, e.Want, text)
		for _, r := range e.Reasons {
			about := ""
			if r.Resource != "" {
				about = ": " + r.Resource
			}
			say("  %s%s", r.Words(), about)
		}
	}
	say("%d of %d as expected", len(list)-wrong, len(list))
	return out.Flush()
}
