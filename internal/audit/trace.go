package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// Trace is what an entry says in public of the course of things: enough to tell
// which calls passed the gate, at a tenth of the cost of a Row.
type Trace struct {
	Seq     int64     `json:"-"`
	Time    Micros    `json:"-"`
	Kind    gate.Kind `json:"kind"`
	Session string    `json:"session"`
	Call    string    `json:"call"`
	// Tool is the tool that was decided on, "" when its name holds a secret.
	Tool     string        `json:"tool"`
	Verdict  policy.Effect `json:"verdict"`
	Decision policy.Action `json:"decision"`
	// Of is the decision that an outcome belongs to, 0 when there is none; Mismatch
	// that another input ran than was approved.
	Of       int64 `json:"of"`
	Mismatch bool  `json:"mismatch"`
	// From and To are when a gap began and ended, in microseconds since the Unix
	// epoch, OnError what became of calls meanwhile: "block", or "warn" when they
	// ran.
	From    int64  `json:"from"`
	To      int64  `json:"to"`
	OnError string `json:"on_error"`
}

const sqlTraces = `SELECT seq, pub FROM entry ORDER BY seq`

// Traces yields all entries, oldest first. An error is the last thing yielded,
// that of an entry which cannot be understood among them.
func (r *Reader) Traces(ctx context.Context) iter.Seq2[Trace, error] {
	return func(yield func(Trace, error) bool) {
		for _, f := range r.files {
			if !f.traces(ctx, func(t Trace, err error) bool {
				if err != nil {
					err = r.fail(err)
				}
				return yield(t, err) && err == nil
			}) {
				return
			}
		}
	}
}

// traces yields those of one file, and reports whether to go on.
func (f *file) traces(ctx context.Context, yield func(Trace, error) bool) bool {
	rows, err := f.db.QueryContext(ctx, sqlTraces)
	if err != nil {
		return yield(Trace{}, err)
	}
	defer func() { _ = rows.Close() }() // what matters of it is in rows.Err
	for rows.Next() {
		var seq int64
		var pub []byte
		if err := rows.Scan(&seq, &pub); err != nil {
			return yield(Trace{}, err)
		}
		t, err := trace(seq, pub)
		if !yield(t, err) {
			return false
		}
	}
	if err := rows.Err(); err != nil {
		return yield(Trace{}, err)
	}
	return true
}

func trace(seq int64, pub []byte) (Trace, error) {
	t := struct {
		Trace
		Time int64 `json:"time"`
	}{}
	if err := json.Unmarshal(pub, &t); err != nil {
		return Trace{Seq: seq}, fmt.Errorf("entry %d: %w", seq, err)
	}
	t.Trace.Seq, t.Trace.Time = seq, Micros(t.Time)
	if hidden(t.Tool) {
		t.Tool = ""
	}
	return t.Trace, nil
}
