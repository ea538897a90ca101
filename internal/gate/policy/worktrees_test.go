package policy

import (
	"testing"

	"pgregory.net/rapid"
)

// With worktrees inside, a file of another worktree is judged as the same file of
// the project, in which Pi and git keep the same files; without, nothing lets it be
// edited unasked, and no other verdict differs.
func TestWorktreesInside(t *testing.T) {
	files := rapid.SampledFrom([]string{"a", "src/a", "src/b/c.go", ".env", "docs/x", ".pi/settings.json", ".pi/x", ".git/config", ".git", "sub/.pi/allowlist-gate.json", "sub/.git/hooks/x"})
	rules := rapid.SliceOfN(rapid.SampledFrom([]string{"+edit:*", "+edit:src/*", "+edit:docs/*", "+edit:.*", "-edit:.env", "-edit:src/b/*", "-edit:*.go", "?edit:docs/*", "?edit:a", "+edit"}), 0, 5)
	ran := 0
	rapid.Check(t, func(rt *rapid.T) {
		s := DefaultSettings()
		list := append(rules.Draw(rt, "rules"), "+shell:rm *")
		outside := policyWith(t, s, list...)
		s.InsideWorktrees = true
		inside := policyWith(t, s, list...)
		file := files.Draw(rt, "file")
		judge := func(p *Policy, tool, prefix string) Effect {
			req := edit(prefix + file)
			if tool == "bash" {
				req = bash("rm " + prefix + file)
			}
			req.Checkout = Checkout{Top: "/home/u/proj", Worktrees: []string{"/srv/fix", "/srv/pr"}}
			return Evaluate(p, p.Derive(req), nil).Effect
		}
		for _, tool := range []string{"edit", "bash"} {
			own := judge(inside, tool, "/home/u/proj/")
			if other := judge(inside, tool, "/srv/pr/"); other != own {
				rt.Fatalf("%s of %s under %q: %s here, %s in the other worktree", tool, file, list, own, other)
			}
			if was := judge(outside, tool, "/home/u/proj/"); was != own {
				rt.Fatalf("%s of %s under %q: the setting makes it %s, was %s", tool, file, list, own, was)
			}
			if own == Allow {
				ran++
			}
			for _, p := range []*Policy{inside, outside} {
				if away := judge(p, tool, "/srv/third/"); away != Ask && away != Deny {
					rt.Fatalf("%s of %s in a folder of nobody is %s", tool, file, away)
				}
			}
			if away := judge(outside, tool, "/srv/pr/"); away != Ask && away != Deny {
				rt.Fatalf("%s of %s in the other worktree is %s without the setting", tool, file, away)
			}
		}
	})
	if ran < 20 {
		t.Errorf("only %d calls were allowed: the test tells little", ran)
	}
}
