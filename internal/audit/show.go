package audit

import (
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/pigate/pigate/internal/gate"
)

// Shown is one entry with what surrounds it. The tags are the fields of
// `pigate audit show --json`.
type Shown struct {
	Entry Row `json:"entry"`
	// Link is the entry's place in the chain, in hex.
	Link ShownLink `json:"link"`
	// Policy is the text of the policy that decided, null when the journal's files
	// do not have it, it was erased, or nothing was decided.
	Policy json.RawMessage `json:"policy"`
	// History is what became of the very same call in this project to this day,
	// this entry included; nil when that cannot be told quickly, or the entry is
	// about no call.
	History *ShownHistory `json:"history"`
}

// ShownHistory is a History; the times are nil for never.
type ShownHistory struct {
	Ran        int     `json:"ran"`
	Approved   int     `json:"approved"`
	Denied     int     `json:"denied"`
	LastRan    *Micros `json:"last_ran"`
	LastDenied *Micros `json:"last_denied"`
}

// ShownLink is an entry's place in the chain. Intact reports that the hash is
// that of the entry; whether the chain is whole is for Verify to say.
type ShownLink struct {
	Seq    int64  `json:"seq"`
	Hash   string `json:"hash"`
	Prev   string `json:"prev"`
	Intact bool   `json:"intact"`
}

const (
	sqlPub      = `SELECT pub FROM entry WHERE seq = ?`
	sqlDecided  = `SELECT seq FROM entry WHERE seq BETWEEN ? AND ? AND pub GLOB '{"kind":"decision"*' AND instr(pub, ?) > 0 AND json_extract(pub, '$.call') = ? AND (? OR json_extract(pub, '$.session') = ?) ORDER BY seq`
	sqlPolicyOf = `SELECT coalesce(body, '') FROM entry WHERE pub GLOB '{"kind":"policy"*' AND json_extract(pub, '$.digest') = ? ORDER BY seq LIMIT 1`
	sqlLink     = `SELECT seq, version, prev, hash, commitment, pub FROM entry WHERE seq = ?`
)

// Show finds an entry by its number, or the decision on a call by Pi's id of the
// call. The number of a prompt, an answer or an outcome means the decision on
// that call, where there is one. A name that several calls have is an error
// that lists their numbers.
func (r *Reader) Show(ctx context.Context, name string) (Shown, error) {
	seq, err := r.find(ctx, name)
	if err != nil {
		return Shown{}, err
	}
	s := Shown{Policy: json.RawMessage("null")}
	if s.Entry, err = r.Row(ctx, seq); err != nil {
		return Shown{}, err
	}
	if s.Link, err = r.link(ctx, seq); err != nil {
		return Shown{}, r.fail(err)
	}
	var decided struct {
		Policy json.RawMessage `json:"policy"`
	}
	var digest string
	if s.Entry.Kind == gate.KindDecision && json.Unmarshal(s.Entry.Body, &decided) == nil && json.Unmarshal(decided.Policy, &digest) == nil {
		if s.Policy, err = r.policy(ctx, digest); err != nil {
			return Shown{}, r.fail(err)
		}
	}
	s.History, err = r.shownHistory(ctx, &s.Entry)
	return s, err
}

func (r *Reader) shownHistory(ctx context.Context, row *Row) (*ShownHistory, error) {
	if row.Kind != gate.KindDecision || row.Erased {
		return nil, nil
	}
	h, err := r.History(ctx, row.Project, row.Tool, row.Input)
	if err != nil && !errors.Is(err, ErrBehind) {
		return nil, err
	}
	if err != nil || h == (History{}) { // behind, or of a text that was masked
		return nil, nil
	}
	s := &ShownHistory{Ran: h.Ran, Approved: h.Approved, Denied: h.Denied}
	if h.Ran > 0 {
		s.LastRan = &h.LastRan
	}
	if h.Denied > 0 {
		s.LastDenied = &h.LastDenied
	}
	return s, nil
}

