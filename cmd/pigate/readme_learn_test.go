package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/cases"
)

// TestReadmeLearns does what the README tells of a project's past sessions, and
// keeps what it shows equal to what is printed.
func TestReadmeLearns(t *testing.T) {
	sessions, there := cases.Path(t, filepath.Join("sessions", "badlogic+pi-mono"))
	if !there {
		return
	}
	sessions, err := filepath.Abs(sessions)
	if err != nil {
		t.Fatal(err)
	}
	zone := time.Local
	time.Local = time.UTC
	t.Cleanup(func() { time.Local = zone })
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	pigate := func(args ...string) string {
		t.Helper()
		var out, problems bytes.Buffer
		env := environment{stdin: strings.NewReader(""), stdout: &out, stderr: &problems, cwd: home, home: home, getenv: func(string) string { return "" }}
		if code := run(args, env); code != exitDone {
			t.Fatalf("pigate %v: exit %d\n%s", args, code, &problems)
		}
		return out.String()
	}
	last := func(text string) string {
		lines := strings.SplitAfter(strings.TrimRight(text, "\n"), "\n")
		return lines[len(lines)-1] + "\n"
	}
	table := func(text string) string {
		parts := strings.SplitAfterN(text, "\n\n", 3)
		return parts[0] + strings.TrimSuffix(parts[1], "\n")
	}
	show := func(command, printed string) string { return "$ " + command + "\n" + printed }

	want := show("pigate import", pigate("import", "--pi", sessions))
	want += show("pigate replay --imported --all | tail -n 1", last(pigate("replay", "--imported", "--all")))
	drafts := table(pigate("suggest", "--global"))
	want += show("pigate suggest --global", drafts) + "…\n"
	numbers := strings.Join(regexp.MustCompile(`(?m)^\d+`).FindAllString(drafts[strings.Index(drafts, "#"):], -1), ",")
	want += show("pigate suggest --global --apply "+numbers+" > saved.txt", "")
	pigate("suggest", "--global", "--apply", numbers)
	want += show("pigate replay --imported --all | tail -n 1", last(pigate("replay", "--imported", "--all")))
	if !strings.Contains(string(readme), "```\n"+want+"```\n") {
		t.Errorf("README.md does not show:\n%s", want)
	}
}
