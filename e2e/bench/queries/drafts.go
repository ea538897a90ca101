package main

import (
	"context"
	"fmt"
	"strings"
)

// drafts measures drafting rules from the whole journal, once each: it is work
// of seconds.
func drafts(ctx context.Context, pigate, journal string) error {
	fmt.Println()
	for _, args := range [][]string{{"suggest", "--all", "--no-backtest"}, {"suggest", "--global"}} {
		c, err := run(ctx, pigate, append(args, "--journal", journal)...)
		if err != nil {
			return fmt.Errorf("%v: %w", args, err)
		}
		fmt.Printf("%-52s %6.1f s, %.1f s of cpu, %d MiB of memory\n", strings.Join(args, " "), c.took.Seconds(), c.cpu.Seconds(), c.memory>>20)
	}
	return nil
}
