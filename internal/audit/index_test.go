package audit_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// history plays a life of a journal: work, rotations, erasures, and an index made
// at any moment in between.
type history struct {
	rt     *rapid.T
	t      *testing.T
	path   string
	random *rand.Rand
	calls  int
	first  int // the call at which the present session of work began
}

func (h *history) work() {
	j := audit.NewJournal(h.path, withDurability(audit.Process))
	h.first = h.calls
	for range rapid.IntRange(1, 60).Draw(h.rt, "calls") {
		h.calls++
		for _, e := range various(h.random, h.calls) {
			record(h.t, j, e)
		}
		switch h.random.IntN(8) {
		case 0:
			record(h.t, j, imported(h.random, h.calls))
		case 1: // an outcome that comes much later, to a decision that may be indexed
			late := outcome("s"+strconv.Itoa(h.random.IntN(4)), "c"+strconv.Itoa(max(1, h.calls-h.random.IntN(80))), h.random.IntN(2))
			late.Time = begin + int64(h.calls)*1_000_000
			record(h.t, j, late)
		}
	}
	if err := j.Close(); err != nil {
		h.t.Fatal(err)
	}
}

func imported(random *rand.Rand, i int) *gate.Entry {
	return &gate.Entry{Kind: gate.KindImport, Time: begin + int64(i)*1_000_000, Session: "old", Import: &gate.Imported{
		Request: policy.Request{Tool: "bash", Input: json.RawMessage(`{"command":"git log"}`), Cwd: "/p", Root: "/p"},
		Result:  []gate.Result{gate.ResultOK, gate.ResultError, gate.ResultRefused}[random.IntN(3)], Source: "pi", File: "f"}}
}

func (h *history) reader() *audit.Reader {
	files, err := audit.Files(h.path)
	if err != nil {
		h.t.Fatal(err)
	}
	r, err := audit.OpenReader(h.t.Context(), files...)
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

func (h *history) index() {
	r := h.reader()
	r.Index(1, rapid.Int64Range(1, 200).Draw(h.rt, "batch"))
	if err := r.Refresh(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		h.t.Fatal(err)
	}
}

func (h *history) step() {
	switch rapid.SampledFrom([]string{"work", "work", "index", "index", "rotate", "erase", "move away"}).Draw(h.rt, "step") {
	case "work":
		h.work()
	case "index":
		h.index()
	case "rotate":
		if _, err := audit.Rotate(h.t.Context(), h.path, withDurability(audit.Process)); err != nil {
			h.t.Fatal(err)
		}
	case "move away":
		files, err := audit.Files(h.path)
		if err != nil {
			h.t.Fatal(err)
		}
		if len(files) > 1 {
			if err := os.Rename(files[0], filepath.Join(h.t.TempDir(), "sealed.db")); err != nil {
				h.t.Fatal(err)
			}
		}
	case "erase":
		o := audit.EraseOptions{Seqs: []int64{rapid.Int64Range(1, 100).Draw(h.rt, "seq")}, Match: rapid.SampledFrom([]string{"", "rm -rf"}).Draw(h.rt, "match")}
		if _, err := audit.Erase(h.t.Context(), h.path, o, withDurability(audit.Process)); err != nil {
			h.t.Fatal(err)
		}
	}
}

// Whatever happened to a journal and whatever is asked, the index changes no
// answer.
func TestIndexEqualsScan(t *testing.T) {
	t.Parallel()
	dir, lives, used := t.TempDir(), 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		lives++
		h := &history{rt: rt, t: t, path: filepath.Join(dir, strconv.Itoa(lives), "journal.db"),
			random: rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))}
		h.work()
		for range rapid.IntRange(1, 5).Draw(rt, "steps") {
			h.step()
		}
		r := h.reader()
		defer func() { _ = r.Close() }() // it only read
		if r.Indexed(t.Context()) > 0 {
			used++
		}
		for range 8 {
			f := drawFilter(rt)
			f.Imported, f.Calls = rapid.Bool().Draw(rt, "imported"), rapid.Bool().Draw(rt, "calls alone")
			if f.Check() == nil {
				sameRows(rt, r, f)
				sameCalls(rt, r, f)
			}
		}
		sameHistory(rt, r)
	})
	if used < lives/4 {
		t.Errorf("an index was used in %d of %d lives", used, lives)
	}
}

