package audit_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
)

// session records one call and returns what closing said.
func session(t *testing.T, path string) error {
	t.Helper()
	j := audit.NewJournal(path, audittest.Options())
	record(t, j, decision("s", "c", "x"))
	return j.Close()
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A checkpoint that was written in part, wherever it was cut, spoils neither the
// one before nor the one after it. A changed one is found.
func TestTornCheckpoint(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	outside := path + ".checkpoints"
	check := func(what string, whole bool) {
		t.Helper()
		v := verified(t, path)
		if v.Whole != whole || whole && v.Checkpoints < 2 || !whole && v.Finding.Kind != audit.BadSignature {
			t.Errorf("%s: %+v %+v", what, v, v.Finding)
		}
	}
	if err := session(t, path); err != nil {
		t.Fatal(err)
	}
	before := readText(t, outside)
	if err := session(t, path); err != nil {
		t.Fatal(err)
	}
	second := strings.TrimPrefix(readText(t, outside), before)
	if err := session(t, path); err != nil {
		t.Fatal(err)
	}
	third := strings.TrimPrefix(readText(t, outside), before+second)
	for cut := 1; cut < len(second); cut++ {
		// Once glued to the next, as older versions did.
		write(t, outside, before+second[:cut]+third)
		if cut < strings.Index(second, "\u2014") { // after that it is read as one long signature
			check("glued", true)
		}
		write(t, outside, before+second[:cut])
		check("torn", true)
		if cut%23 == 0 || cut == len(second)-1 {
			if err := session(t, path); err != nil {
				t.Fatal(err)
			}
			check("torn, and another session", true)
			if n := strings.Count(readText(t, outside), "\u2014 pigate"); n < 2 {
				t.Errorf("cut at %d: %d signatures", cut, n)
			}
		}
	}
	for at := range second {
		if second[at] == '\n' || strings.ContainsRune("\u2014 ", rune(second[at])) || second[at] >= 0x80 {
			continue
		}
		write(t, outside, before+second[:at]+"#"+second[at+1:]+third)
		check("changed", false)
	}
}

// A checkpoint that cannot be published is told of.
func TestUnpublishedCheckpoint(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	if err := os.Mkdir(path+".checkpoints", 0o700); err != nil {
		t.Fatal(err)
	}
	err := session(t, path)
	told(t, err, path, ".checkpoints")
	remove(t, path+".checkpoints")
	if err := session(t, path); err != nil {
		t.Fatal(err)
	}
	if v := verified(t, path); !v.Whole {
		t.Errorf("%+v", v.Finding)
	}
}
