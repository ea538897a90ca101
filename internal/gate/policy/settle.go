package policy

// Action is what was enforced.
type Action string

// The two actions.
const (
	Run   Action = "run"
	Block Action = "block"
)

// Basis is by what a decision was made.
type Basis string

// The bases.
const (
	BasisRule     Basis = "rule"
	BasisGrant    Basis = "grant"
	BasisUser     Basis = "user"
	BasisPass     Basis = "pass"
	BasisDisabled Basis = "disabled"
	BasisNoUI     Basis = "no-ui"
	BasisJournal  Basis = "journal"
	BasisError    Basis = "error"
)

// Settle is the decision that a verdict makes by itself, and by what it is made.
// Effect is that of the verdict, enabled whether the policy has the gate switched
// on. For Ask, and for an effect that it does not know, the decision is to block
// by BasisError: that stands until a grant or a person says otherwise.
func Settle(effect Effect, enabled bool) (Action, Basis) {
	switch effect {
	case Allow:
		return Run, BasisRule
	case Pass:
		if !enabled {
			return Run, BasisDisabled
		}
		return Run, BasisPass
	case Deny:
		return Block, BasisRule
	case Ask:
	}
	return Block, BasisError
}
