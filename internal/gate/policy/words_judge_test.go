//go:build unix

package policy_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// The real bash is the judge of what words become: command lines that carry
// values in every way the shell has run a stub, which notes the words that
// really arrive. Under `shell:*` and a deny rule made of these words no such line
// may pass.

const (
	judgedLines    = 2000
	judgeShards    = 4
	leastJudged    = 5000 // rules made of words that arrived, of lines which pass without one
	leastDenied    = 3000 // of them stopped without a question
	leastUntouched = 300  // lines that still pass under a rule for words which do not occur
)

// probeStub notes how many words it gets, and the words.
const probeStub = "#!/bin/sh\nprintf '%s\\0' $# \"$@\" >> \"$PROBE_LOG\"\n"

// probeFiles are the files that patterns can match.
var probeFiles = []string{".env", ".envrc", "a.txt", "b.txt", "777", "-delete", "main", "sub/x.txt", "sub/.env", "b c.txt"}

// probeEnv are variables that the line does not set.
var probeEnv = []string{"HOME=/home/u", "ENVX=777", "ENVY=-rf /etc", "ENVZ=main", "EMPTY="}

func TestDenyRulesSeeWhatWordsBecome(t *testing.T) {
	seed := uint64(1)
	if s, err := strconv.ParseUint(os.Getenv("WORDS_SEED"), 10, 64); err == nil {
		seed = s
	}
	var all wordCount
	var done sync.WaitGroup
	for shard := range uint64(judgeShards) {
		j := newProbeJudge(t)
		g := &wordGrammar{rand: rand.New(rand.NewPCG(seed, shard))}
		done.Go(func() {
			for range judgedLines / judgeShards {
				g.judge(t, j, &all)
			}
		})
	}
	done.Wait()
	judged, denied, untouched := all.judged.Load(), all.denied.Load(), all.untouched.Load()
	t.Logf("%d rules judged, %d denied; %d lines of %d pass under a rule for other words, %d ran nothing", judged, denied, untouched, judgedLines, all.silent.Load())
	if judged < leastJudged || denied < leastDenied || untouched < leastUntouched {
		t.Errorf("too few to mean anything: want %d, %d and %d at least", leastJudged, leastDenied, leastUntouched)
	}
}

// wordCount counts what was judged.
type wordCount struct{ judged, denied, untouched, silent atomic.Int64 }

// judge makes one line, has it run and tries rules made of the words.
func (g *wordGrammar) judge(t *testing.T, j *probeJudge, n *wordCount) {
	line := g.line()
	arrived := j.run(line)
	if len(arrived) == 0 {
		n.silent.Add(1)
	}
	if verdictOf(t, line) != policy.Allow {
		return
	}
	if verdictOf(t, line, "shell:probe no-such-word *") == policy.Allow {
		n.untouched.Add(1)
	}
	for _, argv := range arrived {
		if slices.Contains(argv, "-delete") && slices.Contains(argv, "sub") {
			continue // by a star alone, which is no option by decision
		}
		for _, text := range g.rules(argv) {
			n.judged.Add(1)
			switch verdictOf(t, line, text) {
			case policy.Allow:
				t.Errorf("passes under a deny rule for %q:\n%s\n(the words %q arrived)", text, line, argv)
			case policy.Deny:
				n.denied.Add(1)
			case policy.Ask, policy.Pass:
			}
		}
	}
}

// verdictOf is the verdict of a line under shell:* and deny rules.
func verdictOf(t *testing.T, line string, deny ...string) policy.Effect {
	t.Helper()
	rules := make([]rule.Rule, 0, 1+len(deny))
	for i, text := range append([]string{"shell:*"}, deny...) {
		r, err := rule.Parse(text)
		if err != nil {
			t.Error(err)
		}
		if r.Effect = rule.Allow; i > 0 {
			r.Effect = rule.Deny
		}
		rules = append(rules, r)
	}
	input, err := json.Marshal(map[string]string{"command": line})
	if err != nil {
		t.Error(err)
	}
	settings := policy.DefaultSettings()
	settings.Redirections = policy.RedirectionsPrecise
	call := policy.Derive(policy.Request{Tool: "bash", Input: input, Cwd: "/home/u/proj", Root: "/home/u/proj", OS: "linux", Home: "/home/u"})
	return policy.Evaluate(policy.New(settings, rules), call, nil).Effect
}

// probeJudge runs command lines in a throw-away folder with a PATH that holds
// the stub, and programs that run others.
type probeJudge struct {
	bash, dir, path, logs string
	runs                  int
}