func sameRows(rt *rapid.T, r *audit.Reader, f audit.Filter) {
	list := func(scan bool) (rows []audit.Row) {
		f.Scan = scan
		for row, err := range r.List(rt.Context(), f) {
			if err != nil {
				rt.Fatalf("%+v: %v", f, err)
			}
			rows = append(rows, row)
		}
		return rows
	}
	if diff := cmp.Diff(list(true), list(false)); diff != "" {
		rt.Fatalf("list of %+v: %s", f, diff)
	}
}

// sameCalls compares calls; what is the same call may be named by another one of
// them.
func sameCalls(rt *rapid.T, r *audit.Reader, f audit.Filter) {
	list := func(scan bool) (calls []audit.Call) {
		f.Scan = scan
		subjects, judged := map[int64]int64{}, map[int64]int64{}
		for c, err := range r.Calls(rt.Context(), f) {
			if err != nil {
				rt.Fatalf("%+v: %v", f, err)
			}
			for seen, seq := range map[*map[int64]int64]*int64{&subjects: &c.Subject, &judged: &c.Judged} {
				if _, ok := (*seen)[*seq]; !ok {
					(*seen)[*seq] = c.Seq
				}
				*seq = (*seen)[*seq]
			}
			calls = append(calls, c)
		}
		return calls
	}
	if diff := cmp.Diff(list(true), list(false)); diff != "" {
		rt.Fatalf("calls of %+v: %s", f, diff)
	}
}

// sameHistory compares what is known of every call with counting the decisions.
func sameHistory(rt *rapid.T, r *audit.Reader) {
	want := map[[3]string]*audit.History{}
	inputs := map[[3]string]json.RawMessage{}
	for row, err := range r.List(rt.Context(), audit.Filter{Kind: gate.KindDecision, Scan: true}) {
		if err != nil {
			rt.Fatal(err)
		}
		if row.Erased {
			continue
		}
		key := [3]string{row.Project, row.Tool, policy.Target(row.Tool, row.Input)}
		h := want[key]
		if h == nil {
			h = &audit.History{}
			want[key], inputs[key] = h, row.Input
		}
		switch {
		case row.Decision == policy.Run:
			h.Ran++
			h.LastRan = max(h.LastRan, row.Time)
			if row.Basis == policy.BasisUser {
				h.Approved++
			}
		case row.Answer == gate.AnswerDeny:
			h.Denied++
			h.LastDenied = max(h.LastDenied, row.Time)
		}
	}
	for key, h := range want {
		got, err := r.History(rt.Context(), key[0], key[1], inputs[key])
		if err != nil || got != *h {
			rt.Fatalf("history of %q: %+v, %v, want %+v", key, got, err, *h)
		}
	}
}

// A field of the filter that the index does not know of would be taken for one
// that chooses everything: Calls looks at nothing else. Whoever adds one adds it
// to newChooser and to drawFilter, and then here.
func TestIndexKnowsTheFilter(t *testing.T) {
	t.Parallel()
	known := []string{"Since", "Until", "Session", "Projects", "Tool", "Verdict", "Decision", "Basis", "Answer", "Rule", "Outcome", "Kind", "Match", "Regex",
		"Outside", "Unreviewed", "After", "Imported", "Calls", "Scan", "Limit", "Reverse"}
	var fields []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[audit.Filter]()) {
		fields = append(fields, f.Name)
	}
	if diff := cmp.Diff(known, fields); diff != "" {
		t.Error(diff)
	}
}
