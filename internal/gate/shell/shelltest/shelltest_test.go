//go:build unix

package shelltest

import (
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

var once = []string{"echo \"${x:-'$(zap)'}\"", "cat <<E\n$\\\n(zap)\nE"}

func TestSamplesRepeatForASeed(t *testing.T) {
	a, b, other := NewGenerator(1, Ordinary, once), NewGenerator(1, Ordinary, once), NewGenerator(2, Ordinary, once)
	differ := false
	for i := range 2000 {
		x, y, z := a.Sample(), b.Sample(), other.Sample()
		if i%3 == 0 {
			a.Passed(x.Text)
			b.Passed(y.Text)
		}
		if x != y {
			t.Fatalf("sample %d of one seed is %q and %q", i, x.Text, y.Text)
		}
		differ = differ || x != z
		if !utf8.ValidString(x.Text) {
			t.Fatalf("%q is no text", x.Text)
		}
	}
	if !differ {
		t.Error("two seeds draw the same")
	}
}

func TestSamplesComeFromEverywhere(t *testing.T) {
	g := NewGenerator(1, Ordinary, once)
	contexts, sources := map[string]bool{}, map[Source]bool{}
	g.Passed("echo 'zap'")
	for range 20_000 {
		s := g.Sample()
		contexts[s.Kind.Context], sources[s.Source] = true, true
	}
	for _, c := range append(contextsOf(), bashOnly.name, inShells.name) {
		if !contexts[c] {
			t.Errorf("nothing is drawn in %s", c)
		}
	}
	for _, s := range Sources {
		if !sources[s] {
			t.Errorf("no %s are drawn", s)
		}
	}
}

func contextsOf() (names []string) {
	for _, c := range contexts {
		names = append(names, c.name)
	}
	return names
}

func TestOrdinaryCommandsAreKept(t *testing.T) {
	if kept := Tamed(Ordinary); len(kept) < len(Ordinary)*9/10 {
		t.Errorf("of %d ordinary commands %d can be started from", len(Ordinary), len(kept))
	}
}

func TestFit(t *testing.T) {
	for _, text := range []string{"echo a", "cat f >/dev/null", "echo ${x/a/b} ${x//y}", "[[ x =~ y ]]", "f() { echo; }; f", "echo $'\\x45'"} {
		if !Fit(text) {
			t.Errorf("%q is not fit", text)
		}
	}
	for _, text := range []string{"/bin/rm x", "echo >/x", "cd ..", "cat ~root", "kill 1", "PATH=x", "while :; do :; done", "echo >$'\\x2fx'", "echo >$'\\57x'", "set -em", "for ((;;)); do :; done", "echo >$x/y",
		"${x}/y", "command -p rm", ":(){ :|:& };:", "echo >$_", "echo > ${_}", "echo \x00", "exec ./x"} {
		if Fit(text) {
			t.Errorf("%q is fit", text)
		}
	}
	for _, text := range []string{"f() { f | f; }; f", "() { :; }", "function f { f | f; }"} {
		if FitForSh(text) {
			t.Errorf("%q is fit for sh", text)
		}
	}
	if !FitForSh("f() { echo; }; f") {
		t.Error("a function is not fit for sh")
	}
}

func TestShrink(t *testing.T) {
	got := Shrink("git log | cat 'a b' && echo \"${HOME:+a}\" # `zap`\n", func(s string) bool { return strings.Contains(s, "zap") && strings.Contains(s, "$") })
	if got != "$zap" {
		t.Errorf("shrunk to %q", got)
	}
	if a, b := Shape("git log $(zap) a1"), Shape("echo x $(zap) y"); a != b {
		t.Errorf("%q and %q differ", a, b)
	}
}

// runs are command lines and whether they run the marker, in the named shells
// or in all.
var runs = []struct {
	text   string
	marker bool
	shells string
}{
	{"zap", true, ""},
	{"echo '$(zap)'", false, ""},
	{`echo "${x:-'$(zap)'}"`, true, ""},
	{"if", false, ""}, // errors, after which the others run
	{"echo 'it", false, ""},
	{"echo a; }; zap", false, ""},
	{"exit 3", false, ""},
	{"set -e; false; zap", false, ""},
	{"exec >f 2>f; exec zap", true, ""},
	{"zap & echo", true, ""}, // beside the line or after it
	{"cat <(zap)", true, "bash"},
	{"coproc zap", true, "bash"},
	{"bash -c 'sh -c zap'", true, "bash"},
	{"sh <<< zap; bash -x <(echo zap)", true, "bash"},
	{"sh zap; bash -x zap; . zap", false, "bash"},
	{"trap zap EXIT", true, ""},
	{"exec 9>&-; zap", true, ""}, // the pipe that the runner waits at
	{"cat <<E\n$(zap)", true, ""},
	{"cat <<E | cat\nE\nzap\nE\n", true, ""},
	{"echo ')'; echo \\'\nzap\\\n x", true, ""}, // quotes within the driver's
	{"x='a[$(zap)]'; echo $((x))", true, "bash"},
	{"f() { f | f; }; f", false, "bash"}, // functions are limited
	{"echo $'\\'; zap #'", true, "dash"},
	{"echo $'\\'; zap #'", false, "bash, busybox sh"},
	{"[[ a || zap ]]", true, "dash"},
	{"[[ a || zap ]]", false, "bash, busybox sh"},
	{"return; zap", true, "bash"}, // as with -c
	{"exec -c zap", true, "bash"}, // without the number of the line
	{"git status && ls", false, ""},
}

func TestRunnerSeesTheMarker(t *testing.T) {
	for _, shell := range shells(t) {
		r := NewRunner(t, shell)
		var texts []string
		var want []bool
		for _, run := range runs {
			if run.shells == "" || strings.Contains(run.shells, shell) {
				texts, want = append(texts, run.text), append(want, run.marker)
			}
		}
		traces, err := r.Run(texts)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			alone, err := r.Alone(text)
			if err != nil {
				t.Fatal(err)
			}
			if traces[i].RanMarker() != want[i] || alone.RanMarker() != want[i] {
				t.Errorf("%s runs %q among others and %q alone of %q, want the marker: %t", shell, traces[i].Programs, alone.Programs, text, want[i])
			}
		}
		if got := traces[len(traces)-1].Programs; !slices.Equal(got, []string{"git", "ls"}) {
			t.Errorf("%s: %q are noted of two programs", shell, got)
		}
	}
}

