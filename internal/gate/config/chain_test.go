package config_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// lists are a drawn file; a nil list is a key that it does not have.
type lists struct {
	Allow []string `json:"allow,omitempty"`
	Deny  []string `json:"deny,omitempty"`
	Ask   []string `json:"ask,omitempty"`
}

func drawLists(draw *rand.Rand) (l lists) {
	for _, list := range []*[]string{&l.Allow, &l.Deny, &l.Ask} {
		rules := []string{"shell:make *", "shell:git *", "shell:git push *", "edit:*", "edit:a/*", "edit:p/a/*", "edit:p/*", "edit:x", "edit:p/*x", "edit:*.go", "edit:?", "edit"}
		for range draw.IntN(4) {
			*list = append(*list, rules[draw.IntN(len(rules))])
		}
	}
	return l
}

func (l lists) policy(t *testing.T) *policy.Policy {
	t.Helper()
	var rules []rule.Rule
	for effect, texts := range map[rule.Effect][]string{rule.Allow: l.Allow, rule.Deny: l.Deny, rule.Ask: l.Ask} {
		for _, text := range texts {
			r, err := rule.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			r.Effect = effect
			rules = append(rules, r)
		}
	}
	return policy.New(policy.DefaultSettings(), rules)
}

// over is what a file that counts in full makes of the global one.
func (l lists) over(global lists) lists {
	if l.Allow == nil {
		l.Allow = global.Allow
	}
	if l.Deny == nil {
		l.Deny = global.Deny
	}
	if l.Ask == nil {
		l.Ask = global.Ask
	}
	return l
}

