package gitinfo_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pigate/pigate/internal/gate/gitinfo"
)

// git runs the real git in a folder.
func git(t *testing.T, folder string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example", "-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

// place is a temporary folder without symbolic links.
func place(t *testing.T) string {
	t.Helper()
	real, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return real
}

func repository(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(path, "sub", "deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(path, "sub", "deep", "f"), "x\n")
	git(t, path, "init", "-q")
	git(t, path, "add", ".")
	git(t, path, "commit", "-qm", "x")
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

// expected is what is wanted of a tree.
type expected struct {
	Top, Main, Claimed string
	Others             []string
}

func want(t *testing.T, folder string, tree expected) {
	t.Helper()
	got := gitinfo.TreeOf(folder)
	if got.Top != tree.Top || got.Main != tree.Main || got.Claimed != tree.Claimed || !slices.Equal(got.Others(), tree.Others) {
		t.Errorf("%s:\n got %+v, others %q\nwant %+v", folder, got, got.Others(), tree)
	}
}

func TestTreeOfRealRepositories(t *testing.T) {
	dir := place(t)
	main, one, two := filepath.Join(dir, "main"), filepath.Join(dir, "one"), filepath.Join(dir, "two")
	repository(t, main)
	want(t, main, expected{Top: main, Main: main})
	git(t, main, "worktree", "add", "-q", one)
	git(t, main, "worktree", "add", "-q", two)
	want(t, filepath.Join(main, "sub", "deep"), expected{Top: main, Main: main, Others: []string{one, two}})
	want(t, filepath.Join(one, "sub"), expected{Top: one, Main: main, Others: []string{main, two}})
	want(t, dir, expected{})

	// A submodule is a project of its own, also within a linked worktree.
	lib := filepath.Join(dir, "lib")
	repository(t, lib)
	git(t, one, "submodule", "--quiet", "add", lib, "lib")
	inner := filepath.Join(one, "lib")
	want(t, inner, expected{Top: inner, Main: inner})

	// A submodule's own worktree.
	git(t, main, "submodule", "--quiet", "add", lib, "lib")
	inner, beside := filepath.Join(main, "lib"), filepath.Join(dir, "beside")
	git(t, inner, "worktree", "add", "-q", beside)
	want(t, beside, expected{Top: beside, Main: inner, Others: []string{inner}})
	want(t, inner, expected{Top: inner, Main: inner, Others: []string{beside}})

	// A bare clone has no checkout.
	bare, tree, other := filepath.Join(dir, "bare.git"), filepath.Join(dir, "tree"), filepath.Join(dir, "other")
	git(t, dir, "clone", "-q", "--bare", main, bare)
	git(t, bare, "worktree", "add", "-q", tree, "-b", "t")
	git(t, bare, "worktree", "add", "-q", other, "-b", "o")
	want(t, tree, expected{Top: tree, Others: []string{other}})
	if !gitinfo.TreeOf(tree).Linked() || gitinfo.TreeOf(main).Linked() {
		t.Error("the worktree of a bare repository is linked, a main checkout is not")
	}

	// The worktree that was removed by hand is none any more.
	if err := os.RemoveAll(two); err != nil {
		t.Fatal(err)
	}
	want(t, one, expected{Top: one, Main: main, Others: []string{main}})
}

// A link that only one side knows of gives nothing.
func TestForgedLinks(t *testing.T) {
	dir := place(t)
	main, one, evil := filepath.Join(dir, "main"), filepath.Join(dir, "one"), filepath.Join(dir, "evil")
	repository(t, main)
	git(t, main, "worktree", "add", "-q", one)
	admin := filepath.Join(main, ".git", "worktrees", "one")

	// It names the place of another worktree.
	put(t, filepath.Join(evil, ".git"), "gitdir: "+admin+"\n")
	want(t, evil, expected{Top: evil, Main: evil, Claimed: admin})

	// It has a place of its own, which names the repository as its own.
	fake := filepath.Join(evil, "fake", "worktrees", "one")
	put(t, filepath.Join(fake, "commondir"), filepath.Join(main, ".git")+"\n")
	put(t, filepath.Join(fake, "gitdir"), filepath.Join(evil, ".git")+"\n")
	put(t, filepath.Join(fake, "HEAD"), "ref: refs/heads/x\n")
	put(t, filepath.Join(evil, ".git"), "gitdir: fake/worktrees/one\n")
	want(t, evil, expected{Top: evil, Main: evil, Claimed: fake})

	// A symbolic link leads to the true folder of git.
	linked := filepath.Join(dir, "linked")
	if err := os.Mkdir(linked, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(main, ".git"), filepath.Join(linked, ".git")); err != nil {
		t.Fatal(err)
	}
	want(t, linked, expected{Top: linked, Main: linked})
	if err := os.Remove(filepath.Join(linked, ".git")); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(linked, ".git"), "gitdir: "+filepath.Join(main, ".git")+"\n")
	want(t, linked, expected{Top: linked, Main: linked})

	// One that the file does not name any more.
	put(t, filepath.Join(one, ".git"), "gitdir: "+filepath.Join(dir, "nowhere")+"\n")
	want(t, main, expected{Top: main, Main: main})

	// A folder that merely has the name ends no search.
	if err := os.MkdirAll(filepath.Join(main, "sub", ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	want(t, filepath.Join(main, "sub"), expected{Top: main, Main: main})
}
