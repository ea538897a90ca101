package replay

import (
	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate/policy"
)

// findSeen takes out of what would newly run all that a person was ever asked
// about, be it among the calls that a filter chooses or not: only its projects
// count.
func (r *run) findSeen(f audit.Filter) error {
	parts := []*partTally{r.tally.decided}
	if r.tally.imported != nil {
		parts = append(parts, r.tally.imported)
	}
	candidates := 0
	for _, p := range parts {
		candidates += len(p.unseen)
	}
	if candidates == 0 {
		return nil
	}
	looked := map[int64]bool{}
	for c, err := range r.source.Calls(r.ctx, audit.Filter{Verdict: policy.Ask, Projects: f.Projects}) {
		if err != nil {
			return err
		}
		if c.Erased || looked[c.Judged] || !answered(&c) {
			continue
		}
		looked[c.Judged] = true
		row, err := r.source.Row(r.ctx, c.Judged)
		if err != nil {
			return err
		}
		target := targetOf(&row)
		for _, p := range parts {
			delete(p.unseen, target)
		}
	}
	return nil
}
