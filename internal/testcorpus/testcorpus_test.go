package testcorpus_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/testcorpus"
)

// ended is how a recorder's test ended.
type ended string

// recorder is a test that says how it ended instead of ending.
type recorder struct{ testing.TB }

func (r recorder) Skipf(format string, args ...any) {
	panic(ended("skipped: " + fmt.Sprintf(format, args...)))
}
func (r recorder) Fatalf(format string, args ...any) {
	panic(ended("failed: " + fmt.Sprintf(format, args...)))
}

// outcome is "path: …", "skipped: …" or "failed: …".
func outcome(t *testing.T, name string) (how string) {
	defer func() {
		if end := recover(); end != nil {
			how = string(end.(ended))
		}
	}()
	return "path: " + testcorpus.Path(recorder{t}, name)
}

// A corpus that is missing lets no test pass: it is skipped on a clone, and
// fails where the corpora have to be.
func TestPathOfWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "there.jsonl"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ named, ci, name, want string }{
		{"", "", "no-such-corpus.jsonl", "skipped: "},
		{"", "false", "no-such-corpus.jsonl", "skipped: "},
		{"", "true", "no-such-corpus.jsonl", "failed: "},
		{"", "1", "no-such-corpus.jsonl", "failed: "},
		{dir, "", "no-such-corpus.jsonl", "failed: "},
		{dir, "true", "no-such-corpus.jsonl", "failed: "},
		{filepath.Join(dir, "none"), "", "there.jsonl", "failed: "},
		{dir, "", "there.jsonl", "path: " + filepath.Join(dir, "there.jsonl")},
		{dir, "true", ".", "path: " + dir},
	} {
		t.Setenv("PIGATE_CASES", tt.named)
		t.Setenv("CI", tt.ci)
		if got := outcome(t, tt.name); !strings.HasPrefix(got, tt.want) {
			t.Errorf("PIGATE_CASES=%s CI=%s, %s: %s, want %s", tt.named, tt.ci, tt.name, got, tt.want)
		}
	}
}
