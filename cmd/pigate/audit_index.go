package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

func newAuditIndex(env environment) *cobra.Command {
	var journal string
	cmd := &cobra.Command{
		Use:   "index",
		Short: "Bring the index beside the journal up to date",
		Long: `Example:
  pigate audit index

Queries of a long journal are quick by an index beside it, which they bring up to
date themselves when they need it. This does it ahead of time, as the gate does
when a session of Pi begins. The index may be deleted at any time.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return auditIndex(cmd.Context(), env, journal) },
	}
	addJournal(cmd.Flags(), &journal)
	return cmd
}

func auditIndex(ctx context.Context, env environment, journal string) (err error) {
	reader, _, err := openJournal(ctx, env, journal, nil)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := reader.Close(); closeErr != nil {
			err = errors.Join(err, fmt.Errorf("close journal: %w", closeErr))
		}
	}()
	return reader.Refresh(ctx)
}
