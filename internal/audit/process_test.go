package audit_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
)

// taskVariable makes the test binary do one task instead of the tests.
const taskVariable = "PIGATE_AUDIT_TASK"

// tasks are what a child process can do. A task reports by its output and
// fails by its error.
var tasks = map[string]func(args []string) error{
	"append":  appendTask,
	"forever": foreverTask,
	"hold":    holdTask,
}

func TestMain(m *testing.M) {
	name := os.Getenv(taskVariable)
	if name == "" {
		os.Exit(m.Run())
	}
	task, ok := tasks[name]
	if !ok {
		fmt.Fprintln(os.Stderr, "no task", name)
		os.Exit(2)
	}
	if err := task(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// appendTask waits for its standard input to close and appends: PATH NAME
// COUNT DURABILITY.
func appendTask(args []string) error {
	path, name := args[0], args[1]
	count, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	durability, err := strconv.Atoi(args[3])
	if err != nil {
		return err
	}
	fmt.Println("ready")
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	j := audit.NewJournal(path, withDurability(audit.Durability(durability)))
	for i := range count {
		if _, err := j.Record(context.Background(), decision("s", name+"-"+strconv.Itoa(i), "x")); err != nil {
			return err
		}
	}
	return j.Close()
}

// foreverTask appends until it is killed and says what was committed: PATH
// NAME.
func foreverTask(args []string) error {
	j := audit.NewJournal(args[0], audittest.Options())
	for i := 0; ; i++ {
		call := args[1] + "-" + strconv.Itoa(i)
		seq, err := j.Record(context.Background(), decision("s", call, strings.Repeat("x", i%3000)))
		if err != nil {
			return err
		}
		fmt.Println(seq, call)
	}
}

// holdTask appends ten entries to PATH and keeps the journal open until its
// standard input closes. Its file is gone by then: it finds out, and goes on
// with the one that is there.
func holdTask(args []string) error {
	j := audit.NewJournal(args[0], audittest.Options())
	add := func(call string) error {
		_, err := j.Record(context.Background(), decision("s", call, "x"))
		return err
	}
	for range 10 {
		if err := add("before"); err != nil {
			return err
		}
	}
	fmt.Println("ready")
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	if add("lost") == nil {
		return errors.New("recorded into a deleted file")
	}
	return errors.Join(add("after"), j.Close())
}

// child is a process that does a task.
type child struct {
	*exec.Cmd
	stdin io.WriteCloser
	lines *bufio.Scanner
	said  strings.Builder // on standard error
}

func start(t testing.TB, task string, args ...string) *child {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &child{Cmd: exec.CommandContext(t.Context(), self, args...)}
	c.Env = append(os.Environ(), taskVariable+"="+task)
	c.Stderr = &c.said
	if c.stdin, err = c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.lines = bufio.NewScanner(out)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// together starts a child for each list of arguments, lets them begin at the
// same moment and waits until all have succeeded.
func together(t *testing.T, task string, args ...[]string) {
	t.Helper()
	var children []*child
	for _, a := range args {
		c := start(t, task, a...)
		if !c.lines.Scan() {
			t.Fatalf("no answer: %s", c.said.String())
		}
		children = append(children, c)
	}
	for _, c := range children {
		if err := c.stdin.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range children {
		if err := c.Wait(); err != nil {
			t.Errorf("%v: %v: %s", c.Args[1:], err, c.said.String())
		}
	}
}

// sound checks that the numbers run from 1 without a gap and that SQLite finds
// nothing wrong.
func sound(t *testing.T, path string, rows []audit.Row) {
	t.Helper()
	for i, r := range rows {
		if r.Seq != int64(i+1) {
			t.Fatalf("row %d has number %d", i+1, r.Seq)
		}
	}
	v, err := audit.Verify(t.Context(), audit.VerifyOptions{Deep: true}, path)
	if err != nil || !v.Whole {
		t.Errorf("verification: %+v %v", v.Finding, err)
	}
}

func TestManyProcessesAppend(t *testing.T) {
	t.Parallel()
	const processes, each = 8, 500
	path := filepath.Join(t.TempDir(), "journal.db")
	var args [][]string
	want := map[string]int{}
	for p := range processes {
		name := "p" + strconv.Itoa(p)
		args = append(args, []string{path, name, strconv.Itoa(each), strconv.Itoa(p % 2)})
		for i := range each {
			want[name+"-"+strconv.Itoa(i)] = 1
		}
	}
	together(t, "append", args...)
	rows := audittest.Rows(t, path)
	sound(t, path, rows)
	if diff := cmp.Diff(want, calls(t, rows)); diff != "" {
		t.Error(diff)
	}
}

// calls counts the rows of each call.
func calls(t *testing.T, rows []audit.Row) map[string]int {
	t.Helper()
	count := map[string]int{}
	for _, r := range decisions(rows) {
		count[callOf(t, r)]++
	}
	return count
}

func TestManyProcessesCreate(t *testing.T) {
	t.Parallel()
	const rounds, processes = 20, 8
	for range rounds {
		path := filepath.Join(t.TempDir(), "pigate", "journal.db")
		var args [][]string
		for p := range processes {
			args = append(args, []string{path, "p" + strconv.Itoa(p), "1", "0"})
		}
		together(t, "append", args...)
		rows := audittest.Rows(t, path)
		sound(t, path, rows)
		if rows = decisions(rows); len(rows) != processes {
			t.Errorf("%d rows, want %d", len(rows), processes)
		}
	}
}

func TestKilledWriters(t *testing.T) {
	t.Parallel()
	const rounds, writers, lines = 6, 3, 25
	path := filepath.Join(t.TempDir(), "journal.db")
	committed := map[int64]string{}
	for round := range rounds {
		var children []*child
		for w := range writers {
			children = append(children, start(t, "forever", path, fmt.Sprintf("r%dw%d", round, w)))
		}
		for range lines {
			children[0].lines.Scan()
			note(t, committed, children[0].lines.Text())
		}
		for _, c := range children {
			if err := c.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range children {
			for c.lines.Scan() { // what it had said before it died
				note(t, committed, c.lines.Text())
			}
			_ = c.Wait() // killed
		}
	}
	rows := audittest.Rows(t, path)
	sound(t, path, rows)
	if len(committed) < rounds*lines {
		t.Fatalf("only %d entries were committed", len(committed))
	}
	for seq, call := range committed {
		if seq > int64(len(rows)) {
			t.Errorf("entry %d is lost", seq)
		} else if got := callOf(t, rows[seq-1]); got != call {
			t.Errorf("entry %d is of call %q, want %q", seq, got, call)
		}
	}
	record(t, open(t, path), decision("s", "c", "afterwards"))
}

// note takes down a line "SEQ CALL" of a child.
func note(t *testing.T, committed map[int64]string, line string) {
	t.Helper()
	number, call, ok := strings.Cut(line, " ")
	seq, err := strconv.ParseInt(number, 10, 64)
	if !ok || err != nil {
		t.Fatalf("not a line of a child: %q", line)
	}
	if other, taken := committed[seq]; taken {
		t.Errorf("number %d was given to %s and %s", seq, other, call)
	}
	committed[seq] = call
}
