package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/hint"
	"github.com/pigate/pigate/internal/report"
	"github.com/pigate/pigate/internal/report/lint"
	"github.com/pigate/pigate/internal/report/replay"
	"github.com/pigate/pigate/internal/report/tidy"
	"github.com/pigate/pigate/internal/text"
)

// tightening is a configuration file whose rules are tidied, with what the
// journal says of them.
type tightening struct {
	root     string // "" for the global file
	file     string
	policy   *policy.Policy
	reader   *audit.Reader
	where    policy.Installation
	filter   audit.Filter
	own      func(*rule.Rule) bool // the rules of the file
	findings []tidy.Finding
}

// tighten looks at the rules of a project's own file, or with global at those of
// the person's file.
func (p *project) tighten(ctx context.Context, env environment, reader *audit.Reader, global bool, now time.Time) (*tightening, error) {
	t := &tightening{root: p.root, policy: p.rules.Policy, reader: reader, where: p.where}
	loader := config.NewReader(p.where.AgentDir)
	place := p.place(env)
	var here []string
	if global {
		r := loader.Load(filepath.Join(p.where.AgentDir, "pigate"), policy.Untrusted)
		t.root, t.policy, t.file = "", r.Policy, r.Global.Path
		t.own = func(r *rule.Rule) bool { return r.File == t.file }
	} else {
		t.file = loader.FileFor(p.root)
		if folder := filepath.Dir(filepath.Dir(t.file)); folder != filepath.Clean(p.root) {
			return nil, hint.With(fmt.Errorf("the rules for %s stand in %s", p.root, t.file), "run the command in the folder "+folder)
		}
		var err error
		if here, err = spellings(p.root); err != nil {
			return nil, err
		}
		t.filter.Projects = here
		rel, err := filepath.Rel(p.root, t.file)
		if err != nil {
			return nil, fmt.Errorf("find the project's file: %w", err)
		}
		name := filepath.ToSlash(rel)
		t.own = func(r *rule.Rule) bool { return r.File == name }
	}
	uses, err := lint.ReadUses(ctx, reader, here, 0)
	if err != nil {
		return nil, err
	}
	record, err := tidy.Read(ctx, reader, t.filter, t.policy, p.where, func(project string) bool { return slices.Contains(here, project) })
	if err != nil {
		return nil, err
	}
	t.findings = record.Findings(tidy.Options{Place: place, Now: now,
		Own: t.own, Since: func(r *rule.Rule) audit.Micros { return uses.Of(r, !global && t.own(r)).Since }})
	return t, nil
}

// tightened prints the findings of `pigate suggest --tighten`.
func (o *suggestOptions) tightened(ctx context.Context, env environment, reader *audit.Reader, bar *progress) error {
	if o.all {
		return usage("--all and --tighten exclude each other: name one project with --project, or give --global")
	}
	p, err := (&ruleOptions{cwd: o.project, journal: o.journal}).project(env)
	if err != nil {
		return err
	}
	t, err := p.tighten(ctx, env, reader, o.global, time.Now())
	bar.clear()
	if err != nil {
		return err
	}
	if o.asJSON {
		return printJSONLines(env.stdout, t.lines())
	}
	proof, _, err := t.proof(ctx, safe(t.findings))
	if err != nil {
		return err
	}
	return env.page(ctx, o.noPager, func(_ context.Context, w io.Writer, _ report.Screen) error {
		return t.write(w, proof, o.global)
	})
}

// tightenLine is a line of `pigate suggest --tighten --json`.
type tightenLine struct {
	// N is the finding's number, as `rules prune --tighten` takes it.
	N int `json:"n"`
	tidy.Finding
	// Last is null for rules that let no recorded call run.
	Last *audit.Micros `json:"last"`
}

func (t *tightening) lines() []tightenLine {
	list := make([]tightenLine, len(t.findings))
	for i, f := range t.findings {
		list[i] = tightenLine{i + 1, f, known(f.Last)}
	}
	return list
}

