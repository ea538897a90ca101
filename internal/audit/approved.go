package audit

import (
	"context"
	"database/sql"
	"errors"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// sqlApproved finds what was last said of a call, among the last entries.
const sqlApproved = `
SELECT seq, json_extract(pub, '$.kind') AS kind, coalesce(json_extract(pub, '$.decision'), '') AS decision,
  coalesce(json_extract(body, '$.input_digest'), '') AS digest
FROM entry
WHERE seq > (SELECT max(seq) FROM entry) - ? AND instr(pub, ?) > 0
  AND json_extract(pub, '$.call') = ? AND json_extract(pub, '$.session') IS nullif(?, '')
  AND (pub GLOB '{"kind":"decision"*' OR pub GLOB '{"kind":"outcome"*')
ORDER BY seq DESC LIMIT 1`

// lookBack is how many entries are searched for the decision on a call. An
// outcome comes soon after it, and one without any must not cost a search of
// the whole journal.
const lookBack = 100_000

// Approved reports whether a call was let run, and whether digest is that of
// the input which was approved. found is false when the journal's last word on
// the call is not a decision to run it: it was blocked, its outcome is known,
// or it never passed the gate.
func (j *Journal) Approved(ctx context.Context, session, call, digest string) (found, same bool, err error) {
	ctx, cancel := bounded(ctx)
	defer cancel()
	n, err := j.encoding(ctx)
	if err != nil {
		return false, false, err
	}
	session, call = n.veil.name(ctx, session), n.callID(ctx, call)
	var last struct {
		Seq                    int64
		Kind, Decision, Digest string
	}
	err = j.write(ctx, "look into", func(ctx context.Context, c *connection) error {
		if _, err := j.appendAll(ctx, c, nil); err != nil {
			return err
		}
		err := c.conn.GetContext(context.WithoutCancel(ctx), &last, sqlApproved, lookBack, inner(call), call, session)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err == nil && last.Kind == string(gate.KindDecision) && call != "" {
			j.decided.note(&parts{kind: gate.KindDecision, session: session, call: call}, last.Seq)
		}
		return err
	})
	if err != nil || last.Kind != string(gate.KindDecision) || last.Decision != string(policy.Run) {
		return false, false, err
	}
	return true, last.Digest == n.key.digest("input", digest), nil
}
