package importer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/importer"
	"github.com/pigate/pigate/internal/testcorpus"
	"github.com/pigate/pigate/internal/transcript"
)

// BenchmarkImport imports session files into an empty journal, secrets looked
// for and all: generated ones, in which the outputs of the tools are most of the
// text as in real ones; and the recorded ones beside the checkout, which have no
// outputs.
func BenchmarkImport(b *testing.B) {
	b.Run("generated", func(b *testing.B) { benchmarkImport(b, writeSessions(b, 8, 500)) })
	b.Run("recorded-without-outputs", func(b *testing.B) { benchmarkImport(b, testcorpus.Path(b, "sessions")) })
}

func benchmarkImport(b *testing.B, dir string) {
	files, problems, err := transcript.Find(transcript.Pi, dir)
	if err != nil || len(problems) > 0 {
		b.Fatal(err, problems)
	}
	var size int64
	for _, f := range files {
		size += f.Size
	}
	b.SetBytes(size)
	var s importer.Summary
	for b.Loop() {
		s, err = importer.Run(context.Background(), files, importer.Options{Journal: filepath.Join(b.TempDir(), "journal.db"), Audit: audit.Options{}, Home: "/home/u"})
		if err != nil || s.Added == 0 {
			b.Fatal(s, err)
		}
	}
	b.ReportMetric(float64(s.Added)*float64(b.N)/b.Elapsed().Seconds(), "calls/s")
}

// writeSessions writes session files of Pi with so many calls each, every fifth
// command one that came before.
func writeSessions(tb testing.TB, count, calls int) string {
	tb.Helper()
	dir := tb.TempDir()
	output := strings.Repeat("ok  	example.com/shop/cart	0.012s \"cached\"\n", 100)
	for n := range count {
		var b strings.Builder
		line := func(value map[string]any) {
			text, err := json.Marshal(value)
			if err != nil {
				tb.Fatal(err)
			}
			b.Write(append(text, '\n'))
		}
		line(map[string]any{"type": "session", "version": 3, "id": fmt.Sprintf("s%d", n), "timestamp": "2026-03-01T09:00:00.000Z", "cwd": "/home/u/shop"})
		for i := range calls {
			at, id := fmt.Sprintf("2026-03-01T09:%02d:%02d.000Z", i/60%60, i%60), fmt.Sprintf("toolu_01%022d", n*calls+i)
			command := fmt.Sprintf("cd pkg/part%d && go test -run 'Test%d' ./... 2>&1 | tail -20", i%(calls/5), i%(calls/5*4))
			line(map[string]any{"type": "message", "id": fmt.Sprintf("a%d", i), "timestamp": at, "message": map[string]any{"role": "assistant",
				"content": []any{map[string]any{"type": "text", "text": "Now the tests of the next part."},
					map[string]any{"type": "toolCall", "id": id, "name": "bash", "arguments": map[string]any{"command": command}}}}})
			line(map[string]any{"type": "message", "id": fmt.Sprintf("b%d", i), "timestamp": at, "message": map[string]any{"role": "toolResult", "toolCallId": id,
				"toolName": "bash", "content": []any{map[string]any{"type": "text", "text": output}}, "isError": false, "durationMs": 12}})
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("2026-03-01_s%d.jsonl", n)), []byte(b.String()), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return dir
}
