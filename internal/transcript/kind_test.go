package transcript_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/pigate/pigate/internal/transcript"
)

// A file is recognised as one of the program that wrote it, and of no other.
func TestFilesOfAnotherProgram(t *testing.T) {
	for name, of := range map[string]transcript.Source{"pi": transcript.Pi, "pi_v1": transcript.Pi, "claude": transcript.Claude, "codex": transcript.Codex, "codex_2025": transcript.Codex} {
		text, err := os.ReadFile(filepath.Join("testdata", name+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		for _, source := range sources {
			_, _, err := read(t.Context(), bytes.NewReader(text), source)
			var other *transcript.UnrecognisedError
			if errors.As(err, &other) == (source == of) {
				t.Errorf("%s read as one of %s: %v", name, source.Program(), err)
			}
		}
	}
	var other *transcript.UnrecognisedError
	if _, _, err := read(t.Context(), bytes.NewReader(nil), transcript.Pi); !errors.As(err, &other) {
		t.Errorf("an empty file: %v", err)
	}
}

// Codex packs old sessions and moves them into a folder of their own.
func TestSessionsThatCodexPutAway(t *testing.T) {
	home := t.TempDir()
	text, err := os.ReadFile(filepath.Join("testdata", "codex.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	packer, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	packed := packer.EncodeAll(text, nil)
	for name, content := range map[string][]byte{
		"sessions/2026/05/rollout-1.jsonl": text, "sessions/2026/04/rollout-0.jsonl.zst": packed,
		"archived_sessions/rollout-2.jsonl.zst": packed, "archived_sessions/rollout-3.jsonl.zst": packed[:len(packed)/2], "history.jsonl": []byte("{}\n"),
	} {
		path := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, named := range []string{home, filepath.Join(home, "sessions")} {
		files, problems, err := transcript.Find(transcript.Codex, named)
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		var names []string
		for _, f := range files {
			names = append(names, filepath.Base(f.Path))
			if calls, err := unpack(t, f); strings.Contains(f.Path, "rollout-3") {
				if err == nil {
					t.Errorf("%s is cut off, and nothing tells it", f.Path)
				}
			} else if err != nil || len(calls) == 0 {
				t.Errorf("%s: %d calls, %v", f.Path, len(calls), err)
			}
		}
		if want := []string{"rollout-0.jsonl.zst", "rollout-1.jsonl", "rollout-2.jsonl.zst", "rollout-3.jsonl.zst"}; !slices.Equal(names, want) {
			t.Errorf("in %s are %q, want %q", named, names, want)
		}
	}
}

func unpack(t *testing.T, f transcript.File) ([]transcript.Call, error) {
	t.Helper()
	in, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	text, err := f.Text(in)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = text.Close() }()
	calls, _, err := read(t.Context(), io.Reader(text), f.Source)
	return calls, err
}
