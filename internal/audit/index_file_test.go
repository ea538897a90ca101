package audit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// worked is a journal with some hundred entries of all kinds.
func worked(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "journal.db")
	j := audit.NewJournal(path, withDurability(audit.Process))
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 200 {
		for _, e := range various(random, i) {
			record(t, j, e)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// seqs are the numbers of what is listed through an index, brought up to date
// where there is one, and whether there was.
func seqs(t *testing.T, path string, f audit.Filter) (list []int64, indexed bool) {
	t.Helper()
	r, err := audit.OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	r.Index(1, 100)
	for row, err := range r.List(t.Context(), f) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, row.Seq)
	}
	return list, r.Indexed(t.Context()) > 0
}

var runs = audit.Filter{Decision: policy.Run, Projects: []string{"/p"}, Match: "git *"}

func scanned(t *testing.T, path string) []int64 {
	t.Helper()
	f := runs
	f.Scan = true
	want, _ := seqs(t, path, f)
	if len(want) < 5 {
		t.Fatalf("only %v to find", want)
	}
	return want
}

// Whatever lies where the index belongs, the answer is right; what is no index of
// this journal is replaced, unless it cannot be one.
func TestIndexIsReplaced(t *testing.T) {
	t.Parallel()
	foreign := filepath.Join(t.TempDir(), "foreign.db")
	mustExec(t, raw(t, foreign), "CREATE TABLE other (x)")
	other := worked(t)
	if _, indexed := seqs(t, other, runs); !indexed {
		t.Fatal("there is no index")
	}
	copied := func(from string) func(string) error {
		return func(to string) error {
			text, err := os.ReadFile(from)
			return errors.Join(err, os.WriteFile(to, text, 0o600))
		}
	}
	for name, c := range map[string]struct {
		put      func(path string) error
		replaced bool
	}{
		"text":              {func(p string) error { return os.WriteFile(p, []byte(strings.Repeat("no database", 1000)), 0o600) }, true},
		"nothing":           {func(p string) error { return os.WriteFile(p, nil, 0o600) }, true},
		"another database":  {copied(foreign), true},
		"another journal's": {copied(other + ".index"), true},
		"an empty folder":   {func(p string) error { return os.Mkdir(p, 0o700) }, true},
		"a folder with files": {func(p string) error {
			return errors.Join(os.Mkdir(p, 0o700), os.WriteFile(filepath.Join(p, "x"), nil, 0o600))
		}, false},
		"a link that leads away":   {func(p string) error { return os.Symlink(foreign, p) }, true},
		"a link that leads astray": {func(p string) error { return os.Symlink(p+".none", p) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			path := worked(t)
			if err := c.put(path + ".index"); err != nil {
				t.Fatal(err)
			}
			got, indexed := seqs(t, path, runs)
			if want := scanned(t, path); !slices.Equal(got, want) || indexed != c.replaced {
				t.Errorf("found %v (indexed: %t), want %v", got, indexed, want)
			}
		})
	}
	if n := query(t, foreign, "SELECT count(*) FROM sqlite_master"); n != "1" {
		t.Error("the file that the link led to was changed")
	}
}

