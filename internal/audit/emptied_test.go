package audit_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
)

// A journal that was emptied or deleted beside its checkpoints is no error but a
// finding; without checkpoints it is none.
func TestEmptiedJournal(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]func(t *testing.T, path string){
		"emptied": func(t *testing.T, path string) { remove(t, path, path+"-wal", path+"-shm"); write(t, path, "") },
		"deleted": func(t *testing.T, path string) { remove(t, path, path+"-wal", path+"-shm") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "journal.db")
			if err := session(t, path); err != nil {
				t.Fatal(err)
			}
			harm(t, path)
			if v := verified(t, path); v.Whole || v.Finding.Kind != audit.CutTail {
				t.Errorf("%+v %+v", v, v.Finding)
			}
			remove(t, path+".checkpoints")
			if _, err := audit.Verify(t.Context(), audit.VerifyOptions{}, path); err == nil {
				t.Error("what is not there was verified")
			}
		})
	}
}

// A bit that makes the version of the schema negative is found, by who verifies
// and by who appends.
func TestNegativeSchema(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	if err := session(t, path); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte{0x80}, 60); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if v := verified(t, path); v.Whole || v.Finding.Kind != audit.Damaged {
		t.Errorf("%+v %+v", v, v.Finding)
	}
	_, err = audit.NewJournal(path, audittest.Options()).Record(t.Context(), decision("s", "c", "x"))
	told(t, err, path, "damaged")
	_, err = audit.Rotate(t.Context(), path, audittest.Options())
	told(t, err, path, "damaged")
}
