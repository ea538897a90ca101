package suggest_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/report/suggest"
)

func TestWiderRulesAreSafeEnough(t *testing.T) {
	tests := []struct {
		tool, target string
		deny, exact  []string
		want         []string
	}{
		{"bash", "git push origin main", nil, []string{"shell:git push origin main"}, []string{"shell:git push origin * but git push origin HEAD:refs/heads/production"}},
		{"bash", "git push origin main", []string{"shell:git push *"}, []string{"shell:git push origin main"}, nil},
		{"bash", "npm run build && go test ./...", nil, []string{"shell:npm run build", "shell:go test ./..."}, []string{"shell:npm run build *", "shell:go test *"}},
		{"bash", "rm -rf build", nil, []string{"shell:rm -rf build"}, nil},
		{"bash", "python -c 'x'", nil, []string{"shell:python -c 'x'"}, nil},
		{"bash", "curl https://example.com/x", nil, []string{"shell:curl https://example.com/x"}, []string{"shell:curl https://example.com/x *"}},
		{"bash", "ls > f", nil, nil, nil},
		{"edit", "src/app/a.ts", nil, []string{"edit:src/app/a.ts"}, []string{"edit:src/app/*.ts"}},
		{"edit", "package.json", nil, []string{"edit:package.json"}, nil},
		{"edit", ".github/workflows/ci.yml", nil, []string{"edit:.github/workflows/ci.yml"}, nil},
		{"bash", "git commit -m x && git push", nil, []string{"shell:git commit -m x", "shell:git push"}, []string{"shell:git commit -m *", "shell:git commit *", "shell:git push * but git push --no-verify"}},
		{"mcp__a__b", "x", nil, []string{"mcp:a:b"}, nil},
	}
	for _, tt := range tests {
		field := map[string]string{"bash": "command", "edit": "path"}[tt.tool]
		input, err := json.Marshal(map[string]string{field: tt.target})
		if err != nil {
			t.Fatal(err)
		}
		var rules []rule.Rule
		for _, line := range tt.deny {
			r, err := rule.Parse(line)
			if err != nil {
				t.Fatal(err)
			}
			r.Effect = rule.Deny
			rules = append(rules, r)
		}
		p := policy.New(policy.DefaultSettings(), rules)
		c := policy.Derive(policy.Request{Tool: tt.tool, Input: input, Cwd: "/home/u/p", Root: "/home/u/p", Trusted: true, HasUI: true, OS: "linux", Home: "/home/u"})
		var got []string
		for _, w := range suggest.Wider(p, c, nil, tt.exact) {
			if w.But != "" {
				w.Rule += " but " + w.But
			}
			got = append(got, w.Rule)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s %s: %q, want %q", tt.tool, tt.target, got, tt.want)
		}
	}
}
