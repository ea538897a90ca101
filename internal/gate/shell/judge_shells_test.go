//go:build unix

package shell_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/gate/shell/shelltest"
	"github.com/pigate/pigate/internal/testcorpus"
)

const (
	// seeds are how many generators share the work, each with a seed of its own.
	seeds = 8
	// wholeRun is how many command lines a run judges unless it is told otherwise.
	wholeRun = 72_000
	// shrinkable is how many findings of a seed are shrunk.
	shrinkable = 100
	// disagreements is the file of what was found once.
	disagreements = "testdata/disagreements.jsonl"
)

// courts are the real shells, each with the part of the command lines it is
// given and the shares of the constructs and here-documents judged in which a
// program must have run.
var courts = []struct {
	shell                   string
	part                    float64
	fit                     func(string) bool
	construct, hereDocument float64
}{
	{"bash", 1, shelltest.Fit, .6, .9},
	{"dash", 1. / 6, shelltest.FitForSh, .35, .7},
	{"busybox sh", 1. / 6, shelltest.FitForSh, .5, .9},
}

// leastShares are the shares that must mean something.
func leastShares(t *testing.T, shell string, construct, hereDocument float64) map[shelltest.Source]shares {
	t.Helper()
	traces, err := shelltest.NewRunner(t, shell).Run([]string{"unheard-of"})
	if err != nil {
		t.Fatal(err)
	}
	real := .8
	if traces[0].Programs == nil { // a shell that does not say which program is missing
		real = .1
	}
	return map[shelltest.Source]shares{
		shelltest.Construct:    {passed: .15, marked: .4, judged: .85, ran: construct},
		shelltest.HereDocument: {passed: .06, marked: .35, judged: .95, ran: hereDocument},
		shelltest.Nesting:      {passed: .1, marked: .1, judged: .85, ran: construct},
		shelltest.RealCommand:  {passed: .3, marked: .1, judged: .95, ran: real},
		shelltest.Neighbour:    {passed: .02, marked: .2, judged: .8, ran: construct / 2},
		shelltest.Survivor:     {passed: .2, marked: .8, judged: .85, ran: construct},
	}
}

// court judges the command lines of one generator with one shell.
type court struct {
	name string
	run  *shelltest.Runner
	gate gateway
	fit  func(string) bool
}

// judge draws count command lines and gives those that pass to the shell.
func (c *court) judge(g *shelltest.Generator, count int) (tally, error) {
	sum := newTally()
	var batch []shelltest.Sample
	for n := 1; n <= count; n++ {
		sample := g.Sample()
		got := counts{generated: 1}
		if c.gate.passes(sample.Text) != nil {
			got.passed = 1
			if strings.Contains(sample.Text, shelltest.Marker) {
				got.marked = 1
			}
			if c.fit(sample.Text) {
				batch = append(batch, sample)
				if got.marked == 1 { // what is not fit must not breed
					g.Passed(sample.Text)
				}
			}
		}
		sum.count(sample, got)
		if len(batch) == 400 || n == count {
			if err := c.try(batch, &sum); err != nil {
				return sum, err
			}
			batch = batch[:0]
		}
	}
	return sum, nil
}

// try gives command lines that pass to the shell.
func (c *court) try(batch []shelltest.Sample, sum *tally) error {
	texts := make([]string, len(batch))
	for i, s := range batch {
		texts[i] = s.Text
	}
	traces, err := c.run.Run(texts)
	if err != nil {
		return err
	}
	for i, trace := range traces {
		got := counts{judged: 1}
		if trace.Hung {
			got.hung = 1
			sum.endless = append(sum.endless, texts[i])
		}
		if slices.ContainsFunc(trace.Programs, func(p string) bool { return p != shelltest.Marker }) {
			got.ran = 1
		}
		sum.count(batch[i], got)
		if !trace.RanMarker() {
			continue
		}
		if alone, guilty := c.guilty(texts[i]); guilty {
			c.find(batch[i], alone, sum)
		}
	}
	return nil
}

// guilty reports whether the command line passes and the shell that is given it
// by -c runs the marker, and what ran.
func (c *court) guilty(text string) (trace shelltest.Trace, guilty bool) {
	if c.gate.passes(text) == nil {
		return trace, false
	}
	trace, err := c.run.Alone(text)
	return trace, err == nil && trace.RanMarker()
}

// find keeps what ran the marker, shrunk if there is little of its kind yet.
func (c *court) find(s shelltest.Sample, trace shelltest.Trace, sum *tally) {
	sum.kinds[s.Kind]++
	if sum.kinds[s.Kind] > 2 || len(sum.found) == shrinkable {
		return
	}
	text, hung := s.Text, trace.Hung
	text = shelltest.Shrink(text, func(shorter string) bool {
		if hung || !c.fit(shorter) { // to wait for each of those that never end would take too long
			return false
		}
		ran, guilty := c.guilty(shorter)
		hung = ran.Hung
		if guilty {
			trace = ran
		}
		return guilty
	})
	sum.found = append(sum.found, disagreement{Shell: c.name, Kind: s.Kind.String(), Command: text, Rules: c.gate.passes(text), Ran: trace.Programs})
}

