package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/gate/links"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/wire"
)

// nowhere records nothing.
type nowhere struct{}

func (nowhere) Record(context.Context, *gate.Entry) (int64, error) { return 1, nil }
func (nowhere) Missed(*gate.Entry, error)                          {}
func (nowhere) Policy(context.Context, string, []byte) error       { return nil }

func (nowhere) Approved(context.Context, string, string, string) (found, same bool, err error) {
	return false, false, nil
}

// benchGuard is a guard with its configuration on disk: count allow rules in the
// project's file.
func benchGuard(b *testing.B, count int, recorder gate.Recorder) (*gate.Guard, policy.Request) {
	b.Helper()
	agent, project := b.TempDir(), b.TempDir()
	rulesText := make([]string, count)
	for i := range rulesText {
		rulesText[i] = fmt.Sprintf(`"shell:tool-%d run *"`, i)
	}
	rulesText[count/2] = `"shell:git status *"`
	if err := os.MkdirAll(filepath.Join(project, ".pi"), 0o700); err != nil {
		b.Fatal(err)
	}
	body := `{"allow": [` + strings.Join(rulesText, ",\n") + `]}`
	if err := os.WriteFile(filepath.Join(project, ".pi", "allowlist-gate.json"), []byte(body), 0o600); err != nil {
		b.Fatal(err)
	}
	server := &wire.Server{}
	g := &gate.Guard{Rules: rules{loader: config.NewLoader(agent)}, Asker: server.Asker(), Recorder: recorder, Links: links.Resolve, Now: time.Now}
	req := policy.Request{Session: "s", Call: "c", Tool: "bash", Input: []byte(`{"command":"git status --short"}`), Cwd: project, Root: project,
		Trusted: true, Approved: true, OS: "linux", Home: "/home/u"}
	return g, req
}

// BenchmarkDecision is a decision inside Go: both files re-read, the command
// parsed, the rules evaluated; without a journal and with one.
func BenchmarkDecision(b *testing.B) {
	journal := func(d audit.Durability) func(b *testing.B) gate.Recorder {
		return func(b *testing.B) gate.Recorder {
			j := audit.NewJournal(filepath.Join(b.TempDir(), "journal.db"), audit.Options{Durability: d})
			b.Cleanup(func() {
				if err := j.Close(); err != nil {
					b.Error(err)
				}
			})
			return j
		}
	}
	for _, recorder := range []struct {
		name string
		open func(b *testing.B) gate.Recorder
	}{
		{"no-journal", func(*testing.B) gate.Recorder { return nowhere{} }},
		{"journal-process", journal(audit.Process)},
		{"journal-power", journal(audit.Power)},
	} {
		for _, count := range []int{20, 100, 10000} {
			b.Run(fmt.Sprintf("%s/rules-%d", recorder.name, count), func(b *testing.B) {
				g, req := benchGuard(b, count, recorder.open(b))
				b.ReportAllocs()
				for b.Loop() {
					if r := g.Decide(b.Context(), req); r.Action != policy.Run {
						b.Fatalf("ruling = %+v", r)
					}
				}
			})
		}
	}
}
