package gate

import (
	"slices"
	"testing"

	"github.com/pigate/pigate/internal/gate/policy"
)

func TestNothingIsSavedWhereTheFileDoesNotCount(t *testing.T) {
	tests := []struct {
		name              string
		trusted, approved bool
		unasked           bool
		trust             policy.Trust
		counts            bool
	}{
		{"trusted", true, false, false, policy.TrustedByHost, true},
		{"trusted, but nobody was asked", true, false, true, policy.TrustedByHost, false},
		{"approved for this run", true, true, true, policy.TrustedByPerson, true},
		{"not trusted", false, false, false, policy.Untrusted, false},
		{"approved, but not trusted", false, true, false, policy.Untrusted, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t).answer(OptionSave)
			f.file.unasked = tt.unasked
			req := bash("make")
			req.Trusted, req.Approved = tt.trusted, tt.approved
			ruling := f.guard.Decide(t.Context(), req)

			if offered := slices.Contains(f.person.prompts[0].Options, OptionSave); offered != tt.counts {
				t.Errorf("saving is offered: %t, want %t", offered, tt.counts)
			}
			if saved := len(f.file.saved) > 0; saved != tt.counts || (ruling.Action == policy.Run) != tt.counts {
				t.Errorf("saved: %t, ruling %+v, want the rule to be saved and the call to run: %t", saved, ruling, tt.counts)
			}
			if got := f.book.decisions()[0].Request.Trusted; got != tt.counts {
				t.Errorf("recorded as trusted: %t, want what came of the host's word, %t", got, tt.counts)
			}
			// It is looked at again in its turn at the dialog, with the host's word each time.
			for _, trust := range f.file.trusts {
				if trust != tt.trust {
					t.Errorf("loaded with %v, want %d each time", f.file.trusts, tt.trust)
				}
			}
			if len(f.file.trusts) != 2 {
				t.Errorf("loaded %d times, want 2", len(f.file.trusts))
			}
		})
	}
}
