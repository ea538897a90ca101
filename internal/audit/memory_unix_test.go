//go:build unix

package audit_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
)

func init() { tasks["serve"] = serveTask }

// serveTask records a call for each line of its standard input and says "ran" or
// "blocked", as a gate does: PATH. With a second argument it reads the journal
// beside, as a gate does for its dialogs.
func serveTask(args []string) error {
	ctx := context.Background()
	j := audit.NewJournal(args[0], audittest.Options())
	past := audit.NewPast(args[0])
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if _, err := j.Record(ctx, decision("s", lines.Text(), "x")); err != nil {
			fmt.Println("blocked", err)
			continue
		}
		if len(args) > 1 {
			if err := past.Refresh(ctx); err != nil {
				return err
			}
			args = args[:1]
		}
		fmt.Println("ran")
	}
	_ = past.Close() // its files may be gone
	return j.Close()
}

// gateLike is a child that serves, with the calls that it let run.
type gateLike struct {
	*child
	t   *testing.T
	ran map[string]bool
}

func serve(t *testing.T, path string, more ...string) *gateLike {
	t.Helper()
	return &gateLike{start(t, "serve", append([]string{path}, more...)...), t, map[string]bool{}}
}

// call lets the child record a call and returns what it said.
func (g *gateLike) call(name string) string {
	g.t.Helper()
	if _, err := fmt.Fprintln(g.stdin, name); err != nil || !g.lines.Scan() {
		g.t.Fatalf("no answer: %v %s", err, g.said.String())
	}
	if g.lines.Text() == "ran" {
		g.ran[name] = true
	}
	return g.lines.Text()
}

func (g *gateLike) end() {
	g.t.Helper()
	if err := errors.Join(g.stdin.Close(), g.Wait()); err != nil {
		g.t.Logf("%v: %s", err, g.said.String())
	}
}

// What SQLite keeps beside the journal is removed while two sessions append, one
// of which begins afterwards. Whatever they answer, a call that ran is in the
// journal, once, and the journal is whole.
func TestCompanionsRemoved(t *testing.T) {
	t.Parallel()
	for _, before := range []int{3, 300} {
		for _, suffixes := range [][]string{{"-shm"}, {"-wal"}, {"-wal", "-shm"}} {
			for _, past := range []bool{false, true} {
				for _, second := range []bool{false, true} {
					t.Run(fmt.Sprint(before, suffixes, past, second), func(t *testing.T) {
						t.Parallel()
						path := filepath.Join(t.TempDir(), "journal.db")
						var more []string
						if past {
							more = []string{"past"}
						}
						gates := []*gateLike{serve(t, path, more...)}
						if second { // was there before
							gates = append(gates, serve(t, path, more...))
						}
						for i := range before {
							gates[i%len(gates)].call("before-" + strconv.Itoa(i))
						}
						for _, s := range suffixes {
							remove(t, path+s)
						}
						gates = append(gates, serve(t, path, more...))
						last := map[int]string{}
						for i := range 20 {
							for g := range gates {
								n := (g + len(gates) - 1) % len(gates) // the new one first
								last[n] = gates[n].call(fmt.Sprintf("after-%d-%d", n, i))
							}
						}
						ran := map[string]int{}
						for _, g := range gates {
							g.end()
							for name := range g.ran {
								ran[name] = 1
							}
						}
						rows := audittest.Rows(t, path)
						sound(t, path, rows)
						got := calls(t, rows)
						for name := range ran {
							if got[name] != 1 {
								t.Errorf("%s ran and is %d times in the journal", name, got[name])
							}
						}
						for name := range got {
							if ran[name] != 1 {
								t.Errorf("%s was blocked and is in the journal", name)
							}
						}
						for _, said := range last {
							if said != "ran" {
								t.Errorf("somebody does not get on: %s", said)
							}
						}
					})
				}
			}
		}
	}
}

// A memory that others have replaced is never written through: the session that
// has the old one blocks, until it is started anew.
func TestMemoryReplaced(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	old := serve(t, path)
	for i := range 5 {
		old.call("before-" + strconv.Itoa(i))
	}
	remove(t, path+"-shm")
	r, err := audit.OpenReader(t.Context(), path) // makes another
	if err != nil {
		t.Fatal(err)
	}
	fresh := serve(t, path)
	for i := range 20 {
		if said := fresh.call("fresh-" + strconv.Itoa(i)); said != "ran" {
			t.Error(said)
		}
		if said := old.call("old-" + strconv.Itoa(i)); i > 0 && !strings.Contains(said, "-shm) was replaced") {
			t.Errorf("said %q", said)
		}
	}
	fresh.end()
	old.end()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	rows := audittest.Rows(t, path)
	sound(t, path, rows)
	if n := len(decisions(rows)); n != 25 || len(old.ran)+len(fresh.ran) != n {
		t.Errorf("%d decisions, %d and %d ran", n, len(old.ran), len(fresh.ran))
	}
	again := serve(t, path)
	if said := again.call("again"); said != "ran" {
		t.Error(said)
	}
	again.end()
}

// A journal that was moved away while it was in use has all that was committed,
// whoever comes first afterwards, and can be moved back.
func TestMovedAsideAndBack(t *testing.T) {
	t.Parallel()
	for _, before := range []int{3, 300} {
		for _, next := range []string{"who had it calls", "who had it ends", "a newcomer calls"} {
			t.Run(fmt.Sprint(before, next), func(t *testing.T) {
				t.Parallel()
				path := filepath.Join(t.TempDir(), "journal.db")
				gates := []*gateLike{serve(t, path), serve(t, path, "past")}
				for i := range before {
					gates[i%2].call("before-" + strconv.Itoa(i))
				}
				rename(t, path, path+".aside")
				switch next {
				case "a newcomer calls":
					gates = append(gates, serve(t, path))
					gates[2].call("newcomer")
				case "who had it ends":
					gates[0].end()
					gates = gates[1:]
				}
				last := gates[len(gates)-1]
				for _, g := range gates {
					g.call("lost")
					g.call("meanwhile")
				}
				last.call("more")
				rename(t, path+".aside", path)
				for _, g := range gates {
					g.call("lost")
				}
				if said := last.call("after"); said != "ran" {
					t.Error(said)
				}
				for _, g := range gates {
					g.end()
				}
				rows := audittest.Rows(t, path)
				sound(t, path, rows)
				got := calls(t, rows)
				for i := range before {
					if name := "before-" + strconv.Itoa(i); got[name] != 1 {
						t.Errorf("%s is %d times in the journal", name, got[name])
					}
				}
				if got["after"] != 1 {
					t.Error("what came afterwards is not in the journal")
				}
			})
		}
	}
}
