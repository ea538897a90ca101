package replay

import (
	"encoding/json"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// Result is what a replay found. The tags are the fields of `pigate replay
// --format json`.
type Result struct {
	// Old and New name the sides; they are for whoever asked to fill in.
	Old string `json:"old"`
	New string `json:"new"`
	// Decided are the calls that the gate decided, Imported those that it did not,
	// nil when they were not asked for.
	Decided  Part  `json:"decided"`
	Imported *Part `json:"imported"`
}

// Part is what became of the calls of one kind.
type Part struct {
	Calls int `json:"calls"`
	// Matrix counts the calls by what both sides say, without what never happened.
	Matrix []Cell `json:"matrix"`
	// NotReplayable counts the calls of which a side says nothing, by why; the most
	// frequent first.
	NotReplayable []NotReplayable `json:"not_replayable"`
	// Looser and Stricter count the calls with another verdict, or with the same
	// and another decision; OtherReasons those for which the same policy has other
	// reasons now.
	Looser       int `json:"looser"`
	Stricter     int `json:"stricter"`
	OtherReasons int `json:"other_reasons"`
	// DeniedAllowed counts those of Looser that a rule or a person denied and that
	// would now run without a question.
	DeniedAllowed int `json:"denied_allowed"`
	// LinksUnknown counts imported calls whose verdict might be another if it were
	// known what symbolic links led to.
	LinksUnknown int `json:"links_unknown"`
	// OtherPrograms counts calls that were decided by other files about programs
	// than those that the new side goes by.
	OtherPrograms int `json:"other_programs"`
	// Groups are the changes by shape, those with most calls first.
	Groups  []Group `json:"groups"`
	Unseen  Unseen  `json:"unseen"`
	Prompts Prompts `json:"prompts"`
}

// The values of Cell beside the effects.
const (
	// SideNone is a side that cannot say: see Part.NotReplayable.
	SideNone policy.Effect = "not-replayable"
	// SideUndecided is the journal's side of an imported call.
	SideUndecided policy.Effect = "undecided"
)

// Cell is one of the matrix.
type Cell struct {
	Old   policy.Effect `json:"old"`
	New   policy.Effect `json:"new"`
	Calls int           `json:"calls"`
}

// NotReplayable counts the calls with one obstacle.
type NotReplayable struct {
	Obstacle audit.Obstacle `json:"obstacle"`
	Calls    int            `json:"calls"`
}

// Group are the changes that are alike.
type Group struct {
	Shape string `json:"shape"`
	// Old and New are the verdicts, OldDecision and NewDecision the decisions.
	Old         policy.Effect `json:"old"`
	New         policy.Effect `json:"new"`
	OldDecision policy.Action `json:"old_decision"`
	NewDecision policy.Action `json:"new_decision"`
	Calls       int           `json:"calls"`
	// Examples are some of the calls, each another.
	Examples []Example `json:"examples"`
}

// Example is one call.
type Example struct {
	Seq  int64  `json:"seq"`
	Tool string `json:"tool"`
	// What is the command, path or the like; hostile text of any length.
	What string `json:"what"`
}

// Unseen are the calls that would run without a question now, did not before,
// and about which no person was ever asked in their project.
type Unseen struct {
	Calls int `json:"calls"`
	// Different counts each call once, however often it was made; Examples are the
	// first of them.
	Different int       `json:"different"`
	Examples  []Example `json:"examples"`
}

// Prompts are the questions that people get on both sides. Of an imported call
// the journal's side knows none, and no approvals.
type Prompts struct {
	Old int `json:"old"`
	New int `json:"new"`
	// OldPerDay and NewPerDay are averages over the days on which there were calls.
	OldPerDay float64 `json:"old_per_day"`
	NewPerDay float64 `json:"new_per_day"`
	// Days are those days, in order.
	Days []Day `json:"days"`
}

// Day is one day of Prompts.
type Day struct {
	Day string `json:"day"`
	Old int    `json:"old"`
	New int    `json:"new"`
}

// Change is a call of which the sides say different things. The tags are the
// fields of `pigate replay --format jsonl`.
type Change struct {
	Seq     int64        `json:"seq"`
	Time    audit.Micros `json:"time"`
	Kind    gate.Kind    `json:"kind"`
	Session string       `json:"session"`
	Project string       `json:"project"`
	Tool    string       `json:"tool"`
	What    string       `json:"what"`
	Shape   string       `json:"shape"`
	// Change is ChangeLooser, ChangeStricter or ChangeReasons.
	Change string `json:"change"`
	Old    Side   `json:"old"`
	New    Side   `json:"new"`
	// Answer is what the person said then.
	Answer gate.Answer `json:"answer"`
	// DeniedAllowed reports what a rule or a person denied and would now run.
	DeniedAllowed bool `json:"denied_allowed"`
}

// The values of Change.Change.
const (
	ChangeLooser   = "looser"
	ChangeStricter = "stricter"
	ChangeReasons  = "reasons"
)

// Side is what one side says of a call.
type Side struct {
	Verdict  policy.Effect   `json:"verdict"`
	Decision policy.Action   `json:"decision"`
	Basis    policy.Basis    `json:"basis"`
	Reasons  []policy.Reason `json:"reasons"`
}

// Parts are those that there are.
func (r *Result) Parts() []*Part {
	if r.Imported == nil {
		return []*Part{&r.Decided}
	}
	return []*Part{&r.Decided, r.Imported}
}

// Changes counts the changes of a part.
func (p *Part) Changes() int { return p.Looser + p.Stricter + p.OtherReasons }

// Of is the count of one cell of the matrix.
func (p *Part) Of(old, new policy.Effect) int {
	for _, c := range p.Matrix {
		if c.Old == old && c.New == new {
			return c.Calls
		}
	}
	return 0
}

// hasUI reads out of the start of a session whether a person could be asked, of a
// sub-agent's in the session that began it.
func hasUI(row *audit.Row) bool {
	start := struct {
		HasUI  bool   `json:"has_ui"`
		Parent string `json:"parent_session"`
	}{HasUI: true}
	_ = json.Unmarshal(row.Body, &start) // where it is not known, they could
	return start.HasUI || start.Parent != ""
}
