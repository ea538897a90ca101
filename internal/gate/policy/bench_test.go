package policy

import (
	"fmt"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/catalog"
)

// benchCommands are a short, a compound and a 2 KB command.
var benchCommands = []struct{ name, text string }{
	{"short", "git status --short"},
	{"compound", `cd src && git diff --stat HEAD~1 | head -n 20; for f in *.go; do grep -n "needle" "$f" || echo "none in $f"; done`},
	{"2KB", "cat <<'EOF' | git commit -F -\n" + strings.Repeat("a line of the message, as agents write them\n", 46) + "EOF"},
}

func benchPolicy(b *testing.B, count int) *Policy {
	rules := []string{"+shell:git *", "+shell:cd *", "+shell:head *", "+shell:grep *", "+shell:echo *", "+shell:cat *", "-shell:rm -rf *", "-shell:git push *"}
	for i := len(rules); i < count; i++ {
		rules = append(rules, fmt.Sprintf("+shell:tool-%d run *", i))
	}
	return policyOf(b, rules...)
}

// BenchmarkVerdict is the whole verdict (parse, analysis, rules) beside the bare
// parse of the same text.
func BenchmarkVerdict(b *testing.B) {
	for _, c := range benchCommands {
		b.Run(c.name+"/bare-parse", func(b *testing.B) {
			parser := syntax.NewParser(syntax.Variant(syntax.LangBash))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := parser.Parse(strings.NewReader(c.text), ""); err != nil {
					b.Fatal(err)
				}
			}
		})
		req := bash(c.text) // with an installation whose files are protected
		for _, count := range []int{100, 10000} {
			policy := benchPolicy(b, count)
			b.Run(fmt.Sprintf("%s/rules-%d", c.name, count), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					call := &Call{Request: req, Scope: "shell"}
					call.analyse(c.text, catalog.Default())
					if v := Evaluate(policy, call, nil); v.Effect != Allow {
						b.Fatalf("verdict = %+v", v)
					}
				}
			})
		}
	}
}
