package audit

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/pigate/pigate/internal/gate"
)

// column is one fact about the rows of an index.
type column int

// The columns. A row stands for an entry that List yields; the facts are those
// of Row and Call, texts as numbers of names.
const (
	colSeq column = iota
	colTime
	colKind
	colSession
	colProject
	colTool
	colVerdict
	colDecision
	colBasis
	colAnswer
	colOutcome
	colFlags
	colWaited
	colDuration
	colPolicy
	colRules
	colPrograms
	colSubject
	colJudged
	colCall // a hash of Pi's id of the call
	columns
)

// widths are how many bytes a value of each column takes.
var widths = [columns]int{
	colSeq: 8, colTime: 8, colKind: 1, colSession: 4, colProject: 4, colTool: 4, colVerdict: 1, colDecision: 1, colBasis: 1, colAnswer: 1,
	colOutcome: 1, colFlags: 1, colWaited: 8, colDuration: 8, colPolicy: 4, colRules: 4, colPrograms: 4, colSubject: 8, colJudged: 8, colCall: 4,
}

// The bits of colFlags. A row that is unclear has to be read in the journal,
// whatever is asked about it: its entry cannot be understood, or says something
// that has no code.
const (
	flagMismatch = 1 << iota
	flagErased
	flagMasked
	flagOutside
	flagRefused
	flagUnclear
)

// code is the number of a value in a list of those it can have, from 1; 0 is "".
func code[T ~string](list []T, value T) (int64, bool) {
	if value == "" {
		return 0, true
	}
	i := slices.Index(list, value)
	return int64(i) + 1, i >= 0
}

// decode is the inverse of code.
func decode[T ~string](list []T, n int64) T {
	if n < 1 || n > int64(len(list)) {
		return ""
	}
	return list[n-1]
}

// indexFormat tells apart indexes whose bytes mean different things.
var indexFormat = fmt.Sprint(1, kinds, verdicts, actions, bases, answers, outcomes, widths, gate.Analyser)

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
	lo, hi := 0, b.Rows
	for lo < hi {
		mid := (lo + hi) / 2
		if b.get(colSeq, mid) < seq {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < b.Rows && b.get(colSeq, lo) == seq
}
