//go:build unix

package shell_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate/shell"
)

// soupTokens are what the reading of a shell's text hinges on.
var soupTokens = []string{"aa", "bb", "cc", "dd", " ", " ", " ", "\n", "\n", ";", "&&", "|", "&", "(", ")", "{ ", "; }", "'", "'", `"`, `"`, "`", "`",
	"\\", "\\\n", "\\\\\n", "#", " # ", "$(", ")", "${V:-", "}", "$((", "))", "$'", "\\'", "<<E\n", "<<'E'\n", "<<-E\n", "\nE\n", "\n\tE\n", "E\n", "<<<", "=", "V=", "[[ ", " ]]",
	"((", "!", "! ", "if ", "; then ", "; fi", "case x in x) ", ";; esac", "for i in x; do ", "; done", "$", "*", "?", "[", "]", "~", "<(", ">(", ">", "2>&1", "fn() ", "\t", "==", "=~", "@(", "+(", "!(", "-n ", "coproc ", "time ", "function fn { ", "$[", "%", "/", ":", ",", "..", "{aa,bb}", "|&", "&>", ">|", ";;", "select i in x; do ", "echo ", "eval ", "builtin ", "command "}

// TestBashRunsOnlyUnitsOfSoup throws pieces of syntax together: whatever bash
// makes of them, the analysis must not make less.
func TestBashRunsOnlyUnitsOfSoup(t *testing.T) {
	j := newJudge(t)
	var seen share
	rapid.Check(t, func(t *rapid.T) {
		command := strings.Join(rapid.SliceOfN(rapid.SampledFrom(soupTokens), 1, 14).Draw(t, "tokens"), "")
		names, a := j.run(command), shell.Bash(command)
		seen.count(a, names)
		if missing := unseenBy(a, names); missing != nil {
			t.Fatalf("bash ran %q, which is no unit of\n%s\nunits: %+v", missing, command, a.Units)
		}
	})
	seen.require(t, .04)
}
