// Command bigjournal writes a journal as years of work would leave it: recorded
// sessions are played again and again, in many projects, through the real gate
// and the journal's own code, with a made-up person who answers. Nothing in it is
// hand-made but the clock and the dice, so that what is measured on it is what
// users meet. The same arguments give the same calls.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/redact"
)

func main() {
	entries := flag.Int64("n", 1_000_000, "about how many entries")
	out := flag.String("o", "", "the journal to write; must not be there")
	sessions := flag.String("sessions", "", "a folder of session files of Pi (default: sessions in PIGATE_CASES, else ../shared/cases/sessions)")
	flag.Parse()
	if err := generate(context.Background(), *out, *sessions, *entries); err != nil {
		fmt.Fprintln(os.Stderr, "bigjournal:", err)
		os.Exit(1)
	}
}

func generate(ctx context.Context, out, sessions string, entries int64) (err error) {
	if out == "" {
		return errors.New("name the journal with -o")
	}
	if _, err := os.Stat(out); err == nil {
		return fmt.Errorf("%s is there already", out)
	}
	recorded, err := readSessions(cases(sessions))
	if err != nil {
		return err
	}
	j, err := audit.Open(ctx, out, audit.Options{Durability: audit.Process, Masker: func([]byte) audit.Masker { return plain{} }})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	start := time.Now()
	w := newWorld(&book{Journal: j}, recorded)
	for w.book.entries < entries {
		if err := w.session(ctx); err != nil {
			return err
		}
	}
	fmt.Fprintf(os.Stderr, "bigjournal: %d entries in %.0f s\n", w.book.entries, time.Since(start).Seconds())
	return nil
}

func cases(sessions string) string {
	if sessions != "" {
		return sessions
	}
	if dir := os.Getenv("PIGATE_CASES"); dir != "" {
		return filepath.Join(dir, "sessions")
	}
	return filepath.Join("..", "shared", "cases", "sessions")
}

// plain masks nothing: the recorded sessions hold no secrets, and looking for
// them would take most of the time.
type plain struct{}

func (plain) Text(_ context.Context, s string) (string, []redact.Mask, error) { return s, nil, nil }
