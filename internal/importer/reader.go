package importer

import (
	"context"
	"errors"
	"io"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/transcript"
)

// groupSize is how many calls are stored in one transaction. A live gate waits
// for one of them at most.
const groupSize = 512

// reader collects the calls that are to be stored.
type reader struct {
	options Options
	known   *audit.Known
	at      int64 // when the import began, µs
	summary Summary

	parents map[string]string // session → the one it was forked from

	group []audit.PastCall
	full  chan<- []audit.PastCall // takes the groups; nil when nothing is to be stored

	done, total int64 // bytes
}

// files reads all files.
func (r *reader) files(ctx context.Context, files []transcript.File) error {
	r.summary.DryRun = r.options.DryRun
	for _, f := range files {
		if err := r.file(ctx, f); err != nil {
			return err
		}
	}
	return r.hand(ctx)
}

func (r *reader) file(ctx context.Context, f transcript.File) error {
	in, err := f.Open()
	if err != nil {
		r.unreadable(err)
		return nil
	}
	defer func() { _ = in.Close() }() // it was only read
	r.summary.Files++
	text, err := f.Text(&counter{in, r})
	if err != nil {
		r.unreadable(err)
		return nil
	}
	defer func() { _ = text.Close() }() // it was only read
	for call, err := range transcript.Read(ctx, text, f.Source, f.Path) {
		if err := r.take(ctx, &call, err); err != nil {
			return err
		}
	}
	return nil
}

// take takes what a file yields.
func (r *reader) take(ctx context.Context, call *transcript.Call, err error) error {
	var broken *transcript.BrokenError
	var unrecognised *transcript.UnrecognisedError
	switch {
	case errors.As(err, &unrecognised):
		r.summary.Unrecognised++
		r.problem(err)
		return nil
	case errors.As(err, &broken):
		r.summary.BrokenLines++
		r.problem(err)
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		r.unreadable(err)
		return nil
	case call.User:
		r.summary.OwnCommands++
		return nil
	}
	r.summary.count(call)
	past := audit.PastCall{Entry: r.entry(call), Copied: r.ancestors(call)}
	switch r.known.Standing(past) {
	case audit.AlreadyImported:
		r.summary.AlreadyThere++
		return nil
	case audit.AlreadyDecided:
		r.summary.Decided++
		return nil
	case audit.Unknown:
	}
	if r.full == nil {
		r.known.Note(past)
		r.summary.Added++
		return nil
	}
	if r.group = append(r.group, past); len(r.group) < groupSize {
		return nil
	}
	return r.hand(ctx)
}

// maxForks is how many forks of forks are followed.
const maxForks = 64

// ancestors are the sessions from which a copied call may come: a fork of a fork
// repeats what the first fork repeats.
func (r *reader) ancestors(call *transcript.Call) []string {
	if !call.Copied {
		return nil
	}
	if r.parents == nil {
		r.parents = map[string]string{}
	}
	r.parents[call.Fork] = call.Session
	list := []string{call.Session}
	for len(list) < maxForks && r.parents[list[len(list)-1]] != "" {
		list = append(list, r.parents[list[len(list)-1]])
	}
	return list
}

// hand hands the group on.
func (r *reader) hand(ctx context.Context) error {
	if len(r.group) == 0 {
		return nil
	}
	group := r.group
	r.group = nil
	return send(ctx, r.full, group)
}

// entry names the call; what it was is found out when it is prepared.
func (r *reader) entry(call *transcript.Call) *gate.Entry {
	return &gate.Entry{Kind: gate.KindImport, Time: call.Time, Session: call.Session, Call: call.ID,
		Import: &gate.Imported{Request: call.Request(r.options.Home), Result: call.Result,
			Source: string(call.Source), File: call.Place.File, ImportedAt: r.at}}
}

func (r *reader) unreadable(err error) {
	r.summary.Unreadable++
	r.problem(err)
}

func (r *reader) problem(err error) {
	if r.options.Problem != nil {
		r.options.Problem(err)
	}
}

// counter counts what is read.
type counter struct {
	in io.Reader
	r  *reader
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.r.done += int64(n)
	c.r.summary.Bytes = c.r.done
	if c.r.options.Progress != nil {
		c.r.options.Progress(c.r.done, c.r.total)
	}
	return n, err
}
