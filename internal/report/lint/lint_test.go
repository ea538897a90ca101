package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/report/lint"
)

// place is a project on Linux.
var place = policy.Request{Cwd: "/home/u/p", Root: "/home/u/p", OS: "linux", Home: "/home/u",
	Installation: policy.Installation{AgentDir: "/home/u/.pi/agent", Journal: "/home/u/.pi/agent/pigate/journal.db"}}

// policy reads rules, "+ " in front of those that allow and "- " of those that
// deny; the line is the number of the rule.
func policyFor(t testing.TB, rules ...string) *policy.Policy {
	t.Helper()
	var list []rule.Rule
	for i, text := range rules {
		r, err := rule.Parse(text[2:])
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		r.Effect, r.File, r.Line = rule.Allow, "f", i+1
		if text[0] == '-' {
			r.Effect = rule.Deny
		}
		list = append(list, r)
	}
	return policy.New(policy.DefaultSettings(), list)
}

// TestRules gives for some rules what is found, "LINE KIND" with what to write
// instead.
func TestRules(t *testing.T) {
	for _, c := range []struct{ rules, want []string }{
		{[]string{"+ shell:git status *", "+ shell:npm test", "+ edit:src/*", "+ mcp:docs-server", "+ my_tool", "- shell:rm -rf *", "- edit:.env*", "- edit:/etc/*", "- read"}, nil},

		{[]string{"+ Shell:ls"}, []string{"1 never-matches shell"}},
		{[]string{"+ bash:ls *"}, []string{"1 never-matches shell:ls *"}},
		{[]string{"+ my_tool:x*"}, []string{"1 never-matches my_tool"}},
		{[]string{"+ shell:ls  -l"}, []string{"1 never-matches shell:ls -l"}},
		{[]string{"+ shell:cd x && make *"}, []string{"1 never-matches"}},
		{[]string{"+ shell:ls | wc"}, []string{"1 never-matches"}},
		{[]string{`+ shell:echo "a && b"`, `+ shell:grep 'a|b' *`, "+ shell:echo x > f"}, nil},
		{[]string{`+ shell:echo "x`}, []string{"1 never-matches"}},
		{[]string{"+ edit:docs/"}, []string{"1 never-matches edit:docs/*"}},
		{[]string{"+ edit:/etc/*", "+ edit:~/x", "+ edit:../y", "- edit:../y", "- edit:~/x/*"}, []string{"1 never-matches", "2 never-matches", "3 never-matches", "4 never-matches"}},
		{[]string{"+ edit:.pi/allowlist-gate.json", "+ edit:.git/hooks/*", "- edit:.git/hooks/*"}, []string{"1 never-matches", "2 never-matches"}},
		{[]string{"+ mcp:a__b:c", "+ mcp:a_", "+ mcp:a*", "- mcp:x.-:y"}, []string{"1 never-matches", "2 never-matches", "3 wide", "4 never-matches"}},
		{[]string{"+ read", "+ Write", "+ Read", "- read"}, []string{"1 never-matches", "2 never-matches write", "3 never-matches read"}},
		{[]string{"+ Bash(tree:*)", "+ Edit(./src/**)", "- Read(./x)"}, []string{"1 foreign shell:tree *", "2 foreign edit:src/*", "3 foreign"}},

		{[]string{"+ shell:git\u00a0push", "- shell:rm \u200b*", "+ edit:\u202esrc/*", "+ shell:caf\u00e9 \u65e5\u672c", "+ shell:ls *\u3164"},
			[]string{"1 hidden-characters shell:git push", "2 hidden-characters shell:rm *", "3 hidden-characters edit:src/*", "5 hidden-characters shell:ls *"}},
		{[]string{"+ shell:wget -q *", "+ shell:psql -d app *", "+ shell:cp a *", "+ shell:mvn -q *", "+ shell:ls -l *", "+ shell:git log --oneline *"},
			[]string{"1 wide", "2 wide", "3 wide", "4 wide"}},

		{[]string{"+ shell:done", "+ shell:then make *", "+ shell:for *", "+ shell:do mv a b", "+ shell:}"},
			[]string{"1 fragment", "2 fragment shell:make *", "3 fragment", "4 fragment shell:mv a b", "5 fragment"}},

		{[]string{"+ shell:yarn test:api*", "+ shell:yarn test*"}, []string{"1 shadowed"}},
		{[]string{"+ shell:git *", "+ shell:git", "+ shell:git push", "+ shell:git *"}, []string{"1 wide", "2 shadowed", "3 shadowed", "4 shadowed"}},
		{[]string{"+ edit:src/*", "+ edit:src/a.ts", "+ mcp:gh", "+ mcp:gh:read_*", "+ edit", "+ write"}, []string{"1 shadowed", "2 shadowed", "4 shadowed", "5 wide", "6 shadowed"}},
		{[]string{"+ mcp:gh:*", "+ mcp:gh", "+ mcp__gh__x"}, []string{"2 collides", "3 shadowed"}},
		// arguments narrow an allow rule; in a deny rule `*` names nothing
		{[]string{"+ my_tool(a=x*)", "+ my_tool(a=xy,b=1)", "+ my_tool(a=*)", "+ my_tool(c=1)"}, []string{"1 shadowed", "2 shadowed"}},
		{[]string{"+ my_tool", "+ my_tool(a=1)", "+ mcp:gh:*(a=1)", "+ mcp:gh:read_x(a=1,b=2)", "+ mcp__gh__read_y(a=1)"}, []string{"2 shadowed", "4 shadowed", "5 shadowed"}},
		{[]string{"- my_tool(a=*)", "+ my_tool(b=1)", "- my_tool(a=1)", "+ grep(a=1)"}, []string{"2 denied", "3 shadowed", "4 never-matches"}},
		{[]string{"- my_tool(a=1)", "+ my_tool", "+ my_tool(b=1)"}, []string{"3 shadowed"}},
		// a rule that names a guarded flag does what the other does not
		{[]string{"+ shell:find *", "+ shell:find * -delete", "+ shell:find . -name x", "+ shell:find . -delete"}, []string{"2 star-before-literal", "3 shadowed", "4 shadowed"}},
		// one without wildcards allows what is run, too
		{[]string{"+ shell:xargs *", "+ shell:xargs rm"}, []string{"1 wrapper"}},
		{[]string{"- shell:rm *", "- shell:rm -rf *", "- shell:rm -rf /"}, []string{"2 shadowed", "3 shadowed"}},
		{[]string{"- shell:rm *-rf*", "- shell:rm -rf *"}, []string{"1 glued-star shell:rm -rf *"}},
		{[]string{"- shell:git push *-f*", "- shell:git fetch * --depth*", "- shell:git *--force"}, []string{"1 glued-star shell:git push -f *", "3 glued-star shell:git --force *"}},
		{[]string{"- shell:rm -rf", "- shell:yarn", "- shell:npm publish", "- shell:git push --force", "- shell:reboot"},
			[]string{"1 stops-little shell:rm -rf *", "2 stops-little shell:yarn *", "3 stops-little shell:npm publish *", "4 stops-little shell:git push --force *", "5 stops-little shell:reboot *"}},
		{[]string{"- shell:git push origin main", "- shell:rm -rf *", "- shell:rm -rf", "- edit:.env"}, []string{"3 shadowed"}},
		{[]string{"+ shell:rm build/*", "+ shell:sort src/*", "+ shell:mytool ./x/*", "+ shell:mytool ./x *", "+ shell:touch a/b*"},
			[]string{"1 reaches-further", "3 reaches-further", "5 reaches-further"}},
		{[]string{"+ shell:rm build/*", "- shell:rm *..*"}, nil},
		{[]string{"+ shell:g\u0456t log *", "- shell:\u0440\u0435\u0440 *", "+ shell:echo \u0442\u0435\u0441\u0442", "- shell:\uff47it push *"},
			[]string{"1 hidden-characters shell:git log *", "2 hidden-characters shell:pep *", "4 hidden-characters shell:git push *"}},
		{[]string{"- shell:git push --force *", "- shell:git push *"}, []string{"1 shadowed"}},

		{[]string{"+ shell:rm -rf build", "- shell:rm -rf *", "+ shell:rm *"}, []string{"1 denied", "3 wide"}},
		{[]string{"+ edit:.env", "- edit:*.env*", "+ edit:*"}, []string{"1 denied", "3 wide"}},
		{[]string{"+ shell:ls *", "- shell"}, []string{"1 denied"}},
		{[]string{"+ mcp:gh:delete-*", "- mcp:gh", "+ bash", "- shell:rm *"}, []string{"1 denied", "3 wide"}},

		{[]string{"+ mcp:docs-server", "+ mcp:docs_server", "- mcp:docs.server:x-y", "- mcp:docs-server:x.y"}, []string{"2 collides", "4 collides"}},
		{[]string{"+ mcp:docs-server:x", "- mcp:docs_server:x"}, []string{"1 denied", "2 collides"}},

		{[]string{"+ shell:git * main", "- shell:git * main"}, []string{"1 denied"}},
		{[]string{"+ shell:git * main"}, []string{"1 wide", "1 star-before-literal"}},
		{[]string{"+ shell:* --help"}, []string{"1 star-before-literal"}},
		// what a deny rule stops is no reason for alarm
		{[]string{"+ shell:wc * all", "- shell:wc * -x*"}, nil},
		{[]string{"+ shell:truncate *", "- shell:truncate -s*"}, nil},
		{[]string{"+ shell:rm -rf build"}, nil},
		{[]string{"+ shell:ls *.ts"}, []string{`1 unescaped-wildcard shell:ls \*.ts`}},
		{[]string{`+ shell:ls \*.ts`, "+ shell:ls src/*", "- shell:ls *.js"}, nil},
		{[]string{"+ shell:curl http://x/?a=b"}, []string{`1 unescaped-wildcard shell:curl http://x/\?a=b`}},

		{[]string{"+ shell:sudo *", "+ shell:env *", "+ shell:bash -c *", "+ shell:timeout 5 make *", "+ shell:xargs sed *"},
			[]string{"1 wrapper", "2 wrapper", "3 wrapper", "4 wrapper shell:make *", "5 wrapper shell:sed *"}},
		{[]string{"+ shell:xargs sed *", "+ shell:sed *", "+ shell:npx tsc *"}, nil},
		{[]string{"+ shell:python -c *", "+ shell:node -e *", "+ shell:python3 x.py *"}, []string{"1 wide", "2 wide"}},
		{[]string{"+ shell:sudo *", "- shell:sudo *"}, []string{"1 denied"}},
	} {
		var got []string
		for _, f := range lint.Rules(policyFor(t, c.rules...), place) {
			got = append(got, strings.TrimSpace(fmt.Sprint(f.Line, " ", f.Kind, " ", f.Instead)))
			if f.Text == "" || f.Advice == "" || f.File != "f" || f.Rule != c.rules[f.Line-1][2:] {
				t.Errorf("%q: %+v", c.rules, f)
			}
		}
		if strings.Join(got, "; ") != strings.Join(c.want, "; ") {
			t.Errorf("%q\n got %q\nwant %q", c.rules, got, c.want)
		}
	}
}
