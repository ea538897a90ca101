package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/testcorpus"
)

// learner is a new user with an empty home folder, and the sessions that were
// recorded.
type learner struct {
	t        *testing.T
	home     string
	sessions string
	readme   string
}

// newLearner makes one of the recorded sessions.
func newLearner(t *testing.T) learner {
	t.Helper()
	sessions, err := filepath.Abs(testcorpus.Path(t, "sessions"))
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	zone := time.Local
	time.Local = time.UTC
	t.Cleanup(func() { time.Local = zone })
	return learner{t, t.TempDir(), sessions, string(readme)}
}

// pigate runs a command and returns what it prints.
func (l learner) pigate(args ...string) string {
	l.t.Helper()
	var out, problems bytes.Buffer
	env := environment{stdin: strings.NewReader(""), stdout: &out, stderr: &problems, cwd: l.home, home: l.home, getenv: func(string) string { return "" }}
	if code := run(args, env); code != exitDone {
		l.t.Fatalf("pigate %v: exit %d\n%s", args, code, &problems)
	}
	return out.String()
}

// TestReadmeLearns does what the README tells of a project's past sessions, and
// keeps what it shows equal to what is printed.
func TestReadmeLearns(t *testing.T) {
	l := newLearner(t)
	last := func(text string) string {
		lines := strings.SplitAfter(strings.TrimRight(text, "\n"), "\n")
		return lines[len(lines)-1] + "\n"
	}
	table := func(text string) string {
		parts := strings.SplitAfterN(text, "\n\n", 3)
		return parts[0] + strings.TrimSuffix(parts[1], "\n")
	}
	show := func(command, printed string) string { return "$ " + command + "\n" + printed }

	want := show("pigate import", l.pigate("import", "--pi", filepath.Join(l.sessions, "badlogic+pi-mono")))
	want += show("pigate replay --imported --all | tail -n 1", last(l.pigate("replay", "--imported", "--all")))
	drafts := table(l.pigate("suggest", "--global"))
	want += show("pigate suggest --global", drafts) + "…\n"
	numbers := strings.Join(regexp.MustCompile(`(?m)^\d+`).FindAllString(drafts[strings.Index(drafts, "#"):], -1), ",")
	want += show("pigate suggest --global --apply "+numbers+" > saved.txt", "")
	l.pigate("suggest", "--global", "--apply", numbers)
	want += show("pigate replay --imported --all | tail -n 1", last(l.pigate("replay", "--imported", "--all")))
	if !strings.Contains(l.readme, "```\n"+want+"```\n") {
		t.Errorf("README.md does not show:\n%s", want)
	}
}

var spared = regexp.MustCompile(`(?m)^== (.+)\n(\d+) prompts in .* would have spared \d+ of them \((\d+) %\)`)

// TestReadmeRange holds what the README says of the other recorded projects.
func TestReadmeRange(t *testing.T) {
	l := newLearner(t)
	l.pigate("import", "--pi", l.sessions)
	least, most := 100, 0
	for _, m := range spared.FindAllStringSubmatch(l.pigate("suggest", "--all", "--no-backtest"), -1) {
		prompts, err := strconv.Atoi(m[2])
		if err != nil {
			t.Fatal(err)
		}
		share, err := strconv.Atoi(m[3])
		if err != nil {
			t.Fatal(err)
		}
		if prompts >= 200 && !strings.HasSuffix(m[1], "/pi-mono") {
			least, most = min(least, share), max(most, share)
		}
	}
	if want := fmt.Sprintf("it was %d to %d %% at one go", least, most); !strings.Contains(l.readme, want) {
		t.Errorf("README.md does not say %q", want)
	}
}
