package audit

import "fmt"

// Trouble is what is wrong with a journal.
type Trouble string

// The kinds of trouble.
const (
	// Changed: the content of an entry is not what was recorded.
	Changed Trouble = "changed"
	// Missing: an entry is not there, though later ones are.
	Missing Trouble = "missing"
	// Reordered: an entry stands at another's place.
	Reordered Trouble = "reordered"
	// CutTail: a checkpoint knows of entries after the last one.
	CutTail Trouble = "cut tail"
	// Fork: entries follow each other that do not belong to one history.
	Fork Trouble = "fork"
	// BadSignature: a checkpoint was not signed by the journal's key.
	BadSignature Trouble = "bad signature"
	// Undeclared: private text is gone and no entry says that it was erased.
	Undeclared Trouble = "undeclared erasure"
	// Damaged: SQLite cannot read the file.
	Damaged Trouble = "damaged"
	// BadTriggers: the triggers that let the file only grow are not what they were.
	BadTriggers Trouble = "bad triggers"
)

// Finding is the first thing that is wrong with a journal.
type Finding struct {
	// Seq is the number of the entry, 0 for the file as a whole.
	Seq  int64   `json:"seq"`
	Kind Trouble `json:"kind"`
	// Text says it in words, File is where.
	Text string `json:"text"`
	File string `json:"file"`
}

func found(seq int64, kind Trouble, format string, args ...any) *Finding {
	return &Finding{Seq: seq, Kind: kind, Text: fmt.Sprintf(format, args...)}
}

// Verification is what Verify found out. The tags are the fields of `pigate
// audit verify --json`.
type Verification struct {
	// Whole reports that nothing is wrong.
	Whole   bool     `json:"whole"`
	Finding *Finding `json:"finding"`
	// Entries is how many were looked at, First and Last are their numbers, Head
	// is the hash of the last in hex.
	Entries int64  `json:"entries"`
	First   int64  `json:"first"`
	Last    int64  `json:"last"`
	Head    string `json:"head"`
	// Erased counts entries whose private text was erased, and said to be.
	Erased int64 `json:"erased"`
	// Checkpoints counts the signatures that hold, in the journal and outside it;
	// Signed is the last entry under one.
	Checkpoints int64 `json:"checkpoints"`
	Signed      int64 `json:"signed"`
	// Outside is the last entry that a checkpoint outside the journal vouches for.
	Outside int64 `json:"outside"`
	// Key is the public key of the signatures, in the form of sumdb/note.
	Key string `json:"key"`
	// Partial reports an export of chosen entries, of which each was verified but
	// not that they follow each other.
	Partial bool `json:"partial"`
}
