package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"os/user"
	"syscall"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/redact"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/checkout"
	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/gate/gitinfo"
	"github.com/pigate/pigate/internal/gate/kin"
	"github.com/pigate/pigate/internal/gate/links"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/wire"
	"github.com/pigate/pigate/internal/pi"
	"github.com/pigate/pigate/internal/report/piview"
)

func newGate(env environment) *cobra.Command {
	var journal string
	cmd := &cobra.Command{
		Use:   "gate",
		Short: "Serve an extension over standard input and output",
		Long: `Example:
  pigate gate --journal /tmp/journal.db < messages.jsonl

Pi's extension starts this command; docs/protocol.md describes the messages. It
ends when standard input ends.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return serveGate(cmd.Context(), env, journal) },
	}
	addJournal(cmd.Flags(), &journal)
	return cmd
}

func serveGate(ctx context.Context, env environment, journalFlag string) error {
	// Ctrl-C in the terminal is for Pi, which then closes our standard input.
	signal.Ignore(os.Interrupt)
	// A host that has ended, or a signal to end, leaves open calls to be recorded.
	signal.Ignore(syscall.SIGPIPE)
	serving, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	outliveLimits()
	where, err := env.installation(journalFlag)
	if err != nil {
		return err
	}
	log := zerolog.New(env.stderr).With().Timestamp().Logger()
	// By a reader of its own: the loader below hands out each warning once, and those are for the person.
	options := env.journalOptions(where)
	loader := config.NewLoader(where.AgentDir)
	person := pi.NewTrust(where.AgentDir)
	loader.Asked, loader.Decided = person.Asked, person.Decided
	journal := audit.NewJournal(where.Journal, options)
	go journal.Warm(ctx)
	memory := newMemory(where.Journal, func(err error) { log.Warn().Msg(err.Error()) })
	server := &wire.Server{
		Version: version, Installation: where, Home: env.home,
		Log:      func(text string) { log.Warn().Msg(journal.Masked(ctx, text)) },
		Checkout: gitinfo.Look,
		Status: func(root string, trust policy.Trust, grants []gate.Grant) string {
			return config.Report(loader.Look(root, trust), grants)
		},
		Recent: memory.recent, Why: memory.why,
		Revoke: func(ctx context.Context, root, session string) (string, error) {
			return revokeAll(ctx, journal, loader, where.AgentDir, root, session)
		},
		Started: memory.started,
	}
	server.Hostname, _ = os.Hostname() // facts for the journal; it does without
	if u, err := user.Current(); err == nil {
		server.User = u.Username
	}
	server.Guard = &gate.Guard{Rules: rules{loader, options.Programs}, Asker: server.Asker(), Recorder: journal, Links: links.Resolve, Around: (&checkout.Finder{}).Checkout, Now: time.Now, Widener: piview.Widener{},
		Secret: journal.HoldsSecret, Lenient: options.Lenient, Historian: memory, Adviser: memory.offer, Revoked: config.NewRevocation(where.AgentDir).Last,
		Drafter: piview.Drafter{Open: memory.drafting, File: loader.FileFor, Same: sameProject, Installation: where, Now: time.Now}}
	server.Guard.Parents, server.Guard.Elsewhere = kin.Parents{AgentDir: where.AgentDir}, server.Elsewhere
	server.Listen = func(session, root string, ask func(context.Context, gate.Question) gate.Reply) (func(), error) {
		l, err := kin.Listen(where.AgentDir, session, root, ask)
		if err != nil {
			return nil, err
		}
		return l.Close, nil
	}
	err = server.Serve(serving, env.stdin, writeCloser{env.stdout})
	closeErr := errors.Join(memory.past.Close(), journal.Close())
	if err == nil && closeErr != nil {
		err = fmt.Errorf("close journal: %w", closeErr)
	}
	return err
}

// journalOptions turns the settings of the global file into those of the journal.
func journalOptions(s config.JournalSettings) audit.Options {
	o := audit.Options{Programs: &redact.Programs{}, GatedOnly: s.Record == config.RecordGated, Lenient: s.OnError == config.OnErrorWarn}
	if s.Durability == config.DurabilityProcess {
		o.Durability = audit.Process
	}
	return o
}

// rules gives the guard its configuration, and the journal where programs take
// secrets, before the call is recorded.
type rules struct {
	loader  *config.Loader
	secrets *redact.Programs
}

func (r rules) Load(root string, trust policy.Trust) (*policy.Policy, bool, []string) {
	loaded := r.loader.Load(root, trust)
	r.secrets.Learn(loaded.Policy.Settings.Programs)
	var texts []string
	for _, w := range loaded.New {
		texts = append(texts, w.String())
	}
	return loaded.Policy, loaded.Trusted, texts
}

func (r rules) Save(root string, lines []string) (string, []string, error) {
	saved, err := r.loader.Save(root, lines)
	return r.loader.FileFor(root), saved, err
}

// sameProject are the folders that count as one project with a folder.
func sameProject(root string) []string { return checkout.Around(root).Same() }

// checkoutOf tells what belongs to the project of a folder.
func checkoutOf(root string) policy.Checkout { return (&checkout.Finder{}).Checkout(root) }

// writeCloser closes standard output when the server is done with it.
type writeCloser struct{ io.Writer }

func (w writeCloser) Close() error {
	if c, ok := w.Writer.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
