//go:build unix

package audit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// strict is a configuration without rules.
type strict struct{}

func (strict) Load(string, policy.Trust) (*policy.Policy, bool, []string) {
	return policy.New(policy.DefaultSettings(), nil), true, nil
}

func (strict) Save(string, []string) (string, []string, error) { return "", nil, nil }

// silent is nobody.
type silent struct{ gate.Asker }

func (silent) Notify(context.Context, string, string) {}

// breakages break a journal in the folder dir, and mend it.
var breakages = map[string]struct {
	harm, mend func(t *testing.T, dir string)
}{
	"folder away": {
		func(t *testing.T, dir string) { rename(t, dir, dir+".away"); write(t, dir, "") },
		func(t *testing.T, dir string) { remove(t, dir); rename(t, dir+".away", dir) },
	},
	"a folder": {
		func(t *testing.T, dir string) {
			rename(t, dir+"/journal.db", dir+"/away")
			if err := os.Mkdir(dir+"/journal.db", 0o700); err != nil {
				t.Fatal(err)
			}
		},
		func(t *testing.T, dir string) {
			remove(t, dir+"/journal.db")
			rename(t, dir+"/away", dir+"/journal.db")
		},
	},
	"rubble": {
		func(t *testing.T, dir string) {
			rename(t, dir+"/journal.db", dir+"/away")
			write(t, dir+"/journal.db", fmt.Sprintf("%4096s", "rubble"))
		},
		func(t *testing.T, dir string) { rename(t, dir+"/away", dir+"/journal.db") },
	},
	"another schema": {
		func(t *testing.T, dir string) { mustExec(t, raw(t, dir+"/journal.db"), "PRAGMA user_version = 99") },
		func(t *testing.T, dir string) { mustExec(t, raw(t, dir+"/journal.db"), "PRAGMA user_version = 1") },
	},
	"bad key": {
		func(t *testing.T, dir string) {
			rename(t, dir+"/journal.db.key", dir+"/key")
			write(t, dir+"/journal.db.key", "x")
		},
		func(t *testing.T, dir string) { rename(t, dir+"/key", dir+"/journal.db.key") },
	},
}

// gapsOf adds up what the gaps in a journal say.
func gapsOf(t *testing.T, path string) (entries, decisions int64, modes string) {
	t.Helper()
	for _, r := range audittest.Rows(t, path) {
		if r.Kind != gate.KindGap {
			continue
		}
		var body struct {
			Entries, Decisions int64
			OnError            string `json:"on_error"`
		}
		if err := json.Unmarshal(r.Body, &body); err != nil {
			t.Fatal(err)
		}
		entries, decisions, modes = entries+body.Entries, decisions+body.Decisions, modes+body.OnError
	}
	return entries, decisions, modes
}

// Whatever keeps the journal from working, before its first entry or after it, the
// gap says exactly how many decisions are missing: also when the process that
// missed them ends before it works again, of itself or not.
func TestGapIsExact(t *testing.T) {
	t.Parallel()
	for name, b := range breakages {
		for _, lenient := range []bool{false, true} {
			for _, end := range []string{"goes on", "ends"} {
				for _, opened := range []bool{true, false} {
					if opened && (name == "another schema" || name == "bad key" && opened) {
						continue // an open connection does not see it
					}
					t.Run(fmt.Sprint(name, lenient, end, opened), func(t *testing.T) {
						t.Parallel()
						spare := t.TempDir()
						dir := filepath.Join(t.TempDir(), "j")
						path := filepath.Join(dir, "journal.db")
						o := audittest.Options()
						o.Lenient, o.Spare = lenient, spare
						first := open(t, path)
						record(t, first, decision("s", "first", "x"))
						if err := first.Close(); err != nil {
							t.Fatal(err)
						}
						j := audit.NewJournal(path, o)
						g := &gate.Guard{Rules: strict{}, Asker: silent{}, Recorder: j, Now: time.Now, Lenient: lenient,
							Links: func([]string, string) policy.LinkFacts { return nil }}
						call := func(name string) gate.Ruling {
							return g.Decide(t.Context(), policy.Request{Session: "s", Call: name, Tool: "bash", Input: []byte(`{"command":"make x"}`),
								Cwd: dir, Root: dir, OS: "linux"})
						}
						if opened {
							call("works")
						}
						b.harm(t, dir)
						const missed = 20
						for i := range missed {
							if r := call(strconv.Itoa(i)); r.Seq != 0 {
								t.Fatalf("call %d is entry %d", i, r.Seq)
							}
						}
						if end == "ends" {
							_ = j.Close() // it cannot write
						}
						b.mend(t, dir)
						if end == "ends" {
							j = audit.NewJournal(path, o)
							g.Recorder = j
						}
						if r := call("back"); r.Seq == 0 {
							t.Fatalf("%+v", r)
						}
						if err := j.Close(); err != nil {
							t.Fatal(err)
						}
						entries, decisions, modes := gapsOf(t, path)
						if want := map[bool]string{false: "block", true: "warn"}[lenient]; entries != missed || decisions != missed || modes != want {
							t.Errorf("the gap says %d entries, %d decisions, %s; want %d", entries, decisions, modes, missed)
						}
						sound(t, path, audittest.Rows(t, path))
						for _, folder := range []string{dir, spare} {
							if left, _ := filepath.Glob(folder + "/*missed*"); len(left) > 0 {
								t.Errorf("left: %v", left)
							}
						}
					})
				}
			}
		}
	}
}

// What a killed process missed is told by the next one.
func TestGapOutlivesKill(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "j")
	path := filepath.Join(dir, "journal.db")
	g := serve(t, path)
	g.call("first")
	breakages["rubble"].harm(t, dir)
	const missed = 7
	for i := range missed {
		g.call(strconv.Itoa(i))
	}
	if err := g.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = g.Wait() // killed
	breakages["rubble"].mend(t, dir)
	for range 2 { // and once
		j := open(t, path)
		record(t, j, decision("s", "back", "x"))
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		if entries, decisions, _ := gapsOf(t, path); entries != missed || decisions != missed {
			t.Errorf("the gaps say %d entries, %d decisions, want %d", entries, decisions, missed)
		}
	}
}
