package gate_test

import (
	"testing"

	"github.com/pigate/pigate/internal/gate"
)

func TestSettle(t *testing.T) {
	for _, tt := range []struct {
		effect  gate.Effect
		enabled bool
		action  gate.Action
		basis   gate.Basis
	}{
		{gate.Allow, true, gate.Run, gate.BasisRule},
		{gate.Deny, true, gate.Block, gate.BasisRule},
		{gate.Pass, true, gate.Run, gate.BasisPass},
		{gate.Pass, false, gate.Run, gate.BasisDisabled},
		{gate.Deny, false, gate.Block, gate.BasisRule},
		{gate.Ask, true, gate.Block, gate.BasisError},
		{gate.Ask, false, gate.Block, gate.BasisError},
		{"", true, gate.Block, gate.BasisError},
		{"ALLOW", true, gate.Block, gate.BasisError},
	} {
		if action, basis := gate.Settle(tt.effect, tt.enabled); action != tt.action || basis != tt.basis {
			t.Errorf("Settle(%q, %t) = %s by %s, want %s by %s", tt.effect, tt.enabled, action, basis, tt.action, tt.basis)
		}
	}
}
