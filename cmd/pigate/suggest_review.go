package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pigate/pigate/internal/report/suggest"
	"github.com/pigate/pigate/internal/report/suggest/tui"
	"github.com/pigate/pigate/internal/text"
)

// review lets the person go through the drafts in the terminal.
func (o *suggestOptions) review(ctx context.Context, p place, study *suggest.Study) (err error) {
	if !isTerminal(p.env.stdin) || !isTerminal(p.env.stdout) {
		return usage("--interactive needs a terminal; --apply takes the numbers that `pigate suggest` prints")
	}
	if len(study.Result().Drafts) == 0 {
		fmt.Fprintln(p.env.stderr, "pigate: there is nothing to go through; `pigate suggest` says more")
		return nil
	}
	s, err := newDecider(ctx, p)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	err = tui.Run(ctx, p.env.stdin, p.env.stdout, tui.Options{Study: study,
		Accept: func(d *suggest.Draft, line string) (string, error) { return s.accept(ctx, d, line) },
		Reject: func(d *suggest.Draft) (string, error) { return s.reject(ctx, d) },
		Diff:   s.diff})
	for _, line := range s.saved {
		err = errors.Join(err, s.tell(line, nil))
	}
	return errors.Join(err, s.done())
}

// diff shows which lines of the file would change.
func (s *decider) diff(d *suggest.Draft, as string) (string, error) {
	before, after, err := s.loader.Preview(s.addition(d, as))
	if err != nil {
		return "", err
	}
	old, now := strings.Split(before, "\n"), strings.Split(after, "\n")
	first := 0
	for first < len(old) && first < len(now) && old[first] == now[first] {
		first++
	}
	last := 0
	for last < len(old)-first && last < len(now)-first && old[len(old)-1-last] == now[len(now)-1-last] {
		last++
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", text.Visible(s.file))
	for _, side := range []struct {
		sign  string
		lines []string
	}{{"  ", old[max(0, first-around):first]}, {"- ", old[first : len(old)-last]}, {"+ ", now[first : len(now)-last]}, {"  ", now[len(now)-last : min(len(now), len(now)-last+around)]}} {
		for _, line := range side.lines {
			fmt.Fprintf(&b, "%s%s\n", side.sign, text.Visible(line))
		}
	}
	if before == after {
		b.WriteString("the rule is there already\n")
	}
	return b.String(), nil
}

// around is how many lines around a change are shown.
const around = 3
