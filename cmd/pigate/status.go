package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/gate/config"
)

func newStatus(env environment) *cobra.Command {
	var cwd string
	var untrusted bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show the rules and settings in force here",
		Long: `Example:
  pigate status --cwd ~/src/project

The same report as /allowlist inside Pi. Approvals "for this session" are known
only there.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			root := env.cwd
			if cwd != "" {
				root = cwd
			}
			root, err := filepath.Abs(root)
			if err != nil {
				return fmt.Errorf("find the project: %w", err)
			}
			agent, err := env.agentDir()
			if err != nil {
				return err
			}
			loaded := look(env, agent, root, !untrusted).InPi
			_, err = fmt.Fprintln(env.stdout, config.Report(loaded, nil))
			return err
		},
	}
	cmd.Flags().StringVar(&cwd, "cwd", "", "the project's folder (default: where you are)")
	cmd.Flags().BoolVar(&untrusted, "untrusted", false, "as in a project that Pi does not trust")
	return cmd
}
