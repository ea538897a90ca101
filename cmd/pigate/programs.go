package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/hint"
	"github.com/pigate/pigate/internal/report"
	"github.com/pigate/pigate/internal/report/knowledge"
	"github.com/pigate/pigate/internal/text"
)

func newPrograms(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "programs",
		Short: "Show what is known about programs, and where it comes from",
		Long: `Examples:
  pigate programs list             every program that is known here
  pigate programs show git push    what is known of git push

What pigate knows of programs, of their options and subcommands, decides what it
asks about beside your rules. You can teach it your own tools in a file of ten
lines: docs/programs.md.`,
		Args: knownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newProgramsList(env), newProgramsShow(env))
	return cmd
}

// programOptions are the flags of the commands on programs.
type programOptions struct {
	cwd             string
	asJSON, noPager bool
	taught          bool
}

func (o *programOptions) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.cwd, "cwd", "", "the project's folder (default: where you are)")
	addNoPager(f, &o.noPager)
}

// known reads what is known in the project, and tells what is wrong with files.
func (o *programOptions) known(env environment) (*knowledge.Known, error) {
	root := env.cwd
	if o.cwd != "" {
		root = o.cwd
	}
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("find the project: %w", err)
	}
	agent, err := env.agentDir()
	if err != nil {
		return nil, err
	}
	loaded := look(env, agent, root, true).Asked
	for _, w := range loaded.BrokenPrograms {
		fmt.Fprintf(env.stderr, "pigate: warning: %s\n", text.Visible(w.String()))
	}
	return knowledge.New(loaded.Policy.Settings.Programs), nil
}

func newProgramsList(env environment) *cobra.Command {
	var o programOptions
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the programs that are known here",
		Long: `Examples:
  pigate programs list             every program
  pigate programs list --taught    those that your files, or the project's, tell of

Prints each program with its other names, its class, and the files that tell of
it: pigate's own, yours in pigate/programs in Pi's folder, and the project's in
.pi/pigate/programs.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return programsList(cmd.Context(), env, o) },
	}
	o.add(cmd)
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print one JSON object a line")
	cmd.Flags().BoolVar(&o.taught, "taught", false, "only those that a file of yours or of the project tells of")
	return cmd
}

func programsList(ctx context.Context, env environment, o programOptions) error {
	known, err := o.known(env)
	if err != nil {
		return err
	}
	lines := known.List(o.taught)
	if o.asJSON {
		return printJSONLines(env.stdout, lines)
	}
	if len(lines) == 0 {
		fmt.Fprintln(env.stderr, "pigate: no file of yours or of the project tells of programs\nhint: docs/programs.md says how to write one")
		return nil
	}
	return env.page(ctx, o.noPager, func(_ context.Context, w io.Writer, screen report.Screen) error {
		_, err := report.WriteSheet(w, "table", []string{"program", "other names", "class", "told in"}, func(yield func([]any, error) bool) {
			for _, l := range lines {
				places := make([]string, len(l.Places))
				for i, p := range l.Places {
					places[i] = p.String()
				}
				if !yield([]any{l.Program, strings.Join(l.Names, " "), l.Class, strings.Join(places, ", ")}, nil) {
					return
				}
			}
		}, screen)
		return err
	})
}

func newProgramsShow(env environment) *cobra.Command {
	var o programOptions
	cmd := &cobra.Command{
		Use:   "show PROGRAM [SUBCOMMAND …]",
		Short: "Show what is known of a program or a subcommand",
		Long: `Examples:
  pigate programs show git push
  pigate programs show --json zapctl

Prints the names, the subcommands, the options with their values, what asks and
why, what it runs, what its operands are, where it takes secrets and which
environment variables it goes by, each with the file and line that says so. Of a
subcommand that no file tells of, what holds for the command around it is shown.

What a project's file says is judged beside what is known without it, and the
stricter verdict counts.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || args[0] == "" {
				return usage("%s takes the words of a command, as in: pigate programs show git push", cmd.CommandPath())
			}
			return programsShow(cmd.Context(), env, o, args)
		},
	}
	o.add(cmd)
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print one JSON object")
	cmd.Flags().SetInterspersed(false)
	return cmd
}

func programsShow(ctx context.Context, env environment, o programOptions, words []string) error {
	if len(words) == 1 {
		words = strings.Fields(words[0])
	}
	known, err := o.known(env)
	if err != nil {
		return err
	}
	c, rest := known.Show(words)
	if c == nil {
		return hint.With(fmt.Errorf("nothing is known of %s: its words are compared as they stand, and a rule must name it", text.Visible(words[0])),
			"docs/programs.md says how to teach it in ten lines; `pigate programs list` names what is known")
	}
	if len(rest) > 0 {
		fmt.Fprintf(env.stderr, "pigate: note: no file tells of %q here: this is of %s\n", text.Visible(strings.Join(rest, " ")), text.Visible(c.Command))
	}
	if o.asJSON {
		return printJSON(env.stdout, c)
	}
	return env.page(ctx, o.noPager, func(_ context.Context, w io.Writer, _ report.Screen) error { return c.Write(w) })
}
