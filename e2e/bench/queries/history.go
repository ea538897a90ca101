package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
)

// histories measures what the dialog waits for: what became of a call before. The
// calls are the newest ones, and the journal is opened anew for each.
func histories(ctx context.Context, journal string) error {
	files, err := audit.Files(journal)
	if err != nil {
		return err
	}
	calls, err := newestCalls(ctx, files)
	if err != nil {
		return err
	}
	var times []time.Duration
	for _, c := range calls {
		start := time.Now()
		r, err := audit.OpenReader(ctx, files...)
		if err != nil {
			return err
		}
		_, err = r.History(ctx, c.Project, c.Tool, c.Input)
		times = append(times, time.Since(start))
		if err = errors.Join(err, r.Close()); err != nil {
			return err
		}
	}
	slices.Sort(times)
	fmt.Printf("\nwhat became of a call before: half within %.1f ms, 99 of 100 within %.1f ms\n", ms(times[len(times)/2]), ms(times[len(times)*99/100]))
	return nil
}

func newestCalls(ctx context.Context, files []string) (calls []audit.Row, err error) {
	r, err := audit.OpenReader(ctx, files...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	for row, err := range r.List(ctx, audit.Filter{Kind: gate.KindDecision, Limit: 500}) {
		if err != nil {
			return nil, err
		}
		calls = append(calls, row)
	}
	if len(calls) == 0 {
		return nil, errors.New("the journal holds no decisions")
	}
	return calls, nil
}