// shells are those of this machine, which are all on Linux.
func shells(t *testing.T) (list []string) {
	t.Helper()
	for _, shell := range []string{"bash", "dash", "busybox sh"} {
		program, _, _ := strings.Cut(shell, " ")
		if _, err := exec.LookPath(program); err == nil || runtime.GOOS == "linux" {
			list = append(list, shell)
		}
	}
	return list
}

func TestRunnerGoesOnAfterWhatNeverEnds(t *testing.T) {
	for _, shell := range shells(t) {
		r := NewRunner(t, shell)
		r.stall = 300 * time.Millisecond
		traces, err := r.Run([]string{"git a", "zap; while :; do :; done", "ls", "zap", "while git; do :; done"})
		if err != nil {
			t.Fatal(err)
		}
		if last := traces[4]; len(last.Programs) == 0 || !last.Hung {
			t.Errorf("%s: the last line ran %q, hung %t", shell, last.Programs, last.Hung)
		}
		for i, want := range []struct {
			programs string
			hung     bool
		}{{"git", false}, {"zap", true}, {"ls", false}, {"zap", false}} {
			if got := strings.Join(traces[i].Programs, " "); got != want.programs || traces[i].Hung != want.hung {
				t.Errorf("%s: line %d ran %q, hung %t, want %q, %t", shell, i, got, traces[i].Hung, want.programs, want.hung)
			}
		}
	}
}

// TestSamplesAreHostile holds that bash runs the marker in many of the lines
// when no gate stands before it.
func TestSamplesAreHostile(t *testing.T) {
	g, r := NewGenerator(1, Ordinary, once), NewRunner(t, "bash")
	g.Passed("echo 'zap' \"a zap b\" # zap")
	var samples []Sample
	var texts []string
	for len(texts) < 2000 {
		if s := g.Sample(); Fit(s.Text) {
			samples, texts = append(samples, s), append(texts, s.Text)
		}
	}
	traces, err := r.Run(texts)
	if err != nil {
		t.Fatal(err)
	}
	all, ran := map[Source]int{}, map[Source]int{}
	for i, trace := range traces {
		all[samples[i].Source]++
		if trace.RanMarker() {
			ran[samples[i].Source]++
		}
	}
	for _, s := range Sources {
		if t.Logf("%s: the marker ran in %d of %d", s, ran[s], all[s]); ran[s]*25 < all[s] && s != Survivor {
			t.Errorf("bash runs the marker in only %d of %d %s", ran[s], all[s], s)
		}
	}
}
