package audit_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
)

func init() {
	tasks["rotate"] = rotateTask
	tasks["erase"] = eraseTask
}

// rotateTask rotates the journal at PATH until it is killed.
func rotateTask(args []string) error {
	for {
		if _, err := audit.Rotate(context.Background(), args[0], audittest.Options()); err != nil {
			return err
		}
		fmt.Println("rotated")
	}
}

// eraseTask erases from the journal at PATH, entry by entry, until it is killed.
func eraseTask(args []string) error {
	for seq := int64(1); ; seq++ {
		if _, err := audit.Erase(context.Background(), args[0], audit.EraseOptions{Seqs: []int64{seq}}, audittest.Options()); err != nil {
			return err
		}
		fmt.Println("erased", seq)
	}
}

// Processes that rotate and erase die at any moment, while others append. The
// journal stays whole, nothing that was committed is lost, and it goes on.
func TestKilledKeepers(t *testing.T) {
	t.Parallel()
	for _, task := range []string{"rotate", "erase"} {
		t.Run(task, func(t *testing.T) {
			t.Parallel()
			const rounds = 8
			path := filepath.Join(t.TempDir(), "journal.db")
			j := open(t, path)
			var want []string
			add := func(call string) {
				record(t, j, decision("s", call, strings.Repeat("x", 500)))
				want = append(want, call)
			}
			add("first")
			for round := range rounds {
				c := start(t, task, path)
				for i := range round + 1 {
					add(fmt.Sprintf("r%d-%d", round, i))
					c.lines.Scan()
				}
				if err := c.Process.Kill(); err != nil {
					t.Fatal(err)
				}
				_ = c.Wait() // killed
				if strings.Contains(c.said.String(), "journal") {
					t.Errorf("round %d: %s", round, c.said.String())
				}
				add(fmt.Sprintf("after %d", round))
			}
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
			files, err := audit.Files(path)
			if err != nil {
				t.Fatal(err)
			}
			if v := verified(t, files...); !v.Whole {
				t.Errorf("%+v", v.Finding)
			}
			r, err := audit.OpenReader(t.Context(), files...)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = r.Close() }()
			var got []string
			for row, err := range r.List(t.Context(), audit.Filter{}) {
				if err != nil {
					t.Fatal(err)
				}
				if row.Kind == gate.KindDecision {
					got = append(got, callOf(t, row))
				}
			}
			if strings.Join(got, ", ") != strings.Join(want, ", ") {
				t.Errorf("read %v, want %v", got, want)
			}
		})
	}
}

// Processes that make a journal die at any moment. The next one finishes it.
func TestKilledCreators(t *testing.T) {
	t.Parallel()
	const rounds = 25
	for round := range rounds {
		path := filepath.Join(t.TempDir(), "pigate", "journal.db")
		var children []*child
		for w := range 2 {
			children = append(children, start(t, "forever", path, fmt.Sprint(w)))
		}
		time.Sleep(time.Duration(round) * time.Millisecond) // some other moment each time
		for _, c := range children {
			if err := c.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = c.Wait() // killed
		}
		j := open(t, path)
		record(t, j, decision("s", "afterwards", "x"))
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		if v := verified(t, path); !v.Whole {
			t.Errorf("round %d: %+v", round, v.Finding)
		}
	}
}