func newProbeJudge(t *testing.T) *probeJudge {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatalf("the judge of what words become is bash: %v", err)
	}
	j := &probeJudge{bash: bash, dir: t.TempDir(), path: t.TempDir(), logs: t.TempDir()}
	if err := os.WriteFile(filepath.Join(j.path, "probe"), []byte(probeStub), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bash", "env", "timeout", "xargs", "cat", "true", "false"} {
		file, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(file, filepath.Join(j.path, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range probeFiles {
		file := filepath.Join(j.dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("777\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return j
}

// run returns the words of each call of the stub.
func (j *probeJudge) run(line string) (arrived [][]string) {
	j.runs++ // what a line left running must not write into the next log
	file := filepath.Join(j.logs, strconv.Itoa(j.runs))
	defer os.Remove(file)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, j.bash, "--norc", "--noprofile", "-c", line)
	cmd.Dir = j.dir
	cmd.Env = append([]string{"PATH=" + j.path, "PROBE_LOG=" + file, "FUNCNEST=20"}, probeEnv...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	_ = cmd.Run() // a line may fail; what arrived counts
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	log, _ := os.ReadFile(file)
	fields := bytes.Split(log, []byte{0})
	for len(fields) > 1 && len(arrived) < 20 {
		n, err := strconv.Atoi(string(fields[0]))
		if err != nil || n+1 > len(fields) {
			break
		}
		argv := make([]string, n)
		for k := range argv {
			argv[k] = string(fields[1+k])
		}
		arrived = append(arrived, argv)
		fields = fields[1+n:]
	}
	return arrived
}

// wordGrammar makes command lines.
type wordGrammar struct {
	rand     *rand.Rand
	counters int
}

func (g *wordGrammar) pick(list ...string) string { return list[g.rand.IntN(len(list))] }

func (g *wordGrammar) chance(percent int) bool { return g.rand.IntN(100) < percent }

// rules are deny rules that the words must not dodge.
func (g *wordGrammar) rules(argv []string) []string {
	if len(argv) == 0 || len(argv) > 12 {
		return nil
	}
	whole, some := "shell:probe", "shell:probe"
	kept := g.rand.IntN(len(argv))
	for k, word := range argv {
		if strings.ContainsAny(word, "\n\x00") || strings.HasPrefix(word, "-") && strings.Contains(word, " ") {
			return nil // the second reads in a rule like an option with an operand, and is none
		}
		whole += " " + glob.Escape(word)
		if k == kept || g.chance(50) {
			some += " " + glob.Escape(word)
		} else {
			some += " *"
		}
	}
	return []string{whole + " *", some + " *"}
}

// value is the text of a word in the line, quoted where it has to be.
func (g *wordGrammar) value() string {
	return g.pick("777", "main", ".env", "/etc", "-delete", "-rf", "'a b'", `"c d"`, "''", "x", "y.txt", "'*.txt'", `\~`, "'x,y'", "' s '", "deploy", "a/b", `-x`, `'$q'`, "--force")
}

// name is a variable's name; few, so that they meet.
func (g *wordGrammar) name() string { return g.pick("a", "b", "c", "f", "m") }

// counter is a name of its own, so that no loop within another resets it.
func (g *wordGrammar) counter() string {
	g.counters++
	return "i" + strconv.Itoa(g.counters)
}

// word is an argument of the stub.
func (g *wordGrammar) word(depth int) string {
	n := g.name()
	switch g.rand.IntN(34) {
	case 0, 1, 2:
		return "$" + n
	case 3, 4:
		return `"$` + n + `"`
	case 5:
		return "${" + n + "}"
	case 6:
		return `"$@"`
	case 7:
		return g.pick("$1", `"$2"`, "$*", `"$*"`, "$@", "${@:2}", `"${@:1:1}"`, "$#")
	case 8:
		return g.pick("pre", "-", "") + "$" + n + g.pick(".txt", "/x", "")
	case 9:
		return `"${` + n + `[@]}"`
	case 10:
		return g.pick("${"+n+"[0]}", `"${`+n+`[1]}"`, "${"+n+"[*]}", `"${`+n+`[*]}"`, "${"+n+"[-1]}", "${"+n+"[@]:1}")
	case 11:
		return "${" + n + g.pick(":-", "-", ":+", "+", ":=", ":?") + g.pick("777", "main", "'a b'", "x y", "$b", `"$f"`) + "}"
	case 12:
		return `"${` + n + g.pick(":-", "-", ":+", "+") + g.pick("777", "main", "x y", "$b") + `}"`
	case 13:
		return "${" + n + g.pick("#a", "##*/", "%.txt", "%%.*", "#*/", "/a/b", "//a/b", "^^", ",,", "^", ":1", ":0:2", ": -1", "/%t/x") + "}"
	case 14:
		return "{" + g.pick("777,x", "main,dev", ".env,", "-rf,-f", "$a,$b", "'a b',c", "1..3", "a..c", "3..1", "01..03", "1..5..2", "x", "a,{b,c}", "x..1") + "}" + g.pick("", "", ".txt", "$m")
	case 15:
		return g.pick(".e*", ".en?", ".e[n]v", "*.txt", "?delete", "[-]delete", "77*", "sub/*", "*", "*/x.txt", ".[!.]*", "nomatch*", "m[a-m]in", "b?c.txt")
	case 16:
		return g.pick("$(", `"$(`) + "\x00" // closed below
	case 17:
		return g.pick("~", "~/x", "~/.ssh/id", "$HOME/x", `"$HOME"`, "${HOME}/y", "~root", `"~"`)
	case 18:
		return g.pick("$ENVX", `"$ENVY"`, "$ENVY", "${ENVZ}", "$ENVX.txt", "${ENVX:-x}", "${EMPTY:-777}", "$EMPTY", "${UNSET-main}", "x$UNSET")
	case 19:
		return g.pick("$((700+77))", "$((1+2))", "$'777'", `$'\x37\x37\x37'`, `$'a\tb'`, `7\77`, `7"7"7`, `'7'"7"7`, `$'\055delete'`)
	case 20:
		return "$(cat 777)"
	}
	return g.value()
}

// argument is a word with its substitution closed.
func (g *wordGrammar) argument(depth int) string {
	w := g.word(depth)
	if !strings.HasSuffix(w, "\x00") {
		return w
	}
	w = strings.TrimSuffix(w, "\x00")
	end := ")"
	if w[0] == '"' {
		end = `)"`
	}
	inner := g.value()
	if depth > 0 {
		inner = g.argument(depth - 1)
	}
	return w + g.pick("echo "+inner, "printf %s "+inner, `printf '%s\n' `+inner+" "+g.value(), "echo -n "+inner, "echo "+inner+" "+g.value(), "printf '%s-%s' a "+inner, `printf '\67\67\67'`, "cat <<< "+inner) + end
}

// probe is a call of the stub.
func (g *wordGrammar) probe(depth int) string {
	words := []string{g.pick("probe", "probe", "probe", "probe", "probe", "probe", "timeout 5 probe", "env A=1 probe", "command probe", "p'ro'be", "nice_=1 probe")}
	for range 1 + g.rand.IntN(3) {
		words = append(words, g.argument(depth))
	}
	return strings.Join(words, " ")
}

// set is a statement that gives a variable a value.
func (g *wordGrammar) set(depth int) string {
	n, v := g.name(), g.value()
	if g.chance(30) {
		v = g.argument(depth)
	}
	switch g.rand.IntN(32) {
	case 0:
		return "export " + n + "=" + v
	case 1:
		return g.pick("declare ", "typeset ", "readonly ", "declare -x ", "declare -i ", "declare -u ", "declare -a ") + n + "=" + v
	case 2:
		return n + "+=" + v
	case 3:
		return "printf -v " + n + " %s " + v
	case 4:
		return "read -r " + n + " <<< " + v
	case 5:
		return "read " + n + " " + g.name() + " <<< " + `"` + g.pick("777 main", "a b c", "x", " main  dev ") + `"`
	case 6:
		return n + "=(" + v + " " + g.argument(depth) + ")"
	case 7:
		return n + "+=(" + v + ")"
	case 8:
		return n + "[" + g.pick("0", "1", "2") + "]=" + v
	case 9, 10:
		return "set -- " + v + " " + g.argument(depth)
	case 11:
		return g.pick("shift", "shift", "shift 2", "shift $b")
	case 12:
		return "unset " + n
	case 13:
		return "mapfile -t " + n + " <<< " + `"` + g.pick("777", "main\ndev", "a b") + `"`
	case 14:
		return ": ${" + n + ":=" + v + "}"
	case 15:
		return g.pick("(("+n+"=700+77))", "let "+n+"=700+77", ": $(("+n+"=777))", "(("+n+"++))")
	case 16:
		return "eval " + n + "=" + g.pick("777", "main", `'"a b"'`)
	case 17:
		return "IFS=" + g.pick(",", "' '", "x", ":", "''")
	case 18:
		return "unset IFS"
	case 19:
		return "read -r -d '' " + n + " <<< " + v
	case 20:
		return "declare -n r=" + n + "; r=" + v
	case 21:
		return "local " + n + "=" + v
	case 22:
		return "shopt -s " + g.pick("nullglob", "dotglob", "globstar", "nocaseglob", "lastpipe", "extglob")
	case 23:
		return "HOME=" + g.pick("/etc", "/home/u/x")
	case 24:
		return "trap '" + n + "=777' " + g.pick("DEBUG", "EXIT", "ERR", "USR1; kill -USR1 $$")
	case 25:
		return g.pick("source", ".") + " <(echo " + n + "=777)"
	case 26:
		return g.pick("builtin export ", "command export ", "builtin declare ", "command readonly ") + n + "=" + v
	case 27:
		return g.pick("printf -v "+n+"[1] %s "+v, "read -ra "+n+" <<< 'main 777'", "read -n1 "+n+" <<< "+v, "getopts ab: "+n+" -b main", n+"=${!"+g.name()+"}", n+"=${"+g.name()+"@Q}", "declare -A "+n+"=([k]="+v+")")
	case 28:
		return g.pick("set -f", "set -a", "set -e; true", "set -u", "set -o posix", "set -x 2>/dev/null")
	case 29:
		return g.pick("fn() { probe $1; }", "fn() { "+n+"=777; }", "fn() { shift; probe \"$@\"; }", "unset -f fn", "fn() { [ $# -gt 1 ] && { shift; fn \"$@\"; }; probe $1; }")
	}
	return n + "=" + v
}

// statement is one or more commands.
func (g *wordGrammar) statement(depth int) string {
	if depth <= 0 {
		if g.chance(45) {
			return g.probe(1)
		}
		return g.set(1)
	}
	a, b := g.statement(depth-1), g.statement(depth-1)
	n := g.name()
	quoted := strings.ReplaceAll(a, "'", `'\''`)
	switch g.rand.IntN(30) {
	case 0:
		return a + g.pick(" && ", " || ") + b
	case 1:
		return "if " + g.pick("true", "false") + "; then " + a + "; else " + b + "; fi"
	case 2:
		return "if " + g.pick("true", "false") + "; then " + a + "; fi; " + b
	case 3, 4:
		return "for " + n + " in " + g.argument(1) + " " + g.argument(1) + "; do " + a + "; done; " + b
	case 5:
		return "for " + n + "; do " + a + "; done"
	case 6:
		return "for i in 1 2; do " + a + "; " + g.pick("", "break; ", "[ $i = 1 ] && continue; ", "") + b + "; done"
	case 7:
		return "while read -r " + n + "; do " + a + "; done <<< " + `"` + g.pick("777", "main\ndev", "a b") + `"; ` + b
	case 8:
		return g.pick("echo 777", "printf '%s\\n' main dev", "echo a b") + " | while read " + n + "; do " + a + "; done; " + b
	case 9:
		return "case " + g.pick("x", "$"+n) + " in " + g.pick("x", "777", "*") + ") " + a + g.pick(";;", ";;", ";&", ";;&") + " *) " + b + ";; esac"
	case 10:
		return "(" + a + "); " + b
	case 11:
		return "{ " + a + "; }; " + b
	case 12:
		return a + " | cat; " + b
	case 13:
		return a + " & wait; " + b
	case 14, 15:
		return "fn() { " + a + "; }; " + b + "; fn " + g.argument(1) + " " + g.argument(1)
	case 16:
		return "fn() { local " + n + "=" + g.value() + "; " + a + g.pick("", "; return; "+b) + "; }; fn " + g.argument(1) + "; " + b
	case 17:
		return "bash -c '" + quoted + "' " + g.argument(1) + " " + g.argument(1) + " " + g.argument(1)
	case 18:
		return "eval '" + quoted + "'; " + b
	case 19:
		return n + "=" + g.value() + " " + g.pick("bash -c '"+quoted+"'", "eval '"+quoted+"'", "fn") + "; " + b
	case 20:
		return "trap '" + quoted + "' EXIT; " + b
	case 21:
		return g.pick("echo ", "printf '%s\\n' ") + g.argument(1) + " | xargs " + g.pick("", "-n1 ", "-I{} ") + "probe " + g.pick("", "x ", "{} ") + "; " + b
	case 22:
		return "env " + n + "=" + g.value() + " bash -c '" + quoted + "'; " + b
	case 24:
		i := g.counter()
		return "for ((" + i + "=0; " + i + "<2; " + i + "++)); do " + a + "; done; " + b
	case 25:
		i := g.counter()
		return i + "=0; until [ $" + i + " = 2 ]; do ((" + i + "++)); " + a + "; " + b + "; done"
	case 26:
		return "fn() { " + a + "; }; " + b + "; fn() { " + g.set(0) + "; " + b + "; }; fn " + g.argument(1) + " | cat; fn " + g.value()
	case 27:
		return "x=$(" + a + "); " + b
	case 28:
		return a + " < <(" + b + ")"
	case 23:
		return "cat <<E >/dev/null\n${" + n + ":=777}\nE\n" + b
	}
	return a + "; " + b
}

// line is a whole command line, which calls the stub at its end.
func (g *wordGrammar) line() string {
	return fmt.Sprintf("%s; %s", g.statement(g.rand.IntN(4)), g.probe(2))
}
