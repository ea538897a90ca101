package audit

import (
	"context"
	"encoding/json"
	"time"

	"github.com/pigate/pigate/internal/gate"
)

// sqlHasPolicy uses the index of the policies.
const sqlHasPolicy = `SELECT EXISTS (SELECT 1 FROM entry WHERE pub GLOB '{"kind":"policy"*' AND json_extract(pub, '$.digest') = ?)`

// policy makes the entry that holds a policy. Its digest is that of the text
// before secrets were taken out.
func (n *encoder) policy(ctx context.Context, digest string, body []byte) (*parts, error) {
	h := head{Kind: gate.KindPolicy, Time: time.Now().UnixMicro()}
	return n.parts(ctx, h, struct {
		head
		Digest string `json:"digest"`
	}{h, digest}, struct {
		Policy json.RawMessage `json:"policy"`
	}{body})
}

// storePolicy appends a policy unless the file has it.
func (c *connection) storePolicy(ctx context.Context, digest string, p *parts) error {
	var has bool
	err := c.transaction(ctx, func(ctx context.Context) error {
		if err := c.conn.GetContext(ctx, &has, sqlHasPolicy, digest); err != nil || has {
			return err
		}
		seq, hash, err := c.lookUp(ctx)
		if err != nil {
			return err
		}
		seq, hash, err = c.add(ctx, seq, hash, p)
		c.seq, c.hash = seq, hash
		return sealed(err)
	})
	if err != nil {
		c.seq = 0
		return err
	}
	c.policies[digest] = true
	return nil
}
