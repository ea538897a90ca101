//go:build unix

package shelltest

import (
	"bufio"
	"bytes"
	stdcontext "context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Programs are what generated command lines run beside the marker. In the
// runner's shell they only note their name.
var Programs = []string{"cat", "echo", "git", "ls"}

// stub notes the name it is called by, with the number of the command line.
const stub = "#!/bin/sh\nprintf '%%s %%s\\n' \"$JUDGE_ID\" \"${0##*/}\" >>'%s'\n"

// inner is the bash that a line can give text to. It reads no file of the user
// or of the system, whatever it is asked, and no file of commands: a file named
// like the marker would be found in PATH.
const inner = `#!%[1]s
for a; do
  case $a in
    -*[cs]* | /dev/fd/* | /dev/stdin) break ;;
    -* | +* | posix | extglob) ;;
    *) exit ;;
  esac
done
exec %[1]s --norc --noprofile "$@"
`

// maxNoted is how many programs of a command line a trace holds.
const maxNoted = 100

// Runner gives command lines to a real shell, in an empty folder and with a
// PATH that holds nothing but stubs, and the shell itself where it is bash. It is not safe for use by several
// goroutines.
type Runner struct {
	argv []string
	bin  string // the stubs
	tmp  string // logs, drivers and the folders that commands run in
	runs int
	// A command line that takes longer than this counts as one that never ends.
	stall time.Duration
}

// Trace is what a shell ran for one command line.
type Trace struct {
	// Programs are the names of the stubs that were called, in order.
	Programs []string
	// Hung reports that the command line had to be ended.
	Hung bool
}

// RanMarker reports whether the marker was among the programs.
func (t Trace) RanMarker() bool {
	for _, p := range t.Programs {
		if p == Marker {
			return true
		}
	}
	return false
}

// NewRunner makes a runner of a shell: "bash", "dash" or "busybox sh". It ends
// the test where the shell is missing.
func NewRunner(t testing.TB, shell string) *Runner {
	t.Helper()
	argv := strings.Fields(shell)
	path, err := exec.LookPath(argv[0])
	if err != nil {
		t.Fatalf("the judge of the shell analysis is a real %s: %v", shell, err)
	}
	argv[0] = path
	if shell == "bash" {
		argv = append(argv, "--norc", "--noprofile")
	}
	r := &Runner{argv: argv, bin: t.TempDir(), tmp: t.TempDir(), stall: 3 * time.Second}
	for _, name := range append([]string{Marker}, Programs...) {
		if err := os.WriteFile(filepath.Join(r.bin, name), fmt.Appendf(nil, stub, r.log()), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if shell == "bash" {
		for _, name := range []string{"bash", "sh"} {
			if err := os.WriteFile(filepath.Join(r.bin, name), fmt.Appendf(nil, inner, path), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	return r
}

// log holds the names of programs, each behind the number of the command line.
func (r *Runner) log() string { return filepath.Join(r.tmp, "log") }

// turns holds the numbers of the command lines that were begun.
func (r *Runner) turns() string { return filepath.Join(r.tmp, "turns") }

// Run gives every text to the shell and returns what each one ran. The texts
// share one process of the shell, in which each has a subshell of its own and
// the programs beside the marker are functions: that is much faster than Alone.
func (r *Runner) Run(texts []string) ([]Trace, error) {
	traces := make([]Trace, len(texts))
	for next := 0; next < len(texts); {
		last, err := r.batch(texts, next, traces)
		if err != nil {
			return nil, err
		}
		if last < next {
			return nil, fmt.Errorf("%s does not begin its work", r.argv[0])
		}
		next = last + 1
	}
	return traces, nil
}

// batch runs the texts from the given one on until all have run or one hangs,
// and returns the last one that was begun.
func (r *Runner) batch(texts []string, from int, traces []Trace) (last int, err error) {
	var b strings.Builder
	fmt.Fprintf(&b, "export JUDGE_ID; unset PWD OLDPWD\nnote() { printf '%%s %%s\\n' \"$JUDGE_ID\" \"$1\" >>'%s'; }\n", r.log())
	b.WriteString("command_not_found_handle() { note \"$1\"; }\n")
	for _, name := range Programs {
		fmt.Fprintf(&b, "%s() { note %s; }\n", name, name)
	}
	for i := from; i < len(texts); i++ {
		fmt.Fprintf(&b, "JUDGE_ID=%d; printf '%%s\\n' %[1]d >>'%s'\n(eval %s) </dev/null >/dev/null 2>&1\n", i, r.turns(), quoted(texts[i]))
	}
	driver := filepath.Join(r.tmp, "driver")
	if err := os.WriteFile(driver, []byte(b.String()), 0o600); err != nil {
		return 0, err
	}
	in, err := os.Open(driver)
	if err != nil {
		return 0, err
	}
	defer func() { _ = in.Close() }()
	log, hung, err := r.start(in, "-s")
	if err != nil {
		return 0, err
	}
	turns, err := os.ReadFile(r.turns())
	if err != nil {
		return 0, err
	}
	last = from - 1 + bytes.Count(turns, []byte("\n"))
	lost := false // a line took its number away and ran the marker
	for lines := bufio.NewScanner(bytes.NewReader(log)); lines.Scan(); {
		id, name, _ := strings.Cut(lines.Text(), " ")
		i, err := strconv.Atoi(id)
		if err != nil || i < from || i >= len(texts) {
			lost = lost || name == Marker
			continue
		}
		if t := &traces[i]; len(t.Programs) < maxNoted || name == Marker {
			t.Programs = append(t.Programs, name)
		}
	}
	if hung && last >= from {
		traces[last].Hung = true
	}
	if lost {
		err = r.lookAgain(texts, from, last, traces)
	}
	return last, err
}

// lookAgain runs the texts from one to another alone, to tell which of them
// runs the marker.
func (r *Runner) lookAgain(texts []string, from, to int, traces []Trace) error {
	for i := from; i <= to; i++ {
		trace, err := r.Alone(texts[i])
		if err != nil {
			return err
		}
		if trace.RanMarker() {
			traces[i].Programs = append(traces[i].Programs, Marker)
		}
	}
	return nil
}

// Alone gives the text to a shell of its own, by -c, as an agent's tool does.
func (r *Runner) Alone(text string) (Trace, error) {
	log, hung, err := r.start(nil, "-c", text)
	if err != nil {
		return Trace{}, err
	}
	trace := Trace{Hung: hung}
	for line := range strings.Lines(string(log)) {
		if _, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); len(trace.Programs) < maxNoted || name == Marker {
			trace.Programs = append(trace.Programs, name)
		}
	}
	return trace, nil
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// start runs the shell in a new empty folder until it and all that it left
// running have ended, and returns the log.
func (r *Runner) start(in *os.File, args ...string) (log []byte, hung bool, err error) {
	r.runs++
	dir := filepath.Join(r.tmp, "work"+strconv.Itoa(r.runs))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, false, err
	}
	defer os.RemoveAll(dir)
	for _, file := range []string{r.log(), r.turns()} {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			return nil, false, err
		}
	}
	// Whatever the shell starts holds the writing end of this pipe.
	alive, held, err := os.Pipe()
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = alive.Close() }()
	ctx, cancel := stdcontext.WithCancel(stdcontext.Background())
	defer cancel()
	cmd := exec.CommandContext(ctx, r.argv[0], append(r.argv[1:len(r.argv):len(r.argv)], args...)...)
	cmd.Dir, cmd.Stdin = dir, in
	cmd.Env = []string{"PATH=" + r.bin, "HOME=h", "FUNCNEST=8", "JUDGE_ID=0", "LC_ALL=C.UTF-8"}
	cmd.ExtraFiles = []*os.File{6: held} // as descriptor 9
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	err = cmd.Start()
	_ = held.Close() // that of this process
	if err != nil {
		return nil, false, err
	}
	ended := make(chan struct{})
	go func() {
		_, _ = alive.Read(make([]byte, 1)) // nobody writes: it returns at the end
		close(ended)
	}()
	hung = r.watch(ended)
	if hung {
		_ = cmd.Cancel()
	}
	err = cmd.Wait()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return nil, false, err
	}
	log, err = os.ReadFile(r.log())
	return log, hung, err
}

// watch waits for the end, and reports true if no command line is begun for too
// long before.
func (r *Runner) watch(ended <-chan struct{}) (hung bool) {
	size, since := int64(-1), time.Now()
	tick := time.NewTicker(r.stall / 10)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return false
		case now := <-tick.C:
			if info, err := os.Stat(r.turns()); err == nil && info.Size() != size {
				size, since = info.Size(), now
			}
			if now.Sub(since) > r.stall {
				return true
			}
		}
	}
}