func (t *tightening) write(w io.Writer, proof string, global bool) error {
	out := bufio.NewWriter(w)
	say := func(format string, args ...any) { fmt.Fprintln(out, text.Visible(fmt.Sprintf(format, args...))) }
	for i, f := range t.findings {
		say("%d  %s: %s", i+1, f.Kind, f.Text)
		for _, at := range f.Remove {
			say("   - %s %s  (%s)", at.Effect, at.Rule, at.Where())
		}
		for _, line := range f.Add {
			say("   + allow %s", line)
		}
		if f.Looser != "" {
			say("     it would also let a recorded call run that asks today: %s", f.Looser)
		}
	}
	if len(t.findings) == 0 {
		say("nothing to tidy in %s", t.file)
		return out.Flush()
	}
	before, after := t.count(t.policy), t.count(tidy.Apply(t.policy, safe(t.findings)...))
	say("")
	say("%s: %d %s now, %d after the findings that make nothing ask anew", t.file, before, plural(before, "rule", "rules"), after)
	say("%s", proof)
	flag := ""
	if global {
		flag = " --global"
	}
	say("next: `pigate rules prune%s --tighten all` applies them; with NUMBERS for all, those alone", flag)
	return out.Flush()
}

// count is how many rules of a policy stand in the file, or would.
func (t *tightening) count(p *policy.Policy) (n int) {
	for i := range p.Rules {
		if r := &p.Rules[i]; r.File == "-" || t.own(r) {
			n++
		}
	}
	return n
}

// safe are the findings that make no recorded call ask anew.
func safe(list []tidy.Finding) []tidy.Finding {
	return slices.DeleteFunc(slices.Clone(list), func(f tidy.Finding) bool { return f.Asks > 0 })
}

// proof decides every recorded call again, before and after, and says what
// differs; asks is how many ask anew.
func (t *tightening) proof(ctx context.Context, list []tidy.Finding) (said string, asks int, err error) {
	filter := t.filter
	filter.Imported = true
	result, err := replay.Run(ctx, t.reader, filter, replay.Options{Old: replay.Fixed(t.policy), New: replay.Fixed(tidy.Apply(t.policy, list...)),
		Recorded: t.reader.Policy, Installation: t.where, Reanalyse: true, Zone: time.Local})
	if err != nil {
		return "", 0, err
	}
	calls, left, stricter, looser := 0, 0, 0, 0
	for _, part := range result.Parts() {
		calls, stricter, looser = calls+part.Calls, stricter+part.Stricter, looser+part.Looser
		for _, n := range part.NotReplayable {
			left += n.Calls
		}
	}
	said = fmt.Sprintf("replay: %d recorded %s decided again under the tidied rules: %d %s anew, %d %s that asked", calls-left, plural(calls-left, "call", "calls"),
		stricter, plural(stricter, "asks", "ask"), looser, plural(looser, "runs", "run"))
	if left > 0 {
		said += fmt.Sprintf("; %d cannot be decided again", left)
	}
	return said, stricter, nil
}

// chosen are the findings that a flag names: by number, by a rule that goes, or
// all that make no recorded call ask anew.
func (t *tightening) chosen(names []string) ([]tidy.Finding, error) {
	if len(names) == 1 && names[0] == "all" {
		return safe(t.findings), nil
	}
	var list []tidy.Finding
	for _, name := range names {
		name = strings.TrimSpace(name)
		n, err := strconv.Atoi(name)
		at := slices.IndexFunc(t.findings, func(f tidy.Finding) bool {
			return slices.ContainsFunc(f.Remove, func(p tidy.Place) bool { return p.Rule == name })
		})
		if err == nil && n > 0 && n <= len(t.findings) {
			at = n - 1
		}
		if at < 0 {
			return nil, usage("--tighten: there is no finding %q; `pigate suggest --tighten` prints them with their numbers", name)
		}
		list = append(list, t.findings[at])
	}
	return list, nil
}
