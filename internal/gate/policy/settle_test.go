package policy_test

import (
	"testing"

	"github.com/pigate/pigate/internal/gate/policy"
)

func TestSettle(t *testing.T) {
	for _, tt := range []struct {
		effect  policy.Effect
		enabled bool
		action  policy.Action
		basis   policy.Basis
	}{
		{policy.Allow, true, policy.Run, policy.BasisRule},
		{policy.Deny, true, policy.Block, policy.BasisRule},
		{policy.Pass, true, policy.Run, policy.BasisPass},
		{policy.Pass, false, policy.Run, policy.BasisDisabled},
		{policy.Deny, false, policy.Block, policy.BasisRule},
		{policy.Ask, true, policy.Block, policy.BasisError},
		{policy.Ask, false, policy.Block, policy.BasisError},
		{"", true, policy.Block, policy.BasisError},
		{"ALLOW", true, policy.Block, policy.BasisError},
	} {
		if action, basis := policy.Settle(tt.effect, tt.enabled); action != tt.action || basis != tt.basis {
			t.Errorf("Settle(%q, %t) = %s by %s, want %s by %s", tt.effect, tt.enabled, action, basis, tt.action, tt.basis)
		}
	}
}