// An index that somebody has tampered with hides rows at most; it never adds one,
// and nothing breaks.
func TestIndexCannotLie(t *testing.T) {
	t.Parallel()
	path := worked(t)
	want := scanned(t, path)
	seqs(t, path, runs)
	for column := range 20 {
		for _, bytes := range []string{"randomblob(length(data))", "zeroblob(length(data))", "x'ff'"} {
			mustExec(t, raw(t, path+".index"), fmt.Sprintf("UPDATE cell SET data = %s WHERE id & 63 = %d", bytes, column))
			got, _ := seqs(t, path, runs)
			for _, seq := range got {
				if !slices.Contains(want, seq) {
					t.Errorf("column %d as %s adds entry %d", column, bytes, seq)
				}
			}
			r, err := audit.OpenReader(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			for _, err := range r.Calls(t.Context(), audit.Filter{}) {
				if err != nil {
					t.Errorf("column %d as %s: %v", column, bytes, err)
				}
			}
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(path + ".index"); err != nil {
				t.Fatal(err)
			}
			if again, _ := seqs(t, path, runs); !slices.Equal(again, want) {
				t.Fatalf("anew: %v, want %v", again, want)
			}
		}
	}
}

// However many rows a block says it has, no more are looked for than it can hold.
func TestIndexOfImpossibleBlocks(t *testing.T) {
	t.Parallel()
	path := worked(t)
	want := scanned(t, path)
	for _, rows := range []string{"-1", "rows + 1", "1 << 61", "1 << 62"} {
		seqs(t, path, runs)
		mustExec(t, raw(t, path+".index"), "UPDATE block SET rows = "+rows)
		if got, _ := seqs(t, path, runs); !slices.Equal(got, want) {
			t.Errorf("with %s rows: found %v, want %v", rows, got, want)
		}
		if err := os.Remove(path + ".index"); err != nil {
			t.Fatal(err)
		}
	}
}

// An index that lost its names is read around: no list fails for it.
func TestIndexWithoutItsNames(t *testing.T) {
	t.Parallel()
	path := worked(t)
	want := scanned(t, path)
	seqs(t, path, runs)
	mustExec(t, raw(t, path+".index"), "DELETE FROM name WHERE id = 1")
	if got, indexed := seqs(t, path, runs); !slices.Equal(got, want) || !indexed {
		t.Errorf("found %v (indexed: %t), want %v", got, indexed, want)
	}
}

// Many may make the index at once, while others append, and none is in another's
// way.
func TestIndexInACrowd(t *testing.T) {
	t.Parallel()
	path := worked(t)
	want := scanned(t, path)
	var crowd sync.WaitGroup
	crowd.Go(func() {
		j := audit.NewJournal(path, withDurability(audit.Process))
		for range 300 {
			if _, err := j.Record(t.Context(), decision("later", "", "git later")); err != nil {
				t.Error(err)
			}
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	for range 4 {
		crowd.Go(func() {
			for range 5 {
				r, err := audit.OpenReader(t.Context(), path)
				if err != nil {
					t.Error(err)
					return
				}
				r.Index(1, 37)
				var got []int64
				for row, err := range r.List(t.Context(), runs) {
					if err != nil {
						t.Error(err)
					} else if row.Session != "later" {
						got = append(got, row.Seq)
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("found %v, want %v", got, want)
				}
				if err := r.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	crowd.Wait()
}

// What was done before Refresh was ended is kept, and the next one goes on.
func TestIndexIsInterrupted(t *testing.T) {
	t.Parallel()
	path := worked(t)
	ctx, cancel := context.WithCancel(t.Context())
	r := reader(t, path)
	r.Index(1, 50)
	r.OnProgress(func(done, _ int64) {
		if done >= 100 {
			cancel()
		}
	})
	if err := r.Refresh(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("it ended with %v", err)
	}
	if n := r.Indexed(t.Context()); n != 100 {
		t.Fatalf("%d entries are indexed, want 100", n)
	}
	var first int64
	r.OnProgress(func(_, total int64) { first = total })
	if err := r.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	last := r.Indexed(t.Context())
	if first != last-100 {
		t.Errorf("it went on with %d of %d entries", first, last)
	}
	if got, _ := seqs(t, path, runs); !slices.Equal(got, scanned(t, path)) {
		t.Errorf("found %v", got)
	}
}

// A journal that is soon read has no index, nor has a copy somewhere.
func TestNoIndex(t *testing.T) {
	t.Parallel()
	path := worked(t)
	r := reader(t, path)
	for range r.List(t.Context(), runs) {
		break
	}
	if _, err := os.Stat(path + ".index"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a small journal has an index: %v", err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	if err := os.WriteFile(copied, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, indexed := seqs(t, copied, runs); indexed || !slices.Equal(got, scanned(t, path)) {
		t.Errorf("found %v in a copy, indexed: %t", got, indexed)
	}
	if _, err := os.Stat(copied + ".index"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a copy has an index: %v", err)
	}
}

// The index goes with the text that is erased, and is nobody else's to read.
func TestIndexIsErased(t *testing.T) {
	t.Parallel()
	path := worked(t)
	seqs(t, path, runs)
	info, err := os.Stat(path + ".index")
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		t.Errorf("its mode is %v", info.Mode())
	}
	if _, err := audit.Erase(t.Context(), path, audit.EraseOptions{Match: "git push"}, audittest.Options()); err != nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(path + ".index*"); err != nil || len(left) > 0 {
		t.Errorf("left: %q, %v", left, err)
	}
	if got, _ := seqs(t, path, runs); !slices.Equal(got, scanned(t, path)) {
		t.Errorf("found %v", got)
	}
}

// An index that comes back from before an erasure, out of a backup, is not
// believed.
func TestIndexFromBeforeAnErasure(t *testing.T) {
	t.Parallel()
	path := worked(t)
	seqs(t, path, runs)
	before, err := os.ReadFile(path + ".index")
	if err != nil {
		t.Fatal(err)
	}
	erased, err := audit.Erase(t.Context(), path, audit.EraseOptions{Match: "git push"}, audittest.Options())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".index", before, 0o600); err != nil {
		t.Fatal(err)
	}
	r := reader(t, path)
	r.Index(1, 100)
	n := 0
	for c, err := range r.Calls(t.Context(), audit.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(erased, c.Seq) {
			n++
			if !c.Erased || len(c.Programs) > 0 || strings.HasPrefix(c.Project, "/") {
				t.Errorf("call %d still tells %+v", c.Seq, c)
			}
		}
	}
	if n == 0 || r.Indexed(t.Context()) == 0 {
		t.Errorf("%d erased calls were seen, %d entries indexed", n, r.Indexed(t.Context()))
	}
}

// However the agent spells a text in JSON, it is found.
func TestIndexFindsAnySpelling(t *testing.T) {
	t.Parallel()
	j := audittest.NewJournal(t)
	want := map[string][]int64{}
	for input, patterns := range map[string][]string{
		`{"command":"git push origin"}`:              {"git push*", "*origin", "g?t*", "*"},
		`{"command":"\u0067it push \u2603"}`:         {"git push*", "*☃", "g?t*", "*"},
		`{"command":"ls a\/b"}`:                      {"*a/b", "*"},
		`{"command":"echo \"quoted\" \\ and\ttabs"}`: {`*"quoted"*`, `*\\*`, "*and\ttabs", "*"},
		"{\"command\":\"echo \u2028 ☃\"}":            {"*☃", "echo \u2028*", "*"},
	} {
		e := decision("s", "", "")
		e.Decision.Input, e.Decision.Resources = json.RawMessage(input), nil
		seq := record(t, j, e)
		for _, p := range patterns {
			want[p] = append(want[p], seq)
		}
	}
	for pattern, wanted := range want {
		for _, scan := range []bool{true, false} {
			got, indexed := seqs(t, j.Path(), audit.Filter{Match: pattern, Kind: gate.KindDecision, Scan: scan})
			if !slices.Equal(got, wanted) || !indexed && !scan {
				t.Errorf("%q finds %v, want %v (scan: %t, indexed: %t)", pattern, got, wanted, scan, indexed)
			}
		}
	}
}

// A file that begins late, since earlier ones were moved away, has an index from
// its first entry on, however many entries are missing.
func TestIndexOfALaterFile(t *testing.T) {
	t.Parallel()
	path := worked(t)
	if _, err := audit.Rotate(t.Context(), path, withDurability(audit.Process)); err != nil {
		t.Fatal(err)
	}
	j := audit.NewJournal(path, withDurability(audit.Process))
	random := rand.New(rand.NewPCG(5, 6))
	for i := range 200 {
		for _, e := range various(random, 1000+i) {
			record(t, j, e)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := audit.Files(path)
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	if err := os.Rename(files[0], filepath.Join(t.TempDir(), "sealed.db")); err != nil {
		t.Fatal(err)
	}
	want := scanned(t, path)
	if got, indexed := seqs(t, path, runs); !indexed || !slices.Equal(got, want) {
		t.Errorf("by the index (%v) %v, want %v", indexed, got, want)
	}
}
