package main

import (
	"context"

	"github.com/spf13/pflag"

	"github.com/pigate/pigate/internal/audit"
)

// addJournal adds the flag that names the journal.
func addJournal(f *pflag.FlagSet, journal *string) {
	f.StringVar(journal, "journal", "", "the journal's file (default: PIGATE_JOURNAL, else in Pi's folder)")
}

// openJournal opens the files that were named for reading, else the journal of
// the flag with its sealed files, and returns their paths.
func openJournal(ctx context.Context, env environment, flag string, named []string) (*audit.Reader, []string, error) {
	files, err := journalFiles(env, flag, named)
	if err != nil {
		return nil, nil, err
	}
	reader, err := openReader(ctx, env, files)
	return reader, files, err
}
