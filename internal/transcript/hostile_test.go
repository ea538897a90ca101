package transcript_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/pigate/pigate/internal/transcript"
)

var sources = []transcript.Source{transcript.Pi, transcript.Claude, transcript.Codex}

// good is a call as each program writes it.
var good = map[transcript.Source]string{
	transcript.Pi:     `{"type":"message","timestamp":"2026-03-01T09:00:01.000Z","message":{"role":"assistant","content":[{"type":"toolCall","id":"1","name":"bash","arguments":{"command":"ls"}}]}}`,
	transcript.Claude: `{"type":"assistant","timestamp":"2026-03-01T09:00:01.000Z","message":{"content":[{"type":"tool_use","id":"1","name":"Bash","input":{"command":"ls"}}]}}`,
	transcript.Codex:  `{"timestamp":"2026-03-01T09:00:01.000Z","type":"response_item","payload":{"type":"function_call","name":"shell_command","arguments":"{\"command\":\"ls\"}","call_id":"1"}}`,
}

// read reads all of r. Errors other than broken lines are returned.
func read(ctx context.Context, r io.Reader, source transcript.Source) (calls []transcript.Call, broken []string, err error) {
	for c, e := range transcript.Read(ctx, r, source, "f") {
		var b *transcript.BrokenError
		switch {
		case errors.As(e, &b):
			broken = append(broken, b.Error())
		case e != nil:
			err = e
		default:
			calls = append(calls, c)
		}
	}
	return calls, broken, err
}

// TestBrokenLines wants each line that cannot be understood to be named, and the
// good one after it to be read.
func TestBrokenLines(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"toolCall":`, 20_000) + "1" + strings.Repeat("}", 20_000)
	for name, line := range map[string]string{
		"cut off":  good[transcript.Pi][:60],
		"binary":   "\x00\x01\x02\xff\xfe",
		"NUL":      "{\"a\":\"\x00\"}",
		"deep":     deep,
		"a list":   `[{"type":"toolCall"}]`,
		"two":      `{} {}`,
		"too long": `{"toolCall":"` + strings.Repeat("a", 65<<20) + `"}`,
	} {
		for _, source := range sources {
			calls, broken, err := read(t.Context(), strings.NewReader("\n"+line+"\r\n"+good[source]), source)
			if err != nil || len(calls) != 1 || len(broken) != 1 || !strings.HasPrefix(broken[0], "f:2: the line is ") {
				t.Errorf("%s, %s: %d calls, broken %q, %v; want 1 call and line 2 to be broken", source, name, len(calls), broken, err)
			}
		}
	}
}

// TestReadingFails wants what was read before the disk failed, and then the
// failure.
func TestReadingFails(t *testing.T) {
	t.Parallel()
	failure := errors.New("the disk fails")
	for _, source := range sources {
		r := io.MultiReader(strings.NewReader(good[source]+"\n"), iotest.ErrReader(failure))
		calls, broken, err := read(t.Context(), r, source)
		if !errors.Is(err, failure) || len(calls) != 1 || len(broken) != 0 {
			t.Errorf("%s: %d calls, broken %q, %v", source, len(calls), broken, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := read(ctx, strings.NewReader(good[transcript.Pi]), transcript.Pi); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want that it was cancelled", err)
	}
	if _, _, err := read(t.Context(), strings.NewReader(""), "vim"); err == nil {
		t.Error("an unknown program has no files")
	}
}

// TestUnansweredCalls wants all calls of a file that answers none, with the
// oldest handed out before the end.
func TestUnansweredCalls(t *testing.T) {
	t.Parallel()
	const count = 10_000
	for _, source := range sources {
		var b bytes.Buffer
		for i := range count {
			b.WriteString(strings.NewReplacer(`"id":"1"`, fmt.Sprintf(`"id":"%d"`, i), `"call_id":"1"`, fmt.Sprintf(`"call_id":"%d"`, i)).Replace(good[source]) + "\n")
		}
		seen := map[string]bool{}
		left := 0 // lines that were not read when the first call came
		for c, err := range transcript.Read(t.Context(), &b, source, "f") {
			if err != nil {
				t.Fatal(err)
			}
			if len(seen) == 0 {
				left = count - c.Place.Line
			}
			seen[c.ID] = true
		}
		if len(seen) != count || left == 0 {
			t.Errorf("%s: %d calls, want %d", source, len(seen), count)
		}
	}
}

// TestFind wants the files in the order of their names, whatever their folders.
func TestFind(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a/2026-03.jsonl", "b/2026-01.jsonl", "a/b/2026-02.jsonl", "a/notes.txt"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, problems, err := transcript.Find(transcript.Pi, dir)
	if err != nil || len(problems) > 0 || len(files) != 3 {
		t.Fatal(files, problems, err)
	}
	for i, f := range files {
		if want := fmt.Sprintf("2026-%02d.jsonl", i+1); filepath.Base(f.Path) != want || f.Size != 2 || f.Source != transcript.Pi {
			t.Errorf("file %d is %+v, want %s", i, f, want)
		}
	}
	one, _, err := transcript.Find(transcript.Codex, filepath.Join(dir, "a", "notes.txt"))
	if err != nil || len(one) != 1 || one[0].Source != transcript.Codex {
		t.Error("a file that is named is taken, whatever it is called:", one, err)
	}
	if _, _, err := transcript.Find(transcript.Pi, filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// FuzzRead wants no panic, places that are in the file, and of every call what
// an entry needs.
func FuzzRead(f *testing.F) {
	for i, name := range []string{"pi", "pi_v1", "claude", "codex", "codex_2025"} {
		text, err := os.ReadFile(filepath.Join("testdata", name+".jsonl"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, uint8(i))
	}
	f.Fuzz(func(t *testing.T, text []byte, n uint8) {
		calls, _, err := read(t.Context(), bytes.NewReader(text), sources[int(n)%len(sources)])
		var other *transcript.UnrecognisedError
		if errors.As(err, &other) && len(calls) > 0 {
			t.Errorf("%d calls were read, and %v", len(calls), err)
		} else if err != nil && !errors.As(err, &other) {
			t.Fatal(err)
		}
		for _, c := range calls {
			if c.Tool == "" || c.Time <= 0 || c.Place.Line < 1 || c.Place.Line > bytes.Count(text, []byte("\n"))+1 {
				t.Errorf("%+v", c)
			}
		}
	})
}
