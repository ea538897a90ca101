package audit_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// verified verifies files with what lies beside them.
func verified(t testing.TB, paths ...string) audit.Verification {
	t.Helper()
	v, err := audit.Verify(t.Context(), audit.VerifyOptions{}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// closed is the path of a closed journal of 20 decisions, each with an outcome.
func closed(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "journal.db")
	j := audit.NewJournal(path, audittest.Options())
	for i := range 20 {
		call := string(rune('a' + i))
		record(t, j, decision("s", call, "command "+call))
		record(t, j, outcome("s", call, i%2))
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestVerifyWhole(t *testing.T) {
	t.Parallel()
	path := closed(t)
	v := verified(t, path)
	if !v.Whole || v.Entries != 41 || v.Last != 41 || v.Signed != 40 || v.Outside != 40 || v.Checkpoints != 2 {
		t.Errorf("%+v %+v", v, v.Finding)
	}
	j := open(t, path)
	record(t, j, decision("s", "live", "x"))
	if v := verified(t, path); !v.Whole || v.Entries != 42 || v.Signed != 40 {
		t.Errorf("live: %+v %+v", v, v.Finding)
	}
}

func TestRotate(t *testing.T) {
	t.Parallel()
	path := closed(t)
	j := open(t, path)
	record(t, j, decision("s", "before", "x"))
	sealed, err := audit.Rotate(t.Context(), path, audittest.Options())
	if err != nil {
		t.Fatal(err)
	}
	if want := path + ".0001"; sealed != want {
		t.Errorf("sealed file %s, want %s", sealed, want)
	}
	// Who had it open goes on with the new file, and loses nothing.
	record(t, j, outcome("s", "before", 0))
	record(t, j, decision("s", "after", "x"))
	if _, err := audit.Rotate(t.Context(), path, audittest.Options()); err != nil {
		t.Fatal(err)
	}
	record(t, j, decision("s", "last", "x"))
	files, err := audit.Files(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{path + ".0001", path + ".0002", path}, files); diff != "" {
		t.Error(diff)
	}
	if v := verified(t, files...); !v.Whole || v.First != 1 {
		t.Errorf("%+v %+v", v, v.Finding)
	}
	if v := verified(t, path); !v.Whole {
		t.Errorf("the last alone: %+v", v.Finding)
	}
	r, err := audit.OpenReader(t.Context(), files...)
	if err != nil {
		t.Fatal(err)
	}
	var rows []audit.Row
	for row, err := range r.List(t.Context(), audit.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if row.Kind == gate.KindDecision || row.Kind == gate.KindOutcome || row.Kind == gate.KindGap {
			rows = append(rows, row)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 23 || rows[20].Outcome != "ok" {
		t.Errorf("%d rows: %s", len(rows), summary(rows[20:]))
	}
	mustFail(t, path+".0001", `INSERT INTO entry (seq, version, prev, hash, pub) SELECT seq + 1, 1, hash, hash, '{"kind":"warning","time":1}' FROM entry ORDER BY seq DESC LIMIT 1`)
}

func mustFail(t *testing.T, path, statement string) {
	t.Helper()
	if _, err := raw(t, path).ExecContext(t.Context(), statement); err == nil {
		t.Errorf("accepted: %s", statement)
	}
}

func TestErase(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	j := open(t, path)
	record(t, j, decision("s", "a", "echo hunter2hunter2"))
	record(t, j, decision("s", "b", "echo harmless"))
	if _, err := audit.Rotate(t.Context(), path, audittest.Options()); err != nil {
		t.Fatal(err)
	}
	record(t, j, decision("s", "c", `echo "hunter2hunter2"`))
	seqs, err := audit.Erase(t.Context(), path, audit.EraseOptions{Match: "hunter2hunter2", Reason: "leaked", User: "me"}, audittest.Options())
	if err != nil {
		t.Fatal(err)
	}
	if len(seqs) != 2 {
		t.Errorf("erased %v", seqs)
	}
	files, err := audit.Files(path)
	if err != nil {
		t.Fatal(err)
	}
	if v := verified(t, files...); !v.Whole || v.Erased != 2 {
		t.Errorf("%+v %+v", v, v.Finding)
	}
	for _, name := range everything(t, filepath.Dir(path)) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("hunter2")) {
			t.Errorf("%s holds the text still", name)
		}
	}
	rows := decisions(audittest.Rows(t, path+".0001"))
	if !rows[0].Erased || string(rows[0].Input) != "null" || rows[0].Decision != policy.Run || len(rows[0].Reasons) != 1 || rows[1].Erased {
		t.Errorf("%s", summary(rows))
	}
	if seqs, err := audit.Erase(t.Context(), path, audit.EraseOptions{Match: "hunter2hunter2"}, audittest.Options()); err != nil || len(seqs) > 0 {
		t.Errorf("again: %v %v", seqs, err)
	}
	record(t, j, decision("s", "d", "goes on"))
	// Text that is gone without a word is found.
	mustExec(t, raw(t, path), `UPDATE entry SET salt = NULL, body = NULL WHERE seq = (SELECT max(seq) FROM entry)`)
	if v := verified(t, files...); v.Whole || v.Finding.Kind != audit.Undeclared {
		t.Errorf("%+v", v.Finding)
	}
}

// everything are the files in a folder.
func everything(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		names = append(names, filepath.Join(dir, f.Name()))
	}
	return names
}

func TestExport(t *testing.T) {
	t.Parallel()
	path := closed(t)
	for name, o := range map[string]audit.ExportOptions{
		"full": {}, "public": {Public: true}, "session": {Session: "s"}, "range": {From: 5, To: 9}, "nothing": {Session: "none"},
	} {
		var out bytes.Buffer
		n, err := audit.Export(t.Context(), &out, o, path)
		if err != nil {
			t.Fatal(err)
		}
		if want := map[string]int64{"full": 41, "public": 41, "session": 40, "range": 5}[name]; n != want {
			t.Errorf("%s: %d entries, want %d", name, n, want)
		}
		if private := strings.Contains(out.String(), "command a"); private != (name == "full" || name == "session") {
			t.Errorf("%s: private text: %t", name, private)
		}
		file := filepath.Join(t.TempDir(), "export.jsonl")
		if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		if v := verified(t, file); !v.Whole || v.Entries != n || v.Partial != (n < 41) {
			t.Errorf("%s: %+v %+v", name, v, v.Finding)
		}
		if n == 0 {
			continue
		}
		forged := strings.Replace(out.String(), `\"decision\":\"run\"`, `\"decision\":\"fun\"`, 1)
		if err := os.WriteFile(file, []byte(forged), 0o600); err != nil {
			t.Fatal(err)
		}
		if v := verified(t, file); v.Whole || v.Finding.Kind != audit.Changed {
			t.Errorf("%s, forged: %+v", name, v.Finding)
		}
	}
}
