package redact

import (
	"strings"
	"testing"
)

// texts are what the benchmarks mask.
func texts(tb testing.TB) map[string]string {
	everything := strings.Join(lines(tb, "lookalikes.txt"), "\n")
	var secrets []string
	for _, line := range lines(tb, "secrets.txt") {
		text, _ := marked(line)
		secrets = append(secrets, text)
	}
	all := strings.Join(secrets, "\n")
	return map[string]string{
		"command":       "go test ./internal/audit/... -run TestAppend -count=1 2>&1 | tail -20",
		"with-a-secret": "docker run -d -e POSTGRES_PASSWORD=ynZRpl6qmfEdp1IV -p 5432:5432 postgres:16",
		"100KB":         strings.Repeat(everything+"\n", 1+100<<10/len(everything))[:100<<10],
		"1MB":           strings.Repeat(everything+"\n", 1+1<<20/len(everything))[:1<<20],
		"1MB-secrets":   strings.Repeat(all+"\n", 1+1<<20/len(all))[:1<<20],
		"1MB-log":       strings.Repeat("2026-01-02T03:04:05Z INFO handled GET /v1/items/42 status=200 took=3.1ms user=bob\n", 1+1<<20/82)[:1<<20],
	}
}

func BenchmarkText(b *testing.B) {
	m := New([]byte("a key"))
	for name, text := range texts(b) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := m.Text(b.Context(), text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
