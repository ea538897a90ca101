package audit

import (
	"context"
	"slices"
)

// last is the block that takes the next row.
func (b *builder) last(ctx context.Context) (*block, error) {
	i := len(b.blocks) - 1
	if i >= 0 {
		bl, err := b.block(ctx, i)
		if err != nil || bl.Rows < blockRows {
			return bl, err
		}
		b.blocks[i] = block{ID: bl.ID, Rows: bl.Rows, First: bl.First, Last: bl.Last, Since: bl.Since, Until: bl.Until}
	}
	i++
	b.blocks = append(b.blocks, block{ID: i})
	bl := &block{ID: i}
	for c := range columns {
		bl.data[c] = make([]byte, 0, blockRows*widths[c])
	}
	b.open[i] = bl
	return bl, nil
}

// block is a block with all its columns, to be changed.
func (b *builder) block(ctx context.Context, i int) (*block, error) {
	if bl := b.open[i]; bl != nil {
		return bl, nil
	}
	bl := b.blocks[i]
	for c := range columns {
		var data []byte
		if err := b.conn.GetContext(ctx, &data, sqlCell, cellID(bl.ID, c)); err != nil {
			return nil, err
		}
		if err := bl.put(c, data); err != nil {
			return nil, err
		}
	}
	b.open[i] = &bl
	return &bl, nil
}

// write stores everything that the batch changed.
func (b *builder) write(ctx context.Context) error {
	for i, bl := range b.open {
		b.blocks[i] = block{ID: bl.ID, Rows: bl.Rows, First: bl.First, Last: bl.Last, Since: bl.Since, Until: bl.Until}
		if _, err := b.conn.ExecContext(ctx, `INSERT OR REPLACE INTO block (id, rows, first, last, since, until) VALUES (?, ?, ?, ?, ?, ?)`,
			bl.ID, bl.Rows, bl.First, bl.Last, bl.Since, bl.Until); err != nil {
			return err
		}
		for c := range columns {
			if _, err := b.conn.ExecContext(ctx, `INSERT OR REPLACE INTO cell (id, data) VALUES (?, ?)`, cellID(bl.ID, c), bl.data[c]); err != nil {
				return err
			}
		}
	}
	if err := b.writeNames(ctx); err != nil {
		return err
	}
	if err := b.writeHistory(ctx); err != nil {
		return err
	}
	if _, err := b.conn.ExecContext(ctx, `DELETE FROM state`); err != nil {
		return err
	}
	_, err := b.conn.ExecContext(ctx, `INSERT INTO state (format, first, seq, hash) VALUES (?, ?, ?, ?)`, indexFormat, b.state.First, b.state.Seq, b.state.Hash)
	return err
}

func (b *builder) writeNames(ctx context.Context) error {
	for _, n := range b.fresh {
		if _, err := b.conn.ExecContext(ctx, `INSERT INTO name (kind, id, text) VALUES (?, ?, ?)`, int(n.kind), n.id, n.text); err != nil {
			return err
		}
	}
	insert, err := b.conn.PreparexContext(ctx, `INSERT INTO same (digest, seq) VALUES (?, ?)`)
	if err != nil {
		return err
	}
	defer func() { _ = insert.Close() }() // it wrote already
	// In order, so that neighbours are written together.
	slices.SortFunc(b.sames, func(x, y freshSame) int { return slices.Compare(x.digest[:], y.digest[:]) })
	for _, s := range b.sames {
		if _, err := insert.ExecContext(ctx, s.digest[:], s.seq); err != nil {
			return err
		}
	}
	return nil
}

const sqlCount = `
INSERT INTO history (digest, ran, approved, denied, last_ran, last_denied) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (digest) DO UPDATE SET ran = ran + excluded.ran, approved = approved + excluded.approved, denied = denied + excluded.denied,
  last_ran = max(last_ran, excluded.last_ran), last_denied = max(last_denied, excluded.last_denied)`

func (b *builder) writeHistory(ctx context.Context) error {
	count, err := b.conn.PreparexContext(ctx, sqlCount)
	if err != nil {
		return err
	}
	defer func() { _ = count.Close() }() // it wrote already
	keys := make([]digest, 0, len(b.calls))
	for d := range b.calls {
		keys = append(keys, d)
	}
	slices.SortFunc(keys, func(x, y digest) int { return slices.Compare(x[:], y[:]) })
	for _, d := range keys {
		h := b.calls[d]
		if _, err := count.ExecContext(ctx, d[:], h.Ran, h.Approved, h.Denied, int64(h.LastRan), int64(h.LastDenied)); err != nil {
			return err
		}
	}
	return nil
}
