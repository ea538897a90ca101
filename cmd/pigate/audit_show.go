package main

import (
	"bufio"
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/report"
	"github.com/pigate/pigate/internal/text"
)

func newAuditShow(env environment) *cobra.Command {
	var journal string
	var asJSON, noPager bool
	cmd := &cobra.Command{
		Use:   "show SEQ|CALL-ID [FILE...]",
		Short: "Show one call whole",
		Long: `Examples:
  pigate audit show 12
  pigate audit show call_8fQ2 --json

Prints everything about one call: the command with its units, the verdict with
the reasons and the rules, where each rule stands, the answer and how long it
took, what came of it, the policy that was in force, and the entry's link in the
chain. SEQ is the number of an entry as ` + "`pigate audit list`" + ` prints it; the
number of a prompt, an answer or an outcome means its call. CALL-ID is Pi's.

FILE is a journal; several are parts of one, in order. Without any, it is looked
for in the journal and its sealed files.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("name an entry by its number, or a call by its id")
			}
			return auditShow(cmd.Context(), env, journal, asJSON, noPager, args[0], args[1:])
		},
	}
	addJournal(cmd.Flags(), &journal)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	addNoPager(cmd.Flags(), &noPager)
	return cmd
}

func auditShow(ctx context.Context, env environment, journal string, asJSON, noPager bool, name string, files []string) error {
	reader, _, err := openJournal(ctx, env, journal, files)
	if err != nil {
		return err
	}
	defer reader.Close()
	shown, err := reader.Show(ctx, name)
	if err != nil {
		return err
	}
	return env.page(ctx, noPager, func(_ context.Context, w io.Writer, screen report.Screen) error {
		if asJSON {
			return printJSON(w, shown)
		}
		return report.Show(w, shown, screen)
	})
}

// asFormat makes --json the same as a --format, which is "table" unless the person
// gives it.
func asFormat(asJSON bool, format *string, same string) error {
	if !asJSON {
		return nil
	}
	if *format != "table" && *format != same {
		return usage("--json and --format %s contradict each other", *format)
	}
	*format = same
	return nil
}

// printJSON writes one JSON object on one line.
func printJSON(w io.Writer, value any) error {
	e := text.NewEncoder(w)
	return e.Encode(value)
}

// printJSONLines writes one object a line.
func printJSONLines[T any](w io.Writer, list []T) error {
	out := bufio.NewWriter(w)
	for i := range list {
		if err := printJSON(out, list[i]); err != nil {
			return err
		}
	}
	return out.Flush()
}
