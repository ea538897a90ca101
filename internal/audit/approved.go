package audit

import (
	"context"
	"database/sql"
	"errors"

	"github.com/pigate/pigate/internal/gate"
)

// sqlApproved finds what was last said of a call. The plus keeps SQLite on the
// index of the calls.
const sqlApproved = `
SELECT kind, coalesce(json_extract(body, '$.decision'), '') AS decision, coalesce(json_extract(body, '$.input_digest'), '') AS digest
FROM entry
WHERE call = ? AND +session IS ? AND kind IN ('decision', 'outcome')
ORDER BY seq DESC LIMIT 1`

// Approved returns the digest of the input with which a call was let run. found
// is false when the journal's last word on the call is not a decision to run
// it: it was blocked, its outcome is known, or it never passed the gate.
func (j *Journal) Approved(ctx context.Context, session, call string) (digest string, found bool, err error) {
	var last struct{ Kind, Decision, Digest string }
	err = j.write(ctx, "look into", func(ctx context.Context, c *connection) error {
		err := c.conn.GetContext(ctx, &last, sqlApproved, call, session)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	if err != nil || last.Kind != string(gate.KindDecision) || last.Decision != string(gate.Run) {
		return "", false, err
	}
	return last.Digest, true, nil
}
