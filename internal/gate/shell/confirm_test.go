//go:build unix

package shell_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate/shell"
	"github.com/pigate/pigate/internal/gate/shell/model"
)

// judge runs real bash in a throw-away folder where every program is a stub
// that only notes its name. What bash runs must be among the units.
type judge struct {
	bash string
	dir  string
	path string
	logs string
	runs int
}

// stub notes the name it is called by. It reads nothing and writes nothing
// else.
const stub = "#!%s\nprintf '%%s\\0' \"${0##*/}\" >> \"$JUDGE_LOG\"\n"

// notFound notes programs without a stub.
const notFound = `command_not_found_handle() { printf '%s\0' "$1" >> "$JUDGE_LOG"; return 127; }
`

// realWrappers run what they are given in the generated command lines.
var realWrappers = []string{"bash", "env", "xargs", "timeout", "nice", "nohup", "stdbuf", "setsid", "flock", "find", "sh", "time"}

// newJudge makes a judge with stubs and the named real programs.
func newJudge(t *testing.T, real ...string) *judge {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatalf("the second judge of the shell analysis is bash: %v", err)
	}
	j := &judge{bash: bash, dir: t.TempDir(), path: t.TempDir(), logs: t.TempDir()}
	for _, name := range stubNames {
		text := fmt.Sprintf(stub, bash)
		if err := os.WriteFile(filepath.Join(j.path, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range real {
		if file, err := exec.LookPath(name); err == nil {
			if err := os.Symlink(file, filepath.Join(j.path, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return j
}

// run returns the names of the programs that bash runs for the command.
func (j *judge) run(command string) []string {
	j.runs++ // what a command left running must not write into the next log
	file := filepath.Join(j.logs, fmt.Sprint(j.runs))
	defer os.Remove(file)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, j.bash, "--norc", "--noprofile", "-c", notFound+"eval \"$1\"\nwait", "judge", command)
	cmd.Dir = j.dir
	cmd.Env = []string{"PATH=" + j.path, "JUDGE_LOG=" + file, "FUNCNEST=50"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	_ = cmd.Run() // a command may fail; what it ran counts
	log, _ := os.ReadFile(file)
	return strings.FieldsFunc(string(log), func(r rune) bool { return r == 0 })
}

// unseenBy returns the programs in ran that the analysis does not show, unless
// it asks anyway.
func unseenBy(a model.Analysis, ran []string) (missing []string) {
	if unjudged(a) {
		return nil
	}
	known := map[string]bool{}
	for _, u := range a.Units {
		known[u.Program] = true
	}
	for _, name := range ran {
		if !known[strings.ToLower(name)] {
			missing = append(missing, name)
		}
	}
	return missing
}

// unjudged reports an analysis that no wildcard rule allows, so that it cannot be
// wrong about what runs.
func unjudged(a model.Analysis) bool {
	return a.Unparsed != "" || slices.ContainsFunc(a.Units, func(u model.Unit) bool { return u.Opaque != "" })
}

// share counts the command lines that a test is about: those that bash ran a
// program for and that do not ask anyway.
type share struct{ judged, all int }

func (s *share) count(a model.Analysis, ran []string) {
	s.all++
	if len(ran) > 0 && !unjudged(a) {
		s.judged++
	}
}

// require fails the test when less than that part of the lines was judged.
func (s *share) require(t *testing.T, least float64) {
	t.Helper()
	t.Logf("%d of %d lines were judged", s.judged, s.all)
	if float64(s.judged) < least*float64(s.all) || s.all == 0 {
		t.Errorf("only %d of %d lines were judged, want %.0f %%", s.judged, s.all, 100*least)
	}
}

// stubNames are the programs of generated command lines.
var stubNames = []string{"aa", "bb", "cc", "dd", "ee", "ff", "gg", "hh"}

func program(t *rapid.T) string {
	name := rapid.SampledFrom(stubNames).Draw(t, "program")
	switch rapid.IntRange(0, 9).Draw(t, "spelling") {
	case 0:
		return "'" + name + "'"
	case 1:
		return `"` + name + `"`
	case 2:
		return name[:1] + `\` + name[1:]
	case 3:
		return name[:1] + "''" + name[1:]
	case 4:
		return fmt.Sprintf(`$'\x%02x%s'`, name[0], name[1:])
	}
	return name
}

// simpleCommand draws a simple command, perhaps behind wrappers and with
// expansions in its arguments.
func simpleCommand(t *rapid.T, depth int) string {
	var b strings.Builder
	if rapid.IntRange(0, 7).Draw(t, "assign") == 0 {
		b.WriteString("V=" + argument(t, depth) + " ")
	}
	b.WriteString(rapid.SampledFrom([]string{"", "", "", "", "command ", "env ", "env A=1 ", "timeout 5 ", "nice -n 5 ", "nohup ",
		"xargs ", "stdbuf -oL ", "setsid -w ", "flock lock ", "time ", "timeout -s KILL 5 nice ", "exec ", "builtin command "}).Draw(t, "wrapper"))
	b.WriteString(program(t))
	for range rapid.IntRange(0, 3).Draw(t, "args") {
		b.WriteString(rapid.SampledFrom([]string{" ", "  ", "\t", " \\\n"}).Draw(t, "blank"))
		b.WriteString(argument(t, depth))
	}
	b.WriteString(rapid.SampledFrom([]string{"", "", "", " > out", " 2>&1", " < /dev/null", " >> out 2>/dev/null"}).Draw(t, "redirection"))
	return b.String()
}

func argument(t *rapid.T, depth int) string {
	if depth <= 0 {
		return rapid.SampledFrom([]string{"x", "-f", "'a b; cc'", `"q | dd"`, `a\;b`, "*.go", "{1,2}", "$HOME", `"$V"`, "'it'\\''s'", "$'a\\'; bb'", "#x"}).Draw(t, "word")
	}
	inner := script(t, depth-1)
	quoted := strings.ReplaceAll(inner, "'", `'\''`)
	switch rapid.IntRange(0, 8).Draw(t, "expansion") {
	case 0:
		return "$(" + inner + "\n)"
	case 1:
		return `"$(` + inner + "\n" + `)"`
	case 2:
		return "<(" + inner + "\n)"
	case 3:
		return "${V:-$(" + inner + "\n)}"
	case 4:
		return "$((1 + $(" + inner + "\n) ))"
	case 5:
		return `"a'$(` + inner + "\n" + `)'b"`
	case 6:
		return "'" + quoted + "'"
	default:
		return argument(t, 0)
	}
}

// script draws a command line.
func script(t *rapid.T, depth int) string {
	if depth <= 0 {
		return simpleCommand(t, 0)
	}
	a, b := script(t, depth-1), simpleCommand(t, depth-1)
	quoted := strings.ReplaceAll(a, "'", `'\''`)
	switch rapid.IntRange(0, 25).Draw(t, "shape") {
	case 0:
		return a + " && " + b
	case 1:
		return a + " || " + b
	case 2:
		return a + "; " + b
	case 3:
		return a + " | " + b
	case 4:
		return a + " & " + b
	case 5:
		return a + "\n" + b
	case 6:
		return "(" + a + "\n)"
	case 7:
		return "{ " + a + "\n}"
	case 8:
		return "if " + b + "; then " + a + "\nelse " + b + "\nfi"
	case 9:
		return "for i in 1 " + argument(t, depth-1) + "; do " + a + "\ndone"
	case 10:
		return "case x in x) " + a + "\n;; esac"
	case 11:
		return "fn() { " + a + "\n}; fn " + argument(t, 0)
	case 12:
		return "! " + a
	case 13:
		return "bash -c '" + quoted + "'"
	case 14:
		return "sh -ec '" + quoted + "' x y"
	case 15:
		return "eval '" + quoted + "'"
	case 16:
		return "bash <<'EOF'\n" + a + "\nEOF"
	case 17:
		return "cat_ <<EOF\n$(" + a + "\n)\nEOF"
	case 18:
		return "[[ -n $(" + a + "\n) ]]"
	case 19:
		return "trap '" + quoted + "' EXIT"
	case 20:
		return "find . -maxdepth 0 -exec " + b + ` \;`
	case 21:
		return "xargs -n1 sh -c '" + quoted + "' <<< x"
	case 22:
		return "export V=$(" + a + "\n)"
	case 23:
		return "coproc { " + a + "\n}; wait"
	case 24:
		return "while " + b + "; do " + a + "\nbreak; done # comment; gg"
	default:
		return "arr=($(" + a + "\n) x)"
	}
}

func TestBashRunsOnlyUnits(t *testing.T) {
	j := newJudge(t, realWrappers...)
	var seen share
	rapid.Check(t, func(t *rapid.T) {
		command := script(t, rapid.IntRange(0, 3).Draw(t, "depth"))
		names, a := j.run(command), shell.Bash(command)
		seen.count(a, names)
		if missing := unseenBy(a, names); missing != nil {
			t.Fatalf("bash ran %q, which is no unit of\n%s\nunits: %+v", missing, command, a.Units)
		}
	})
	seen.require(t, .5)
}

// unfit are pieces of command lines that real bash must not be given even
// where no program runs: they could leave the folder, end processes, find real
// programs or never end.
var unfit = []string{"/", "~", "..", "kill", "PATH", "command -p", `\x`, `\0`, `\5`, "ulimit", "while", "until", "((;", "exec", ":|:", "yes"}

func TestBashRunsOnlyUnitsOfCorpus(t *testing.T) {
	j := newJudge(t)
	var seen share
	for i, command := range corpus(t, "commands.jsonl") {
		if i%6 != 0 || slices.ContainsFunc(unfit, func(s string) bool { return strings.Contains(command, s) }) {
			continue
		}
		names, a := j.run(command), shell.Bash(command)
		seen.count(a, names)
		if missing := unseenBy(a, names); missing != nil {
			t.Errorf("bash ran %q, which is no unit of\n%s", missing, command)
		}
	}
	seen.require(t, .7)
}
