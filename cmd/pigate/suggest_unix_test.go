//go:build !windows

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// reviewing starts pigate suggest --interactive on a terminal, in a project with
// habits.
func reviewing(t *testing.T) (s *terminal, dir string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	journal := filepath.Join(dir, "journal.db")
	writeHabits(journal, dir, 5, func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	})
	cmd := exec.Command(named(t, dir, "pigate"), "suggest", "--interactive")
	cmd.Dir = dir
	cmd.Env = []string{"HOME=" + dir, "TZ=UTC", "TERM=xterm", "PATH=" + os.Getenv("PATH"), "PIGATE_JOURNAL=" + journal}
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 150})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tty.Close() })
	return &terminal{t: t, cmd: cmd, tty: tty, journal: journal}, dir
}

func TestGoingThroughDraftsOnATerminal(t *testing.T) {
	t.Parallel()
	s, dir := reviewing(t)
	s.until("q quit")
	s.press("d")
	s.until("+ ") // a file that is not there yet
	s.press("m")
	s.until("distinct")
	s.press("x")
	s.until("rejected: ")
	s.press("aq") // what was saved is said again at the end
	shown, code := s.end()
	if code != 0 {
		t.Fatalf("exit code %d: %q", code, shown)
	}
	file := filepath.Join(dir, ".pi", "allowlist-gate.json")
	if !strings.Contains(shown, "in "+file) {
		t.Errorf("it does not say where the rule went: %q", shown)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, saved, _ := strings.Cut(shown[strings.LastIndex(shown, "saved: allow "):], "saved: allow ")
	saved, _, _ = strings.Cut(saved, "\n")
	if !strings.Contains(string(text), `"`+saved+`"`) || !strings.Contains(string(text), `"shell:git status *"`) {
		t.Errorf("the file has no %q, or not the rules from before: %s", saved, text)
	}
	if got := run([]string{"suggest", "--json", "--journal", s.journal, "--project", dir}, environment{stdout: &s.seen, stderr: os.Stderr, getenv: func(string) string { return "" }, cwd: dir, home: dir}); got != 0 {
		t.Errorf("exit code %d", got)
	}
}

func TestReviewNeedsATerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	journal := filepath.Join(dir, "journal.db")
	writeHabits(journal, dir, 3, func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	})
	var out, errs strings.Builder
	env := environment{stdin: strings.NewReader("a"), stdout: &out, stderr: &errs, getenv: func(string) string { return "" }, cwd: dir, home: dir}
	if code := run([]string{"suggest", "--interactive", "--journal", journal}, env); code != exitUsage || !strings.Contains(errs.String(), "--interactive needs a terminal") {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
}
