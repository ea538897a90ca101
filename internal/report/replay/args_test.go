package replay_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report/replay"
)

// Rules with arguments decide recorded calls anew, and a call of which arguments
// are not recorded only where no such rule is about it.
func TestArgumentsAreReplayed(t *testing.T) {
	t.Parallel()
	o := audittest.Options()
	o.Masker = func([]byte) audit.Masker { return hush{} }
	s := newStageWith(t, o, "+shell:ls *")
	for _, channel := range []string{"C091", "C092", "D1", "s3cret", strings.Repeat("C09", 30_000)} {
		s.call("mcp__slack__send", map[string]string{"channel": channel}, gate.OptionOnce)
	}
	result, _ := s.replay(replay.Options{New: replay.Fixed(policyOf(t, "+mcp:slack:send(channel=C09*)", "-mcp:slack:send(channel=C092)"))}, audit.Filter{})
	want := []replay.NotReplayable{{Obstacle: audit.ObstacleMasked, Calls: 1}, {Obstacle: audit.ObstacleOmitted, Calls: 1}}
	if d := result.Decided; !slices.Equal(d.NotReplayable, want) || d.Of(policy.Ask, policy.Allow) != 1 || d.Of(policy.Ask, policy.Deny) != 1 || d.Of(policy.Ask, policy.Ask) != 1 {
		t.Errorf("%+v", d)
	}
	result, _ = s.replay(replay.Options{New: replay.Fixed(policyOf(t, "+mcp:slack:send", "+mcp:gh:x(channel=1)"))}, audit.Filter{})
	if d := result.Decided; len(d.NotReplayable) > 0 || d.Of(policy.Ask, policy.Allow) != 5 {
		t.Errorf("any arguments: %+v", d)
	}
}
