package audit

import (
	"encoding/binary"
	"fmt"
	"math"
	"sort"
)

// blockRows is how many rows a full block has.
const blockRows = 1 << 14

// block is a run of rows, column by column, so that a query reads only what it
// asks about.
type block struct {
	ID, Rows     int
	First, Last  int64 // numbers of entries
	Since, Until int64 // the earliest and the latest time

	data [columns][]byte // nil until it is loaded
}

func (b *block) get(c column, i int) int64 {
	data := b.data[c]
	switch widths[c] {
	case 1:
		return int64(data[i])
	case 4:
		return int64(binary.LittleEndian.Uint32(data[i*4:]))
	}
	return int64(binary.LittleEndian.Uint64(data[i*8:]))
}

func (b *block) set(c column, i int, v int64) {
	data := b.data[c]
	switch widths[c] {
	case 1:
		data[i] = byte(v)
	case 4:
		binary.LittleEndian.PutUint32(data[i*4:], uint32(v))
	default:
		binary.LittleEndian.PutUint64(data[i*8:], uint64(v))
	}
}

// add appends a row to a block that is loaded as a whole.
func (b *block) add(values [columns]int64) {
	for c := range columns {
		b.data[c] = append(b.data[c], make([]byte, widths[c])...)
		b.set(c, b.Rows, values[c])
	}
	if b.Rows == 0 {
		b.First, b.Since, b.Until = values[colSeq], values[colTime], values[colTime]
	}
	b.Last, b.Since, b.Until = values[colSeq], min(b.Since, values[colTime]), max(b.Until, values[colTime])
	if values[colTime] == 0 {
		b.Until = math.MaxInt64 // unclear: it may be of any time
	}
	b.Rows++
}

// find is the place of the row of an entry, or where it would be.
func (b *block) find(seq int64) (i int, found bool) {
	i = sort.Search(b.Rows, func(i int) bool { return b.get(colSeq, i) >= seq })
	return i, i < b.Rows && b.get(colSeq, i) == seq
}

const sqlCell = `SELECT data FROM cell WHERE id = ?`

// cellID is the number of the cell that holds a column of a block.
func cellID(block int, c column) int { return block<<6 | int(c) }

// put sets one column as it was stored. The file may hold anything: what has no
// place in a block is refused.
func (b *block) put(c column, data []byte) error {
	if b.Rows < 0 || b.Rows > blockRows {
		return fmt.Errorf("%w: a block of %d rows", errNoIndex, b.Rows)
	}
	if len(data) < b.Rows*widths[c] {
		return fmt.Errorf("%w: a column is too short", errNoIndex)
	}
	b.data[c] = data
	return nil
}
