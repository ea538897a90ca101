package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/hint"
	"github.com/pigate/pigate/internal/text"
)

type verifyOptions struct {
	journal string
	against string
	key     string
	from    int64
	deep    bool
	asJSON  bool
}

func newAuditVerify(env environment) *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{
		Use:   "verify [FILE...]",
		Short: "Tell whether the journal is whole",
		Long: `Examples:
  pigate audit verify
  pigate audit verify --against checkpoints-from-another-machine.txt
  pigate audit verify export.jsonl --key "pigate+1a2b3c4d+Ab…"

Looks at every entry: whether it is what was recorded, stands where it belongs,
and follows the one before it; and whether the signed checkpoints, those in the
journal and those outside it, say the same. Prints "whole", or the number of the
first bad entry and what is wrong with it; the exit code is then 3.

FILE is a journal or an export of one; several are parts of one journal, in
order. Without any, the journal and its sealed files are verified.`,
		RunE: func(cmd *cobra.Command, args []string) error { return auditVerify(cmd.Context(), env, o, args) },
	}
	f := cmd.Flags()
	addJournal(f, &o.journal)
	f.StringVar(&o.against, "against", "", "a file of signed checkpoints, or one checkpoint as text (default: the file beside the journal)")
	f.StringVar(&o.key, "key", "", "the public key of the checkpoints, or a file with it (default: the file beside the journal)")
	f.Int64Var(&o.from, "from", 0, "begin with the entry of this number")
	f.BoolVar(&o.deep, "deep", false, "let SQLite look at the structure of its file too")
	f.BoolVar(&o.asJSON, "json", false, "print one JSON object")
	return cmd
}

func auditVerify(ctx context.Context, env environment, o verifyOptions, files []string) error {
	if o.from < 0 {
		return usage("--from is %d, must be 0 or more", o.from)
	}
	files, err := signedFiles(env, o.journal, files)
	if err != nil {
		return err
	}
	options := audit.VerifyOptions{From: o.from, Deep: o.deep}
	if options.Against, err = textOrFile(o.against); err != nil {
		return fmt.Errorf("read checkpoints: %w", err)
	}
	if options.Keys, err = textOrFile(o.key); err != nil {
		return fmt.Errorf("read public key: %w", err)
	}
	bar := newProgress(env.stderr)
	options.Progress = bar.show
	v, err := audit.Verify(ctx, options, files...)
	bar.clear()
	if err != nil {
		return err
	}
	if o.asJSON {
		err = text.NewEncoder(env.stdout).Encode(v)
	} else {
		err = printVerification(env.stdout, v)
	}
	if err == nil && !v.Whole {
		return &exitError{exitFound, nil}
	}
	return err
}

// errNoJournal is that nothing was ever recorded.
var errNoJournal = errors.New("there is no journal")

// journalFiles are the files that were named, or else the journal with its
// sealed files.
func journalFiles(env environment, journalFlag string, named []string) ([]string, error) {
	return filesOrSigned(env, journalFlag, named, false)
}

// signedFiles are those of journalFiles, and where there are none but checkpoints
// of some, the journal that should be there.
func signedFiles(env environment, journalFlag string, named []string) ([]string, error) {
	return filesOrSigned(env, journalFlag, named, true)
}

func filesOrSigned(env environment, journalFlag string, named []string, signed bool) ([]string, error) {
	if len(named) > 0 {
		return named, eachOnce(named)
	}
	where, err := env.installation(journalFlag)
	if err != nil {
		return nil, err
	}
	files, err := audit.Files(where.Journal)
	if err != nil {
		return nil, fmt.Errorf("look for the journal: %w", err)
	}
	if _, err := os.Stat(where.Journal); errors.Is(err, os.ErrNotExist) {
		if files = files[:len(files)-1]; len(files) == 0 {
			if signed && audit.HasCheckpoints(where.Journal) {
				return []string{where.Journal}, nil
			}
			return nil, hint.With(fmt.Errorf("%w at %s", errNoJournal, where.Journal),
				"the first call that passes the gate creates it (`pigate doctor` looks whether the gate is installed), or `pigate import` with past sessions")
		}
	}
	return files, nil
}

// eachOnce refuses a file that is named twice, in whatever spelling: its entries
// would count twice.
func eachOnce(files []string) error {
	var seen []os.FileInfo
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			continue // who opens it tells more
		}
		if slices.ContainsFunc(seen, func(other os.FileInfo) bool { return os.SameFile(info, other) }) {
			return usage("%s is named twice", f)
		}
		seen = append(seen, info)
	}
	return nil
}

// textOrFile is the content of the file of that name, or else the text itself.
func textOrFile(value string) (string, error) {
	if value == "" || strings.ContainsAny(value, "\n") {
		return value, nil
	}
	text, err := os.ReadFile(value)
	if errors.Is(err, os.ErrNotExist) && strings.Count(value, "+") >= 2 {
		return value, nil // a key
	}
	return string(text), err
}

func printVerification(w io.Writer, v audit.Verification) error {
	if !v.Whole {
		where := fmt.Sprintf("entry %d", v.Finding.Seq)
		if v.Finding.Seq == 0 {
			where = "the file"
		}
		_, err := fmt.Fprintf(w, "not whole: %s: %s\n%s\n%s\n", where, v.Finding.Kind, text.Visible(v.Finding.Text), text.Visible(v.Finding.File))
		return err
	}
	_, err := fmt.Fprintf(w, "whole: %s\n", strings.Join(wholeness(v), ", "))
	return err
}

// wholeness says what was verified.
func wholeness(v audit.Verification) []string {
	if v.Entries == 0 {
		return []string{"no entries"}
	}
	parts := []string{fmt.Sprintf("%d %s (%d to %d)", v.Entries, plural(int(v.Entries), "entry", "entries"), v.First, v.Last)}
	if v.Partial {
		parts = append(parts, "each on its own: it is a selection")
	}
	if v.Erased > 0 {
		parts = append(parts, fmt.Sprintf("%d of them erased, as recorded", v.Erased))
	}
	switch {
	case v.Checkpoints == 0:
		parts = append(parts, "no checkpoint signs them")
	case v.Outside == 0:
		parts = append(parts, fmt.Sprintf("signed up to %d, by nothing outside the journal", v.Signed))
	default:
		parts = append(parts, fmt.Sprintf("signed up to %d, outside the journal up to %d", v.Signed, v.Outside))
	}
	return parts
}
