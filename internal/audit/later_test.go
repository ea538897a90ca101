package audit_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/audit/redact"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

func later(e *gate.Entry) *gate.Entry {
	e.Later = true
	return e
}

// What may come later comes before what comes after it, and is there when the
// journal is closed.
func TestLaterKeepsOrder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	j := open(t, path)
	for i := range 300 {
		e := decision("s", strconv.Itoa(i), "x")
		e.Later = i%7 != 0
		if seq := record(t, j, e); e.Later != (seq == 0) {
			t.Errorf("entry %d has number %d", i, seq)
		}
		record(t, j, later(outcome("s", strconv.Itoa(i), 0)))
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	rows := decisions(audittest.Rows(t, path))
	for i, r := range rows {
		if callOf(t, r) != strconv.Itoa(i) || r.Outcome != "ok" {
			t.Fatalf("row %d is %s", i, r.Body)
		}
	}
	if len(rows) != 300 {
		t.Errorf("%d rows", len(rows))
	}
}

func TestGatedOnly(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	o := audittest.Options()
	o.GatedOnly = true
	j := audit.NewJournal(path, o)
	record(t, j, later(decision("s", "read", "x")))
	record(t, j, later(outcome("s", "read", 0)))
	record(t, j, decision("s", "gated", "x"))
	record(t, j, later(&gate.Entry{Kind: gate.KindAnswer, Time: 1, Answer: &gate.Answered{Answer: gate.AnswerOnce}}))
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if rows := audittest.Rows(t, path); len(rows) != 3 || rows[1].Kind != gate.KindAnswer {
		t.Errorf("%s", summary(rows))
	}
}

// While the journal is broken nothing is put off; what was put off before is
// kept, and a gap says what is missing.
func TestLaterWhileBroken(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows lets nobody take away an open file")
	}
	dir := filepath.Join(t.TempDir(), "j")
	path := filepath.Join(dir, "journal.db")
	o := audittest.Options()
	o.Lenient = true
	j := audit.NewJournal(path, o)
	record(t, j, decision("s", "first", "x"))
	rename(t, dir, dir+".away")
	if err := os.WriteFile(dir, nil, 0o600); err != nil { // no folder can be made there
		t.Fatal(err)
	}
	record(t, j, later(decision("s", "put off", "x")))
	for _, call := range []string{"missing 1", "missing 2"} {
		if _, err := j.Record(t.Context(), decision("s", call, "x")); err == nil {
			t.Errorf("%s: recorded", call)
		}
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	rename(t, dir+".away", dir)
	record(t, j, decision("s", "back", "x"))
	rows := audittest.Rows(t, path)
	var got []string
	for _, r := range rows {
		got = append(got, string(r.Kind)+" "+callOf(t, r))
	}
	if want := "decision first, gap , decision put off, decision back"; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", strings.Join(got, ", "), want)
	}
	if n, _ := gapOf(t, rows[1]); n != 2 || !strings.Contains(string(rows[1].Body), `"decisions":2`) || !strings.Contains(string(rows[1].Body), `"on_error":"warn"`) {
		t.Errorf("the gap says %s", rows[1].Body)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if v := verified(t, path); !v.Whole {
		t.Errorf("%+v", v.Finding)
	}
}

// failing is a masker that cannot search.
type failing struct{}

func (failing) Text(context.Context, string) (string, []redact.Mask, error) {
	return "", nil, errors.New("mask secrets: no")
}

// What cannot be searched for secrets is not stored; the decision is.
func TestMaskingFails(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	j := audit.NewJournal(path, audit.Options{Masker: func([]byte) audit.Masker { return failing{} }})
	record(t, j, decision("s", "c", "hidden"))
	if !j.HoldsSecret(t.Context(), "shell:ls") {
		t.Error("it claims that a rule holds no secret")
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	row := audittest.Rows(t, path)[0]
	if strings.Contains(string(row.Body), "hidden") || !strings.Contains(string(row.Body), `"dropped":"mask secrets: no"`) || row.Decision != policy.Run {
		t.Errorf("%s", row.Body)
	}
}

// A journal is a list: whatever is appended by whoever, now or later, across
// openings, rotations and erasures, is there in that order, and the whole is
// whole.
func TestJournalIsAList(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		path := filepath.Join(t.TempDir(), "journal.db")
		writers := []*audit.Journal{audit.NewJournal(path, audittest.Options()), audit.NewJournal(path, audittest.Options())}
		var want []string
		erased := map[string]bool{}
		add := func(j *audit.Journal) {
			call := strconv.Itoa(len(want))
			record(t, j, decision("s", call, "command-"+call+"-"))
			want = append(want, call)
		}
		add(writers[0])
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			i := rapid.IntRange(0, 1).Draw(rt, "writer")
			switch rapid.IntRange(0, 5).Draw(rt, "step") {
			case 0:
				if err := writers[i].Close(); err != nil {
					rt.Fatal(err)
				}
				writers[i] = audit.NewJournal(path, audittest.Options())
			case 1:
				if _, err := audit.Rotate(t.Context(), path, audittest.Options()); err != nil {
					rt.Fatal(err)
				}
			case 2:
				call := rapid.SampledFrom(want).Draw(rt, "call")
				if _, err := audit.Erase(t.Context(), path, audit.EraseOptions{Match: "command-" + call + "-"}, audittest.Options()); err != nil {
					rt.Fatal(err)
				}
				erased[call] = true
			default:
				add(writers[i])
			}
		}
		for _, j := range writers {
			if err := j.Close(); err != nil {
				rt.Fatal(err)
			}
		}
		files, err := audit.Files(path)
		if err != nil {
			rt.Fatal(err)
		}
		r, err := audit.OpenReader(t.Context(), files...)
		if err != nil {
			rt.Fatal(err)
		}
		defer func() { _ = r.Close() }()
		var got []string
		for row, err := range r.List(t.Context(), audit.Filter{}) {
			if err != nil {
				rt.Fatal(err)
			}
			if row.Kind != gate.KindDecision {
				continue
			}
			var body struct{ Call string }
			if err := json.Unmarshal(row.Body, &body); err != nil {
				rt.Fatal(err)
			}
			if row.Erased != erased[body.Call] {
				rt.Fatalf("call %s: erased is %t", body.Call, row.Erased)
			}
			got = append(got, body.Call)
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			rt.Fatalf("read %v, want %v", got, want)
		}
		if v := verified(t, files...); !v.Whole {
			rt.Fatalf("%+v", v.Finding)
		}
	})
}
