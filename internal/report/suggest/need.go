package suggest

import (
	"runtime"
	"slices"
	"sync"

	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/shell"
)

// state is what a policy makes of a call, as far as a rule could change it.
type state uint8

const (
	silent   state = iota // it runs, or is denied, without a question
	asks                  // it asks, and rules for its pieces would let it run
	fixed                 // it asks whatever the allowlist says
	hopeless              // it asks, and no rule may be drafted for one of its pieces
)

// need is what a call lacks under a policy.
type need struct {
	state  state
	pieces []int32 // what no rule covers, each once
}

// kind is what sort of pattern covers a piece.
type kind uint8

const (
	shellPiece kind = iota
	editPiece
	mcpPiece
	toolPiece
)

// piece is one thing that no rule covers: a simple command, a path, a tool.
type piece struct {
	kind kind
	text string
	// shape is the program with its subcommand, as shell.Unit.Shape gives it.
	shape string
	// exact says that only a rule with the whole text may be drafted: it carries
	// a guarded flag.
	exact bool
}

// same is the piece whatever else is known of it, to be told apart by what it is.
func (x piece) same() piece { return piece{kind: x.kind, text: x.text} }

// pieces numbers distinct pieces.
type pieces struct {
	list []piece
	ids  map[piece]int32
	// free are the tools that a call gave a statement or code to run.
	free map[string]bool
}

func (p *pieces) id(x piece) int32 {
	id, known := p.ids[x]
	if !known {
		id = int32(len(p.list))
		p.list, p.ids[x] = append(p.list, x), id
	}
	return id
}

// needs evaluates every subject under the policy. The numbers of pieces do not
// depend on the order in which several goroutines come by them.
func needs(p *policy.Policy, subjects []Subject) ([]need, *pieces) {
	type found struct {
		state  state
		pieces []piece
		free   bool
	}
	all := make([]found, len(subjects))
	var wait sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wait.Go(func() {
			for i := w; i < len(subjects); i += workers {
				all[i].state, all[i].pieces = lacks(p, &subjects[i])
				all[i].free = free(subjects[i].Request.Input)
			}
		})
	}
	wait.Wait()
	list, numbered := make([]need, len(subjects)), &pieces{ids: map[piece]int32{}, free: map[string]bool{}}
	for i := range all {
		list[i].state = all[i].state
		for _, x := range all[i].pieces {
			if all[i].free && x.kind != shellPiece {
				numbered.free[x.text] = true
			}
			list[i].pieces = append(list[i].pieces, numbered.id(x))
		}
	}
	return list, numbered
}

// lacks says what the policy makes of a call, and which pieces of it lack a
// rule.
func lacks(p *policy.Policy, s *Subject) (state, []piece) {
	call := p.Derive(s.Request)
	v := policy.Evaluate(p, call, s.Links)
	switch {
	case v.Effect != policy.Ask:
		return silent, nil
	case v.Fixed || s.Masked:
		return fixed, nil
	}
	var list []piece
	for _, r := range v.Reasons {
		x, ok := pieceOf(p, call, &r)
		if !ok {
			return hopeless, nil
		}
		if x.text != "" && !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return asks, list
}

// pieceOf is what a reason asks about. ok is false when no rule may be drafted
// for it; a piece without text is covered by the rule for another.
func pieceOf(p *policy.Policy, call *policy.Call, r *policy.Reason) (x piece, ok bool) {
	if r.Resource == "" {
		return x, false
	}
	switch r.Cause {
	case policy.CauseRedirection:
		return piece{kind: editPiece, text: r.Resource}, true
	case policy.CauseNoRule, policy.CauseGuardedFlag:
	default:
		return x, false
	}
	switch {
	case call.Analysis != nil:
		return unitPiece(p, call, r)
	case len(call.Resources) == 0:
		return piece{kind: toolPiece, text: r.Resource}, true
	case call.Resources[0].Kind == policy.MCPTool:
		return piece{kind: mcpPiece, text: r.Resource}, true
	}
	return piece{kind: editPiece, text: r.Resource}, true
}

// unitPiece is the command that a reason asks about. What a runner such as npx
// runs is covered by the rule for the runner.
func unitPiece(p *policy.Policy, call *policy.Call, r *policy.Reason) (piece, bool) {
	units := call.Analysis.Units
	for i := range units {
		u := &units[i]
		if u.Text != r.Resource || u.Via != r.Via {
			continue
		}
		for at := u.Parent; at >= 0; at = units[at].Parent {
			if units[at].Runner {
				return piece{}, true
			}
		}
		if u.Wrapper && !u.Runner {
			return piece{}, false
		}
		return piece{kind: shellPiece, text: u.Bare, shape: u.Shape(), exact: r.Cause == policy.CauseGuardedFlag || guarded(p, u)}, draftable(u.Bare)
	}
	return piece{}, false
}

// guarded reports that the command carries a guarded flag, which a rule that
// names its program and subcommand alone would not cover. It counts before there
// is such a rule: until then the call asks because no rule matches.
func guarded(p *policy.Policy, u *shell.Unit) bool {
	if !p.Settings.GuardedFlags {
		return false
	}
	wildcard := glob.Escape(u.Shape()) + " *"
	return slices.ContainsFunc(u.Hazards, func(h shell.Hazard) bool { return !h.NamedBy(wildcard) })
}
