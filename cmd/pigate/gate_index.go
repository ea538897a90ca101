package main

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// index brings the index of a journal up to date in another process, which gives
// way to all others: it takes seconds of both processors when the journal is
// long, and a decision is not to wait for its share of them. It finishes even
// when the gate ends first.
func index(ctx context.Context, program, journal string) error {
	var said strings.Builder
	cmd := exec.CommandContext(ctx, program, "audit", "index", "--journal", journal)
	cmd.Stderr = &said
	hide(cmd)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("index the journal: %w", err)
	}
	yield(cmd.Process.Pid)
	if err := cmd.Wait(); err != nil && ctx.Err() == nil {
		return fmt.Errorf("index the journal: %w: %s", err, strings.TrimSpace(said.String()))
	}
	return ctx.Err()
}