// judgeAll judges command lines of several seeds at a time, the first of which
// is given.
func judgeAll(t *testing.T, name string, fit func(string) bool, commands, found []string, first uint64, count int) tally {
	t.Helper()
	sums, errs := make([]tally, seeds), make([]error, seeds)
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for i := range seeds {
		c := court{name: name, run: shelltest.NewRunner(t, name), gate: gateway{}, fit: fit}
		group.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			sums[i], errs[i] = c.judge(shelltest.NewGenerator(first+uint64(i), commands, found), count/seeds)
		})
	}
	group.Wait()
	sum := newTally()
	for i := range sums {
		if errs[i] != nil {
			t.Fatalf("seed %d: %v", first+uint64(i), errs[i])
		}
		sum.add(sums[i])
	}
	return sum
}

// number reads a whole number from the environment.
func number(t *testing.T, variable string, otherwise int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		t.Fatalf("%s is %q, want a number", variable, text)
	}
	return n
}

// TestShellsRunNoMarker lets real shells run what passes. PIGATE_JUDGE_SEED is
// the first seed, PIGATE_JUDGE_COUNT the number of command lines for bash, and
// PIGATE_JUDGE_SHELL one shell to use. With PIGATE_JUDGE_TIME, a duration, it
// goes on with fresh seeds for so long, and what it finds is appended to the
// file of disagreements.
func TestShellsRunNoMarker(t *testing.T) {
	commands, found := realCommands(t), hostileCommands(t)
	seed, count := number(t, "PIGATE_JUDGE_SEED", 1), number(t, "PIGATE_JUDGE_COUNT", wholeRun)
	until := time.Now()
	if text := os.Getenv("PIGATE_JUDGE_TIME"); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil {
			t.Fatalf("PIGATE_JUDGE_TIME: %v", err)
		}
		until = until.Add(d)
		if os.Getenv("PIGATE_JUDGE_SEED") == "" {
			seed = int(time.Now().UnixNano() / 1000)
		}
	}
	only := os.Getenv("PIGATE_JUDGE_SHELL")
	for round := true; round; round = time.Now().Before(until) {
		for _, c := range courts {
			if only != "" && only != c.shell {
				continue
			}
			t.Run(c.shell, func(t *testing.T) {
				if program, _, _ := strings.Cut(c.shell, " "); runtime.GOOS != "linux" {
					if _, err := exec.LookPath(program); err != nil {
						t.Skipf("there is no %s for %s", program, runtime.GOOS)
					}
				}
				sum := judgeAll(t, c.shell, c.fit, commands, found, uint64(seed), int(c.part*float64(count)))
				t.Logf("seeds %d to %d: %s", seed, seed+seeds-1, sum.total())
				sum.require(t, leastShares(t, c.shell, c.construct, c.hereDocument), count >= wholeRun)
				sum.report(t, c.shell)
				if os.Getenv("PIGATE_JUDGE_TIME") != "" {
					keep(t, sum.found)
				}
			})
		}
		seed += seeds
	}
}

// keep appends what was found to the file, one line of each family that the
// file has nothing of.
func keep(t *testing.T, found []disagreement) {
	t.Helper()
	known := families(kept(t))
	file, err := os.OpenFile(disagreements, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := json.NewEncoder(file)
	lines.SetEscapeHTML(false)
	for _, f := range families(found) {
		if slices.ContainsFunc(known, func(k family) bool {
			return k.example.Shell == f.example.Shell && strings.Contains(f.shape, k.shape)
		}) {
			continue
		}
		if err := lines.Encode(f.example); err != nil {
			t.Fatal(err)
		}
	}
}

// hostileCommands are lines that run the marker in some shell and passed once,
// and those of the corpora that are there to get past the gate.
func hostileCommands(t *testing.T) (list []string) {
	t.Helper()
	for _, d := range kept(t) {
		list = append(list, d.Command)
	}
	for _, name := range []string{"attacks-2.jsonl", "parser-disagreements.jsonl"} {
		path, there := testcorpus.Find(t, name)
		if !there {
			continue
		}
		eachLine(t, path, func(line []byte) {
			var c struct {
				Tool, Command string
				Input         struct{ Command string }
			}
			if err := json.Unmarshal(line, &c); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if c.Tool == "bash" || c.Command != "" {
				list = append(list, strings.ReplaceAll(c.Command+c.Input.Command, "touch P", shelltest.Marker))
			}
		})
	}
	return slices.DeleteFunc(list, func(text string) bool { return !shelltest.Fit(text) })
}

func kept(t *testing.T) (list []disagreement) {
	t.Helper()
	eachLine(t, disagreements, func(line []byte) {
		var d disagreement
		if err := json.Unmarshal(line, &d); err != nil {
			t.Fatalf("%s: %v", disagreements, err)
		}
		list = append(list, d)
	})
	return list
}

// TestDisagreementsDoNotPass decides again what passed once though a shell runs
// the marker.
func TestDisagreementsDoNotPass(t *testing.T) {
	list := kept(t)
	if len(list) == 0 {
		t.Fatalf("%s is empty", disagreements)
	}
	g := gateway{}
	for _, d := range list {
		rules := g.passes(d.Command)
		if rules == nil && g.allows(d.Rules, callOf(d.Command)) {
			rules = d.Rules
		}
		if rules != nil {
			t.Errorf("%s runs %q, and under %q this passes:\n%s", d.Shell, d.Ran, rules, d.Command)
		}
	}
}