// runs reports that a call runs unasked under a policy in a project.
func runs(p *policy.Policy, tool, what, cwd, root string) bool {
	field := map[string]string{"bash": "command", "edit": "path", "read": "path"}[tool]
	input, _ := json.Marshal(map[string]string{field: what})
	call := p.Derive(policy.Request{Tool: tool, Input: input, Cwd: cwd, Root: root, OS: runtime.GOOS, Home: "/home/u"})
	v := policy.Evaluate(p, call, nil)
	return v.Effect == policy.Allow || v.Effect == policy.Pass
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// drawnRepository is a checkout with a linked worktree, and rules in some of
// their folders.
type drawnRepository struct {
	main, linked string
	forged       bool // the worktree's link has one side only
	files        map[string]lists
	decided      map[string]bool
}

var folders = []string{"", "p", "p/a"}

func drawRepository(t *testing.T, draw *rand.Rand, dir string) *drawnRepository {
	t.Helper()
	r := &drawnRepository{main: filepath.Join(dir, "main"), linked: filepath.Join(dir, "linked"), forged: draw.IntN(5) == 0,
		files: map[string]lists{}, decided: map[string]bool{}}
	git := filepath.Join(r.main, ".git")
	admin := filepath.Join(git, "worktrees", "w")
	for _, name := range []string{"objects/x", "refs/x", "HEAD"} {
		put(t, filepath.Join(git, name), "x\n")
	}
	put(t, filepath.Join(admin, "commondir"), "../..\n")
	put(t, filepath.Join(r.linked, ".git"), "gitdir: "+admin+"\n")
	back := r.linked
	if r.forged {
		back = filepath.Join(dir, "other")
		put(t, filepath.Join(back, ".git"), "gitdir: "+admin+"\n")
	}
	put(t, filepath.Join(admin, "gitdir"), filepath.Join(back, ".git")+"\n")
	for _, top := range []string{r.main, r.linked} {
		for _, f := range folders {
			folder := filepath.Join(top, f)
			put(t, filepath.Join(folder, "x"), "")
			r.decided[folder] = draw.IntN(2) == 0
			if draw.IntN(2) == 0 {
				r.files[folder] = drawLists(draw)
				text, err := json.Marshal(r.files[folder])
				if err != nil {
					t.Fatal(err)
				}
				put(t, filepath.Join(folder, ".pi", "allowlist-gate.json"), string(text))
			}
		}
	}
	return r
}

// above lists the folders whose files count for a session, nearest first, each
// with the folder that its patterns are relative to.
func (r *drawnRepository) above(top, rel string) (list [][2]string) {
	tops := []string{top}
	if top == r.linked && !r.forged {
		tops = append(tops, r.main)
	}
	for _, from := range tops {
		for i := len(folders) - 1; i >= 0; i-- {
			f := folders[i]
			if f == "" || rel == f || strings.HasPrefix(rel, f+"/") {
				list = append(list, [2]string{filepath.Join(from, f), filepath.Join(top, f)})
			}
		}
	}
	return list
}

// What counts for a session in a subfolder or a worktree lets no call run that
// asked or was blocked before: by the rules of the session's own folder as they
// counted alone, or, where it has none, by those of the nearest file in its own
// folder, once a person trusts that; and each deny and ask rule of every file that
// counts holds for the files that it means.
func TestMoreFilesLoosenNothing(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	draw := rand.New(rand.NewPCG(11, 13))
	let, inherited := 0, 0
	for n := range 150 {
		dir := filepath.Join(dir, fmt.Sprint(n))
		r := drawRepository(t, draw, dir)
		global := drawLists(draw)
		if global.Allow == nil {
			global.Allow = []string{"shell:ls *"} // else the built-in ones count
		}
		agent := filepath.Join(dir, "agent")
		text, _ := json.Marshal(global)
		put(t, filepath.Join(agent, "extensions", "allowlist-gate.json"), string(text))
		top, rel := []string{r.main, r.linked}[draw.IntN(2)], folders[draw.IntN(3)]
		root := filepath.Join(top, rel)
		trust := []policy.Trust{policy.Untrusted, policy.TrustedByHost, policy.TrustedByPerson}[draw.IntN(3)]
		loader := config.NewReader(agent)
		loader.Asked = func(folder string) bool { return r.decided[folder] }
		loader.Decided = func(folder string, _ bool) bool { return r.decided[folder] }
		now := loader.Load(root, trust)

		// The policy by which the session's calls run at most, and where it counts.
		limit, base, counted := global, root, [][2]string{}
		for i, at := range r.above(top, rel) {
			file, found := r.files[at[0]]
			if !found {
				continue
			}
			twin := ""
			if top == r.linked && !r.forged {
				twin = filepath.Join(r.main, strings.TrimPrefix(at[1], top))
			}
			full := trust == policy.TrustedByPerson || trust == policy.TrustedByHost && (r.decided[at[0]] || r.decided[twin])
			if len(counted) == 0 {
				if full {
					limit, base = file.over(global), at[1]
				}
				if full && i > 0 {
					inherited++
				}
			}
			if i > 0 || trust != policy.Untrusted { // a file of its own is not read there
				counted = append(counted, at)
			} else {
				counted = append(counted, [2]string{})
			}
		}
		before := limit.policy(t)
		for _, call := range [][2]string{
			{"bash", "make x"}, {"bash", "git push"}, {"bash", "git status"}, {"bash", "ls"},
			{"edit", "x"}, {"edit", "a/x"}, {"edit", "main.go"}, {"edit", "p/a/x"}, {"edit", "a/b/x.go"}, {"edit", "../x"},
		} {
			tool, what := call[0], call[1]
			if tool == "edit" {
				what = filepath.Join(root, what)
			}
			if !runs(now.Policy, tool, what, root, root) {
				continue
			}
			let++
			if !runs(before, tool, what, root, base) {
				t.Fatalf("layout %d: %q %s in %s (%v) runs by %+v\nand not by %+v in %s\nfiles %+v\ndecided %v, forged %t",
					n, tool, what, root, trust, now.Policy.Rules, limit, base, r.files, r.decided, r.forged)
			}
			for _, at := range counted {
				file := r.files[at[0]]
				file.Allow = []string{"shell:*", "edit:*"}
				if !runs(file.policy(t), tool, what, root, at[1]) && at[0] != "" {
					t.Fatalf("layout %d: %q %s in %s (%v) runs though the file in %s forbids it: %+v", n, tool, what, root, trust, at[0], file)
				}
			}
		}
	}
	if let < 50 || inherited < 15 {
		t.Errorf("%d calls ran, %d projects had rules of another folder: the test tells little", let, inherited)
	}
}
