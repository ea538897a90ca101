// Package intake brings past tool calls into the journal: it reads session files
// and appends what the journal does not know yet.
package intake

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/transcript"
)

// Options are what an import needs to know.
type Options struct {
	// Journal is the file to import into, Audit how it is opened.
	Journal string
	Audit   audit.Options
	// Home is the home folder on this machine.
	Home string
	// DryRun counts what would be added, and adds nothing.
	DryRun bool
	// Progress is told now and then how many bytes of all were read. Nil tells
	// nobody.
	Progress func(done, total int64)
	// Problem is told of each line and each file that was skipped, as it is met:
	// lines as *transcript.BrokenError. Nil tells nobody.
	Problem func(error)
}

// groupSize is how many calls are stored in one transaction. A live gate waits
// for one of them at most.
const groupSize = 256

// Run imports the calls of the files, in their order, and tells what came of
// them, also after an error. A file that cannot be read is a problem, and the
// others are read all the same. When the context ends, what was added stays: the
// next import goes on from there. The errors are those of the journal and of the
// context.
func Run(ctx context.Context, files []transcript.File, o Options) (s Summary, err error) {
	s.DryRun = o.DryRun
	known, err := audit.ReadKnown(ctx, o.Journal)
	if err != nil {
		return s, err
	}
	r := &run{options: o, summary: &s, known: known, at: time.Now().UnixMicro()}
	for _, f := range files {
		r.total += f.Size
	}
	if !o.DryRun {
		r.journal = audit.NewJournal(o.Journal, o.Audit)
		defer func() { err = errors.Join(err, r.journal.Close()) }()
	}
	for _, f := range files {
		if err := r.file(ctx, f); err != nil {
			return s, err
		}
	}
	return s, r.store(ctx)
}

// run is one import.
type run struct {
	options Options
	summary *Summary
	known   *audit.Known
	journal *audit.Journal // nil when nothing is to be stored
	at      int64          // when it began
	group   []audit.PastCall

	done, total int64 // bytes
}

// file reads one file.
func (r *run) file(ctx context.Context, f transcript.File) error {
	in, err := f.Open()
	if err != nil {
		r.problem(err)
		r.summary.Unreadable++
		return nil
	}
	defer func() { _ = in.Close() }() // it was only read
	r.summary.Files++
	for call, err := range transcript.Read(ctx, &counter{in, r}, f.Source, f.Path) {
		if err := r.take(ctx, &call, err); err != nil {
			return err
		}
	}
	return nil
}

// take takes what a file yields.
func (r *run) take(ctx context.Context, call *transcript.Call, err error) error {
	var broken *transcript.BrokenError
	switch {
	case errors.As(err, &broken):
		r.summary.BrokenLines++
		r.problem(err)
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		r.summary.Unreadable++
		r.problem(err)
		return nil
	case call.User:
		r.summary.OwnCommands++
		return nil
	}
	r.summary.count(call)
	past := audit.PastCall{Entry: r.entry(call), Copied: call.Copied}
	switch r.known.Standing(past) {
	case audit.AlreadyImported:
		r.summary.AlreadyThere++
		return nil
	case audit.AlreadyDecided:
		r.summary.Decided++
		return nil
	case audit.Unknown:
	}
	if r.journal == nil {
		r.known.Note(past)
		r.summary.Added++
		return nil
	}
	if r.group = append(r.group, past); len(r.group) < groupSize {
		return nil
	}
	return r.store(ctx)
}

// entry names the call; what it was is added when it is stored.
func (r *run) entry(call *transcript.Call) *gate.Entry {
	return &gate.Entry{Kind: gate.KindImport, Time: call.Time, Session: call.Session, Call: call.ID,
		Import: &gate.Imported{Request: call.Request(r.options.Home), Result: call.Result,
			Source: string(call.Source), File: call.Place.File, ImportedAt: r.at}}
}

// store appends the calls of the group.
func (r *run) store(ctx context.Context) error {
	if len(r.group) == 0 {
		return nil
	}
	prepared, err := r.prepare(ctx)
	if err != nil {
		return err
	}
	before, err := r.journal.Import(ctx, r.known, prepared)
	if err != nil {
		return err
	}
	for _, standing := range before {
		switch standing {
		case audit.AlreadyImported:
			r.summary.AlreadyThere++
		case audit.AlreadyDecided:
			r.summary.Decided++
		case audit.Unknown:
			r.summary.Added++
		}
	}
	r.group = r.group[:0]
	return nil
}

func (r *run) problem(err error) {
	if r.options.Problem != nil {
		r.options.Problem(err)
	}
}

// counter counts what is read.
type counter struct {
	in  io.Reader
	run *run
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.run.done += int64(n)
	c.run.summary.Bytes = c.run.done
	if c.run.options.Progress != nil {
		c.run.options.Progress(c.run.done, c.run.total)
	}
	return n, err
}
