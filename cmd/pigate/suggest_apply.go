package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/report/suggest"
	"github.com/pigate/pigate/internal/text"
)

// decide writes and rejects the drafts that the flags name.
func (o *suggestOptions) decide(ctx context.Context, p place, study *suggest.Study) (err error) {
	drafts := study.Result().Drafts
	accepted, err := chosenDrafts(drafts, o.apply, "apply")
	if err != nil {
		return err
	}
	rejected, err := chosenDrafts(drafts, o.reject, "reject")
	if err != nil {
		return err
	}
	for _, d := range rejected {
		for _, a := range accepted {
			if a == d {
				return usage("%s is to be applied and rejected", d.Rule)
			}
		}
	}
	s, err := newDecider(ctx, p)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	for _, d := range accepted {
		if err := s.tell(s.accept(ctx, d, d.Rule)); err != nil {
			return err
		}
	}
	for _, d := range rejected {
		if err := s.tell(s.reject(ctx, d)); err != nil {
			return err
		}
	}
	return s.done()
}

// tell prints what was done.
func (s *decider) tell(done string, err error) error {
	if err == nil {
		_, err = fmt.Fprintln(s.place.env.stdout, done)
	}
	return err
}

// chosenDrafts finds drafts by number or by their text.
func chosenDrafts(drafts []suggest.Draft, names []string, flag string) ([]*suggest.Draft, error) {
	var list []*suggest.Draft
	for _, name := range names {
		name = strings.TrimSpace(name)
		var found *suggest.Draft
		n, err := strconv.Atoi(name)
		for i := range drafts {
			if err == nil && n == i+1 || drafts[i].Rule == name {
				found = &drafts[i]
			}
		}
		if found == nil {
			return nil, usage("--%s: there is no draft %q; `pigate suggest` prints them with their numbers", flag, name)
		}
		list = append(list, found)
	}
	return list, nil
}

// decider carries out what a person says about drafts: the configuration first,
// then the journal.
type decider struct {
	place   place
	loader  *config.Loader
	journal *audit.Journal
	file    string
	saved   []string // what was written, in words
}

func newDecider(ctx context.Context, p place) (*decider, error) {
	s := &decider{place: p, loader: config.NewLoader(p.where.AgentDir)}
	if s.file = config.FilesOf(p.where.AgentDir, "").Global; p.root != "" {
		s.file = s.loader.FileFor(p.root)
	}
	var err error
	s.journal, err = audit.Open(ctx, p.where.Journal, p.env.journalOptions(p.where))
	return s, err
}

func (s *decider) close() error { return s.journal.Close() }

// addition is what accepting a draft as this text would add.
func (s *decider) addition(d *suggest.Draft, line string) config.Addition {
	effect := rule.Allow
	if d.Effect == policy.Deny {
		effect = rule.Deny
	}
	return config.Addition{Root: s.place.root, Effect: effect, Lines: []string{line}}
}

// accept writes a draft, as the person left it, and records that. done says what
// came of it.
func (s *decider) accept(ctx context.Context, d *suggest.Draft, line string) (done string, err error) {
	saved, err := s.loader.Add(s.addition(d, line))
	if err != nil {
		return "", err
	}
	if err := s.record(ctx, suggest.Accepted(d, line, s.file, s.place.root, time.Now().UnixMicro())); err != nil {
		return "", fmt.Errorf("%s was saved, but: %w", text.Visible(line), err)
	}
	if len(saved) == 0 {
		return fmt.Sprintf("already there: %s %s", d.Effect, text.Visible(line)), nil
	}
	s.saved = append(s.saved, fmt.Sprintf("saved: %s %s", d.Effect, text.Visible(line)))
	return s.saved[len(s.saved)-1], nil
}

// reject records that a person does not want a draft.
func (s *decider) reject(ctx context.Context, d *suggest.Draft) (done string, err error) {
	if err := s.record(ctx, suggest.Rejected(d, s.file, s.place.root, time.Now().UnixMicro())); err != nil {
		return "", err
	}
	return fmt.Sprintf("rejected: %s %s", d.Effect, text.Visible(d.Rule)), nil
}

func (s *decider) record(ctx context.Context, e *gate.Entry) error {
	if _, err := s.journal.Record(ctx, e); err != nil {
		return fmt.Errorf("record the draft: %w", err)
	}
	return nil
}

// done says where the rules went, and whether they count there.
func (s *decider) done() error {
	if len(s.saved) == 0 {
		return nil
	}
	env := s.place.env
	if _, err := fmt.Fprintf(env.stdout, "in %s\n", text.Visible(s.file)); err != nil {
		return err
	}
	if s.place.root != "" {
		look(env, s.place.where.AgentDir, s.place.root, true).noteTrust(env)
	}
	fmt.Fprintln(env.stderr, "hint: `pigate replay --imported` shows what they change; with --all in every project")
	return nil
}
