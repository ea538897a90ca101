package transcript_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/transcript"
)

var update = flag.Bool("update", false, "write what is read into the golden files")

// told is a file in one line for each call and each broken line.
func told(t *testing.T, path string, source transcript.Source) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var b strings.Builder
	for c, err := range transcript.Read(t.Context(), f, source, filepath.Base(path)) {
		var broken *transcript.BrokenError
		if errors.As(err, &broken) {
			fmt.Fprintf(&b, "broken %v\n", err)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%d %s %s %s %s %s", c.Place.Line, c.Session, c.ID, c.Tool, c.Input, c.Cwd)
		for _, extra := range []struct {
			name string
			is   bool
		}{{" user", c.User}, {" copied", c.Copied}, {" root=" + c.Root, c.Root != c.Cwd}, {" parent=" + c.Parent, c.Parent != ""}} {
			if extra.is {
				b.WriteString(extra.name)
			}
		}
		fmt.Fprintf(&b, " %d → %q\n", c.Time, c.Result)
	}
	return b.String()
}

// TestGolden reads a small file of each kind, with all that may stand in it.
func TestGolden(t *testing.T) {
	for name, source := range map[string]transcript.Source{
		"pi": transcript.Pi, "pi_v1": transcript.Pi, "claude": transcript.Claude, "codex": transcript.Codex, "codex_2025": transcript.Codex,
	} {
		t.Run(name, func(t *testing.T) {
			got := told(t, filepath.Join("testdata", name+".jsonl"), source)
			golden := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("reads\n%s\nwant\n%s", got, want)
			}
		})
	}
}