// soon is how many entries after a prompt the decision is looked for first.
const soon = 1000

// find returns the number of the entry that a name means.
func (r *Reader) find(ctx context.Context, name string) (int64, error) {
	seq, err := strconv.ParseInt(name, 10, 64)
	if err != nil {
		return r.byCall(ctx, name)
	}
	var pub string
	if err := r.get(ctx, &pub, sqlPub, seq); errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("there is no entry %d in the journal", seq)
	} else if err != nil {
		return 0, r.fail(err)
	}
	var e struct {
		head
		Of int64 `json:"of"`
	}
	if json.Unmarshal([]byte(pub), &e) != nil {
		return seq, nil // whoever reads it says what is wrong with it
	}
	if e.Of > 0 && r.get(ctx, &pub, sqlPub, e.Of) == nil {
		return e.Of, nil
	}
	if e.Kind == gate.KindPrompt || e.Kind == gate.KindAnswer {
		// The decision comes after both, mostly soon.
		for _, to := range []int64{seq + soon, math.MaxInt64} {
			list, err := r.decided(ctx, seq+1, to, e.Call, e.Session, false)
			if err != nil {
				return 0, r.fail(err)
			}
			if len(list) > 0 {
				return list[0], nil
			}
		}
	}
	return seq, nil
}

func (r *Reader) byCall(ctx context.Context, call string) (int64, error) {
	list, err := r.decided(ctx, 1, math.MaxInt64, call, "", true)
	switch {
	case err != nil:
		return 0, r.fail(err)
	case len(list) == 0:
		return 0, fmt.Errorf("no decision in the journal is on a call %q", call)
	case len(list) > 1:
		return 0, fmt.Errorf("several calls have the id %q; name one by its number: %v", call, list)
	}
	return list[0], nil
}

// decided finds the decisions on a call between two entries, both included.
func (r *Reader) decided(ctx context.Context, from, to int64, call, session string, any bool) (all []int64, err error) {
	add := func(from, to int64) error {
		for _, f := range r.files {
			var list []int64
			if err := f.db.SelectContext(ctx, &list, sqlDecided, from, to, inner(call), call, any, session); err != nil {
				return err
			}
			all = append(all, list...)
		}
		return nil
	}
	if to-from < worthwhile {
		return all, add(from, to)
	}
	hash := hashOf(call)
	err = r.lookUp(ctx, r.snapshot(ctx), from, func(c *chooser) {
		c.add(func(b *block, i int) bool { return b.get(colCall, i) == hash }, colCall)
	}, add)
	return all, err
}

// get asks one file after the other, until one has a row.
func (r *Reader) get(ctx context.Context, to any, query string, args ...any) error {
	err := sql.ErrNoRows
	for _, f := range r.files {
		if err = f.db.GetContext(ctx, to, query, args...); !errors.Is(err, sql.ErrNoRows) {
			return err
		}
	}
	return err
}

func (r *Reader) policy(ctx context.Context, digest string) (json.RawMessage, error) {
	var body string
	if err := r.get(ctx, &body, sqlPolicyOf, digest); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	var p struct {
		Policy json.RawMessage `json:"policy"`
	}
	if json.Unmarshal([]byte(body), &p) != nil || p.Policy == nil {
		return json.RawMessage("null"), nil // not there, or erased
	}
	return p.Policy, nil
}

func (r *Reader) link(ctx context.Context, seq int64) (ShownLink, error) {
	var l struct {
		Seq, Version           int64
		Prev, Hash, Commitment []byte
		Pub                    []byte
	}
	if err := r.get(ctx, &l, sqlLink, seq); err != nil {
		return ShownLink{}, err
	}
	whole := link{seq: l.Seq, version: l.Version, prev: l.Prev, hash: l.Hash, commitment: l.Commitment, pub: l.Pub}
	return ShownLink{l.Seq, hex.EncodeToString(l.Hash), hex.EncodeToString(l.Prev), whole.whole()}, nil
}
