package shell_test

import (
	"testing"

	"github.com/pigate/pigate/internal/gate/shell"
)

// TestHarmlessCommandsAreNotGuarded reads commands that only read, each under a
// rule for its program with everything behind it: at most one in fifty may ask.
func TestHarmlessCommandsAreNotGuarded(t *testing.T) {
	commands := corpus(t, "harmless.jsonl")
	asked := 0
	for _, command := range commands {
		a := shell.Bash(command)
		if len(a.Units) == 0 {
			t.Errorf("`%s`: no unit", command)
			continue
		}
		if flags := unnamedFlags(a, a.Units[0].Program+" *"); len(flags) > 0 {
			asked++
			t.Logf("`%s` asks for %v", command, flags)
		}
	}
	if asked*50 > len(commands) {
		t.Errorf("%d of %d harmless commands ask", asked, len(commands))
	}
}

// TestRealCommandsRarelyCarryGuardedFlags keeps the tables from asking about
// much of what people and agents run.
func TestRealCommandsRarelyCarryGuardedFlags(t *testing.T) {
	commands := corpus(t, "commands.jsonl")
	guarded := 0
	for _, command := range commands {
		if len(unnamedFlags(shell.Bash(command), "*")) > 0 {
			guarded++
		}
	}
	if guarded*10 > len(commands) {
		t.Errorf("%d of %d real commands carry a guarded flag", guarded, len(commands))
	}
	t.Logf("%d of %d real commands carry a guarded flag", guarded, len(commands))
}
