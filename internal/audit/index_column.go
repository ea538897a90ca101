package audit

import (
	"fmt"
	"slices"

	"github.com/pigate/pigate/internal/gate/policy"
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
var indexFormat = fmt.Sprint(1, kinds, verdicts, actions, bases, answers, outcomes, widths, policy.Analyser)
