package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pigate/pigate/internal/gate"
)

// ReviewOptions say who has looked at entries, and what they have to say of
// them, for the record.
type ReviewOptions struct {
	// Note, User and Host are recorded in private.
	Note, User, Host string
}

// reviewEntry is the public part of a review: which decisions, as ranges of
// numbers. What is no decision counts for nothing in them.
type reviewEntry struct {
	head
	Reviewed spans `json:"reviewed"`
}

var errNoDecision = errors.New("no decision was named")

type reviewedBy struct {
	User string `json:"user,omitempty"`
	Host string `json:"host,omitempty"`
	Note string `json:"note,omitempty"`
}

// Review records in the journal at path that a person has looked at the
// decisions of these numbers, which Decisions or List gave. It returns the
// ranges that stand for them, and the number of its entry. Nothing to review is
// an error.
func Review(ctx context.Context, path string, seqs []int64, o ReviewOptions, options Options) (reviewed [][2]int64, seq int64, err error) {
	fail := func(err error) ([][2]int64, int64, error) {
		return nil, 0, &Error{Op: "review in", Path: path, Err: err}
	}
	if len(seqs) == 0 {
		return fail(errNoDecision)
	}
	list, err := spansOf(ctx, path, slices.Sorted(slices.Values(seqs)))
	if err != nil {
		return fail(err)
	}
	j := NewJournal(path, options)
	defer func() { err = errors.Join(err, j.Close()) }()
	n, err := j.encoding(ctx)
	if err != nil {
		return nil, 0, err
	}
	h := head{Kind: gate.KindReview, Time: time.Now().UnixMicro()}
	p, err := n.parts(ctx, h, reviewEntry{h, list}, reviewedBy{o.User, o.Host, o.Note})
	if err != nil {
		return nil, 0, err
	}
	seq, err = j.commit(ctx, p)
	return list, seq, err
}

// spansOf makes as few ranges as hold these decisions and no other: they run
// over entries of other kinds.
func spansOf(ctx context.Context, path string, seqs []int64) (list spans, err error) {
	files, err := Files(path)
	if err != nil {
		return nil, err
	}
	r, err := OpenReader(ctx, files...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	all, err := r.Decisions(ctx, seqs[0], seqs[len(seqs)-1])
	if err != nil {
		return nil, err
	}
	open := false
	for _, seq := range all {
		_, chosen := slices.BinarySearch(seqs, seq)
		switch {
		case chosen && open:
			list[len(list)-1][1] = seq
		case chosen:
			list = append(list, [2]int64{seq, seq})
		}
		open = chosen
	}
	if len(list) == 0 {
		return nil, errNoDecision
	}
	return list, nil
}

const sqlDecisions = `SELECT seq FROM entry WHERE pub GLOB '{"kind":"decision"*' AND seq BETWEEN ? AND ? ORDER BY seq`

// Decisions are the numbers of the decisions from one number to another, both
// included, in order.
func (r *Reader) Decisions(ctx context.Context, from, to int64) (all []int64, err error) {
	for _, f := range r.files {
		var list []int64
		if err := f.db.SelectContext(ctx, &list, sqlDecisions, from, to); err != nil {
			return nil, r.fail(err)
		}
		all = append(all, list...)
	}
	return all, nil
}

// reviewed are the ranges that any review names. scan is that of the filter that
// asks for them.
func (r *Reader) reviewed(ctx context.Context, scan bool) (all spans, err error) {
	for row, err := range r.List(ctx, Filter{Kind: gate.KindReview, Scan: scan}) {
		if err != nil {
			return nil, err
		}
		var e reviewEntry
		if err := json.Unmarshal(row.Body, &e); err != nil {
			return nil, fmt.Errorf("entry %d: %w", row.Seq, err)
		}
		all = append(all, e.Reviewed...)
	}
	return all.merged(), nil
}
