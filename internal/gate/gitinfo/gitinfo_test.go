package gitinfo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLook(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	git := filepath.Join(root, ".git")
	write(t, filepath.Join(git, "HEAD"), "ref: refs/heads/feature/x\n")
	write(t, filepath.Join(git, "config"), "[core]\n\turl = no\n[remote \"fork\"]\n\turl = https://a:b@fork.example/r\n"+
		"[remote \"origin\"]\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n\turl = https://me:s3cret@host.example:8443/r.git?token=x#y\n")
	sub := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{root, sub} {
		if remote, branch := Look(folder); remote != "https://host.example:8443/r.git" || branch != "feature/x" {
			t.Errorf("%s: %q %q", folder, remote, branch)
		}
	}
	// A linked worktree has its own HEAD and the configuration of the checkout.
	tree := filepath.Join(t.TempDir(), "tree")
	own := filepath.Join(git, "worktrees", "tree")
	write(t, filepath.Join(tree, ".git"), "gitdir: "+own+"\n")
	write(t, filepath.Join(own, "HEAD"), strings.Repeat("ab", 20)+"\n")
	write(t, filepath.Join(own, "commondir"), "../..\n")
	if remote, branch := Look(tree); remote != "https://host.example:8443/r.git" || branch != strings.Repeat("ab", 20) {
		t.Errorf("worktree: %q %q", remote, branch)
	}
	if remote, branch := Look(filepath.Join(t.TempDir(), "missing")); remote != "" || branch != "" {
		t.Errorf("outside: %q %q", remote, branch)
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"git@github.com:o/r.git":              "github.com:o/r.git",
		"ssh://git:pw@host/r":                 "ssh://host/r",
		"https://ghp_token@github.com/o/r":    "https://github.com/o/r",
		"https://user:p%40ss@h/r?a=b":         "https://h/r",
		"/srv/git/r.git":                      "/srv/git/r.git",
		"https://h/%zz":                       "",
		"user:pass@host:path":                 "host:path",
		"https://x-access-token:t@h/o/r.git#": "https://h/o/r.git",
	} {
		if got := clean(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}
