//go:build !windows

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/pigate/pigate/internal/gate"
)

// terminal runs pigate on a terminal of its own.
type terminal struct {
	t    *testing.T
	cmd  *exec.Cmd
	tty  *os.File
	seen bytes.Buffer

	journal string
}

func (s *terminal) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// named is this test binary under the name of one of its programs.
func named(t *testing.T, dir, name string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	if err := os.Symlink(self, path); err != nil {
		t.Fatal(err)
	}
	return path
}

func init() { programs["patient-pager"] = patientPager }

// patientPager shows everything, minds no Ctrl-C, and leaves when it is given a
// line.
func patientPager() {
	signal.Ignore(os.Interrupt)
	_, err := io.Copy(os.Stdout, os.Stdin)
	tty, openErr := os.Open("/dev/tty")
	if err := errors.Join(err, openErr); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("ready")
	line, err := bufio.NewReader(tty).ReadString('\n')
	fmt.Printf("left by %s %v\n", strings.TrimSpace(line), err)
}

// onTerminal starts pigate with a journal of the story, on a terminal and in
// this environment.
func onTerminal(t *testing.T, environ []string, args ...string) *terminal {
	t.Helper()
	dir := t.TempDir()
	journal := filepath.Join(dir, "journal.db")
	tell(journal, func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	})
	cmd := exec.Command(named(t, dir, "pigate"), args...)
	cmd.Dir = dir
	cmd.Env = append([]string{"HOME=" + dir, "TZ=UTC", "TERM=xterm", "PATH=" + os.Getenv("PATH"), "PIGATE_JOURNAL=" + journal}, environ...)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 10, Cols: 150})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tty.Close() })
	return &terminal{t: t, cmd: cmd, tty: tty, journal: journal}
}

// until reads what is shown until it holds the text.
func (s *terminal) until(text string) {
	s.t.Helper()
	buf := make([]byte, 4096)
	for !strings.Contains(s.seen.String(), text) {
		n, err := s.tty.Read(buf)
		s.seen.Write(buf[:n])
		if err != nil {
			s.t.Fatalf("%q does not come (%v): %q", text, err, s.seen.String())
		}
	}
}

func (s *terminal) press(keys string) {
	s.t.Helper()
	if _, err := io.WriteString(s.tty, keys); err != nil {
		s.t.Fatal(err)
	}
}

// end reads the rest and returns all that was shown, and the exit code.
func (s *terminal) end() (shown string, code int) {
	s.t.Helper()
	_, _ = io.Copy(&s.seen, s.tty) // it ends in an error when the other side is closed
	err := s.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	return strings.ReplaceAll(s.seen.String(), "\r\n", "\n"), s.cmd.ProcessState.ExitCode()
}

const red, reset = "\x1b[31m", "\x1b[0m"

func TestColourOnATerminal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		environ []string
		args    []string
		colour  bool
	}{
		{"no pager", nil, []string{"audit", "list", "--all", "--no-pager"}, true},
		{"PAGER empty", []string{"PAGER="}, []string{"audit", "list", "--all"}, true},
		{"PAGER cat", []string{"PAGER=cat"}, []string{"audit", "list", "--all"}, true},
		{"NO_COLOR", []string{"PAGER=", "NO_COLOR=1"}, []string{"audit", "list", "--all"}, false},
		{"NO_COLOR empty", []string{"PAGER=", "NO_COLOR="}, []string{"audit", "list", "--all"}, true},
		{"dumb", []string{"TERM=dumb"}, []string{"audit", "list", "--all"}, false},
		{"show", []string{"PAGER="}, []string{"audit", "show", "9"}, true},
		{"csv", []string{"PAGER="}, []string{"audit", "list", "--all", "--format", "csv"}, false},
		{"json", []string{"PAGER="}, []string{"audit", "list", "--all", "--json"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			shown, code := onTerminal(t, c.environ, c.args...).end()
			if code != 0 || !strings.Contains(shown, "rm -rf /") {
				t.Fatalf("code %d: %s", code, shown)
			}
			if got := strings.Contains(shown, red+"deny"+reset); got != c.colour {
				t.Errorf("colour is %v: %q", got, shown)
			}
			if strings.Count(shown, "\x1b") != strings.Count(shown, reset)*2 {
				t.Errorf("text of the journal acts on the terminal: %q", shown)
			}
		})
	}
}

func TestPager(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, pager, want, not string
		code                   int
	}{
		{"a command line", "sed 's/^/> /'", "> ", "\nSEQ", 0},
		{"a program", "wc -l", "15", "SEQ", 0},
		{"one that leaves at once", "true", "", "rm -rf", 0},
		{"one that leaves early", "head -n 2", "README.md", "rm -rf", 0},
		{"its status is its own", "sh -c 'cat; exit 5'", "rm -rf", "", 0},
		{"none such", "no-such-pager", `start the pager: exec: "no-such-pager"`, "SEQ", 1},
		{"none such in a shell", "no-such-pager 'x'", "could not be run", "SEQ", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			shown, code := onTerminal(t, []string{"PAGER=" + c.pager}, "audit", "list", "--all").end()
			if code != c.code || !strings.Contains(shown, c.want) || c.not != "" && strings.Contains(shown, c.not) {
				t.Errorf("code %d: %q", code, shown)
			}
		})
	}
}

// Nothing goes through the pager where there is nothing to page, and nothing
// at all where nobody looks.
func TestPagerIsNotStarted(t *testing.T) {
	t.Parallel()
	marker := []string{"PAGER=sed 's/^/PAGED /'"}
	shown, code := onTerminal(t, marker, "audit", "list", "--all", "--match", "nothing of the kind").end()
	if code != 0 || strings.Contains(shown, "PAGED") || !strings.Contains(shown, "no such entries") {
		t.Errorf("code %d: %q", code, shown)
	}
	shown, code = onTerminal(t, marker, "audit", "show", "999").end()
	if code != 1 || strings.Contains(shown, "PAGED") || !strings.Contains(shown, "there is no entry 999") {
		t.Errorf("code %d: %q", code, shown)
	}
}

// Ctrl-C is the pager's: pigate waits until the person leaves it.
func TestInterruptInPager(t *testing.T) {
	t.Parallel()
	s := onTerminal(t, []string{"PAGER=" + named(t, t.TempDir(), "patient-pager")}, "audit", "list", "--all")
	s.until("ready")
	s.press("\x03")
	s.press("hand\n")
	if shown, code := s.end(); code != 0 || !strings.Contains(shown, "left by hand <nil>") {
		t.Errorf("code %d: %q", code, shown)
	}
}

// What is appended comes, and Ctrl-C ends it without a word.
func TestTailFollows(t *testing.T) {
	t.Parallel()
	s := onTerminal(t, nil, "audit", "tail", "-f", "--all", "-n", "1")
	s.until("ls ")
	more := &teller{check: s.must, clock: time.Date(2026, 3, 4, 8, 0, 0, 0, time.UTC), session: secondSession, digest: strings.Repeat("ab", 32)}
	more.open(s.journal)
	more.call("bash", "git status", rest{rule: "shell:git status *", took: 1})
	more.call("bash", "make \x1b[31m", rest{answer: gate.AnswerDeny, waited: 1})
	s.must(more.journal.Close())
	s.until(red + "block" + reset)
	s.press("\x03")
	if shown, code := s.end(); code != 0 || strings.Contains(shown, "pigate:") || !strings.Contains(shown, "git status") || !strings.Contains(shown, "make \\u{1b}") {
		t.Errorf("code %d: %q", code, shown)
	}
}
