package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/audit"
)

type exportOptions struct {
	journal      string
	format       string
	public, full bool
	audit.ExportOptions
}

func newAuditExport(env environment) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:   "export [FILE...]",
		Short: "Write the journal as text that anyone can verify",
		Long: `Examples:
  pigate audit export > journal.jsonl
  pigate audit export --full --session 0199a1b2 > session.jsonl

Writes one JSON object a line: every entry with its hash, so that
` + "`pigate audit verify`" + ` takes the export as it takes the journal. With --public, the
default, the export holds no command, path or argument, and is verified all the
same; with --full it holds everything. docs/journal.md describes the lines.`,
		RunE: func(cmd *cobra.Command, args []string) error { return auditExport(cmd.Context(), env, o, args) },
	}
	f := cmd.Flags()
	addJournal(f, &o.journal)
	f.StringVar(&o.format, "format", "jsonl", "jsonl, the only one there is")
	f.BoolVar(&o.public, "public", false, "leave private text out (the default)")
	f.BoolVar(&o.full, "full", false, "include private text")
	f.StringVar(&o.Session, "session", "", "only the session of Pi with this id")
	f.Int64Var(&o.From, "from", 0, "begin with the entry of this number")
	f.Int64Var(&o.To, "to", 0, "end with the entry of this number")
	return cmd
}

func auditExport(ctx context.Context, env environment, o exportOptions, files []string) error {
	switch {
	case o.format != "jsonl":
		return usage("--format is %q, must be jsonl", o.format)
	case o.public && o.full:
		return usage("give either --public or --full")
	case o.From < 0 || o.To < 0:
		return usage("--from and --to must be 0 or more")
	}
	files, err := journalFiles(env, o.journal, files)
	if err != nil {
		return err
	}
	o.Public = !o.full
	_, err = audit.Export(ctx, env.stdout, o.ExportOptions, files...)
	return err
}
