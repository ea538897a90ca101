package audit

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/pigate/pigate/internal/gate"
)

// On a file system of another machine there is no write-ahead log, and the
// journal works all the same.
func TestNetworkFileSystem(t *testing.T) {
	was := networked
	networked = func(string) bool { return true }
	t.Cleanup(func() { networked = was })
	path := filepath.Join(t.TempDir(), "journal.db")
	for range 2 {
		j := NewJournal(path, Options{Masker: unmasked})
		for range 300 {
			e := &gate.Entry{Kind: gate.KindWarning, Time: 1, Warning: &gate.Warning{Text: "w"}}
			if _, err := j.Record(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path + logSuffix); !os.IsNotExist(err) {
			t.Errorf("there is a log: %v", err)
		}
	}
	if _, err := Rotate(t.Context(), path, Options{Masker: unmasked}); err != nil {
		t.Fatal(err)
	}
	if seqs, err := Erase(t.Context(), path, EraseOptions{Seqs: []int64{2}}, Options{Masker: unmasked}); err != nil || len(seqs) != 1 {
		t.Fatal(seqs, err)
	}
	files, err := Files(path)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := Verify(t.Context(), VerifyOptions{}, files...); err != nil || !v.Whole || v.Erased != 1 {
		t.Errorf("%+v %+v %v", v, v.Finding, err)
	}
}

// The bytes that docs/journal.md gives as an example.
func TestKnownAnswers(t *testing.T) {
	t.Parallel()
	salt, body := []byte("0123456789abcdef"), []byte(`{"text":"hello"}`)
	commitment := commit(nil, salt, body)
	const pub = `{"kind":"warning","time":1767323045000006}`
	for _, c := range []struct {
		name, got, want string
	}{
		{"commitment", hexOf(commitment), "23bb17aae6edae0a08dd0682d2e2850e98c6f6981b7461809f6f22ca00824d99"},
		{"entry 1", hexOf(hashEntry(nil, 1, 1, genesis[:], []byte(pub), commitment[:])), "9f7e83a6235fcc63f2e954cb5b297da0eda91686688140c47f2ca6d7a6047822"},
		{"entry 2, nothing private", hexOf(hashEntry(nil, 1, 2, commitment[:], []byte(pub), nil)), "ebaeef37b59f304badafeb66c29cd6261f36a2517b9d846ae866a328ac21dfce"},
	} {
		if c.got != c.want {
			t.Errorf("%s is %s, want %s", c.name, c.got, c.want)
		}
	}
}

func hexOf(sum [hashSize]byte) string { return hex.EncodeToString(sum[:]) }
