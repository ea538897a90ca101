package shell_test

import (
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell"
)

// benchCommands are the sizes of command that agents run: a short one, a
// compound one and one of 2 KB.
var benchCommands = []struct{ name, Text string }{
	{"short", "git status"},
	{"compound", `cd /home/u/proj && git -C sub log --oneline -n 20 2>&1 | grep -E "fix|feat" | head -n 5; for f in *.go; do wc -l "$f"; done && echo "done: $(date +%s)" || { echo failed >&2; exit 1; }`},
	{"2KB", strings.TrimSuffix(strings.Repeat(`grep -rn "needle" --include='*.go' internal/ | sort -u | head -n 20 && ls -la cmd; `, 25), "; ")},
	{"2KB-heredoc", "cat <<'EOF'\n" + strings.Repeat("some text that is data, with 'quotes' and $(dollars)\n", 38) + "EOF"},
}

func BenchmarkBash(b *testing.B) {
	for _, c := range benchCommands {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				shell.Bash(c.Text)
			}
		})
	}
}

// BenchmarkParse is the parser alone on the same texts, the parser reused.
func BenchmarkParse(b *testing.B) {
	for _, c := range benchCommands {
		b.Run(c.name, func(b *testing.B) {
			p, r := syntax.NewParser(), strings.NewReader("")
			b.ReportAllocs()
			for b.Loop() {
				r.Reset(c.Text)
				if _, err := p.Parse(r, ""); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
