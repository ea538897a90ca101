package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate/checkout"
	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/pi"
	"github.com/pigate/pigate/internal/report"
	"github.com/pigate/pigate/internal/report/suggest"
	"github.com/pigate/pigate/internal/text"
)

// everywhere drafts rules for each project under its own policy.
func (o *suggestOptions) everywhere(ctx context.Context, env environment, reader *audit.Reader, at suggest.Place, bar *progress) error {
	loader := config.NewReader(at.Installation.AgentDir)
	person := pi.NewTrust(at.Installation.AgentDir)
	loader.Asked, loader.Decided = person.Asked, person.Decided
	at.Group = func(project string) string {
		if twin := checkout.Around(project).Own.Twin; twin != "" {
			return twin
		}
		return project
	}
	policies := map[string]*policy.Policy{}
	histories, err := suggest.ReadAll(ctx, reader, at, func(project string) *policy.Policy {
		trust := policy.TrustedByPerson
		if !filepath.IsAbs(project) {
			trust = policy.Untrusted // a folder of another system: the global rules count
		}
		policies[project] = loader.Load(project, trust).Policy
		return policies[project]
	})
	bar.clear()
	if err != nil {
		return err
	}
	if len(histories) == 0 {
		o.noteNothing(env, place{}, reader)
		return nil
	}
	return env.page(ctx, o.noPager || o.asJSON, func(ctx context.Context, w io.Writer, s report.Screen) error {
		prompts := 0
		for _, project := range slices.Sorted(maps.Keys(histories)) {
			n, err := o.oneOf(ctx, reader, w, s, project, histories[project], policies[project])
			if err != nil {
				return err
			}
			prompts += n
		}
		if prompts > 0 || o.asJSON {
			return nil
		}
		_, err := fmt.Fprintf(w, "no project has a prompt that a rule could spare: %d %s looked at\n", len(histories), plural(len(histories), "project", "projects"))
		return err
	})
}

// oneOf writes the drafts of one of all projects, and returns how many prompts it
// has.
func (o *suggestOptions) oneOf(ctx context.Context, reader *audit.Reader, w io.Writer, s report.Screen, project string, h *suggest.History, pol *policy.Policy) (prompts int, err error) {
	options := o.Options
	here, err := spellings(project)
	if err != nil {
		return 0, err
	}
	if options.Rejected, err = suggest.Rejections(ctx, reader, here); err != nil {
		return 0, err
	}
	study := suggest.NewStudy(h, pol, options)
	if o.asJSON {
		return study.Result().Prompts, printDrafts(w, project, study.Result().Drafts)
	}
	if prompts = study.Result().Prompts; prompts == 0 {
		return 0, nil
	}
	if _, err := fmt.Fprintf(w, "== %s\n", text.Visible(project)); err != nil {
		return prompts, err
	}
	if err := o.write(w, study, s); err != nil {
		return prompts, err
	}
	_, err = fmt.Fprintln(w)
	return prompts, err
}
