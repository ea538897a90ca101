package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/text"
)

type eraseOptions struct {
	journal string
	seqs    []int64
	match   string
	reason  string
}

func newAuditErase(env environment) *cobra.Command {
	var o eraseOptions
	cmd := &cobra.Command{
		Use:   "erase",
		Short: "Erase private text from the journal, for good",
		Long: `Examples:
  pigate audit erase --seq 42 --reason "a token in the command"
  pigate audit erase --match hunter2

Removes the command, paths and all other text of the person's from the entries
that are named, or that hold the text, and packs the file, so that the bytes are
gone from it and from its log. What was decided stays, the erasure itself is
recorded, and ` + "`pigate audit verify`" + ` still says whole. There is no way back.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return auditErase(cmd.Context(), env, o) },
	}
	f := cmd.Flags()
	addJournal(f, &o.journal)
	f.Int64SliceVar(&o.seqs, "seq", nil, "the number of an entry; may be given several times")
	f.StringVar(&o.match, "match", "", "every entry that holds this text; - reads it from standard input, so that it stays out of the shell's history")
	f.StringVar(&o.reason, "reason", "", "why, for the record")
	return cmd
}

func auditErase(ctx context.Context, env environment, o eraseOptions) error {
	if (len(o.seqs) == 0) == (o.match == "") {
		return usage("give either --seq or --match")
	}
	if o.match == "-" {
		text, err := io.ReadAll(env.stdin)
		if err != nil {
			return fmt.Errorf("read standard input: %w", err)
		}
		if o.match = strings.TrimRight(string(text), "\r\n"); o.match == "" {
			return usage("standard input is empty")
		}
	}
	where, err := env.installation(o.journal)
	if err != nil {
		return err
	}
	e := audit.EraseOptions{Seqs: o.seqs, Match: o.match, Reason: o.reason}
	e.User, e.Host = whoAndWhere()
	seqs, err := audit.Erase(ctx, where.Journal, e, env.journalOptions(where))
	if err != nil {
		return err
	}
	if len(seqs) == 0 {
		return &exitError{exitFailed, errors.New("no entry with private text was meant")}
	}
	_, err = fmt.Fprintf(env.stdout, "erased the private text of %d %s: %s\n", len(seqs), plural(len(seqs), "entry", "entries"), listed(seqs))
	return err
}

// whoAndWhere are facts for the journal, which does without.
func whoAndWhere() (who, host string) {
	host, _ = os.Hostname()
	if u, err := user.Current(); err == nil {
		who = u.Username
	}
	return who, host
}

// listed names numbers, the first of them when they are many.
func listed(seqs []int64) string {
	const most = 20
	var b strings.Builder
	for i, s := range seqs {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(seqs)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(&b, s)
	}
	return b.String()
}

// journalOptions are those that the global configuration asks for.
func (e environment) journalOptions(where policy.Installation) audit.Options {
	loaded := config.NewReader(where.AgentDir).Load(e.cwd, policy.Untrusted)
	o := journalOptions(loaded.Journal)
	o.Spare = where.AgentDir
	o.Programs.Learn(loaded.Policy.Settings.Programs)
	return o
}

func newAuditRotate(env environment) *cobra.Command {
	var journal string
	cmd := &cobra.Command{
		Use:   "rotate",
		Short: "Seal the journal and begin the next file",
		Long: `Example:
  pigate audit rotate

Seals the journal: nothing can be appended to it any more. It gets a number at
the end of its name, and a new file begins whose first entry names the last hash
of the old. Sessions that are running go on with the new file. All commands read
the sealed files too; they may be moved away, oldest first.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			where, err := env.installation(journal)
			if err != nil {
				return err
			}
			sealed, err := audit.Rotate(cmd.Context(), where.Journal, env.journalOptions(where))
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(env.stdout, "sealed %s\n", text.Visible(sealed))
			return err
		},
	}
	addJournal(cmd.Flags(), &journal)
	return cmd
}
