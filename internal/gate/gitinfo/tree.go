package gitinfo

import (
	"bufio"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// maxTrees is how many working trees of a repository are looked at.
const maxTrees = 64

// Tree is the working tree of git around a folder. All its paths are absolute and
// without symbolic links.
type Tree struct {
	// Folder is the folder itself, "" where it does not exist.
	Folder string
	// Top is the uppermost folder of the working tree; "" outside of any.
	Top string
	// Main is the top of the main checkout of the same repository: Top itself for
	// one that is no linked worktree, and "" where the repository has none.
	Main string
	// Common is the folder of git that all working trees of the repository share; ""
	// where git's files do not say that Top is one of them.
	Common string
	// Claimed is the folder of git that the file .git names though that folder does
	// not name this working tree; it is not believed then, and Main is Top.
	Claimed string
}

// Linked reports a worktree that was linked to a repository elsewhere.
func (t Tree) Linked() bool { return t.Top != "" && t.Main != t.Top }

// TreeOf finds the working tree around a folder by git's own files, and runs
// nothing. A linked worktree is believed only when both sides say so: its file
// .git names a folder below "worktrees" in a repository, and the file gitdir there
// names that file. So nobody gains the place of another repository's worktree
// without writing into that repository.
func TreeOf(folder string) Tree {
	real, err := filepath.EvalSymlinks(folder)
	if err != nil || !filepath.IsAbs(real) {
		return Tree{}
	}
	t := treeAbove(real)
	t.Folder = real
	return t
}

// treeAbove is TreeOf for a folder without symbolic links.
func treeAbove(real string) Tree {
	for {
		path := filepath.Join(real, ".git")
		info, err := os.Lstat(path)
		switch {
		case err != nil:
		case info.Mode().IsRegular():
			return pointed(real, path)
		default: // a folder, or a link to one
			if git, err := filepath.EvalSymlinks(path); err == nil && isGit(git) {
				t := Tree{Top: real, Main: real}
				if same(git, path) { // else the folder is another's
					t.Common = git
				}
				return t
			}
		}
		parent := filepath.Dir(real)
		if parent == real {
			return Tree{}
		}
		real = parent
	}
}

// pointed is the tree whose .git is a file: a linked worktree, a submodule, or a
// repository that keeps git's files elsewhere.
func pointed(top, path string) Tree {
	own := Tree{Top: top, Main: top}
	git := named(path, top)
	if git == "" {
		return own
	}
	text := strings.TrimSpace(read(filepath.Join(git, "commondir")))
	if text == "" {
		if isGit(git) && same(mainOf(git), top) {
			own.Common = git
		}
		return own
	}
	common, err := filepath.EvalSymlinks(join(git, text))
	if err != nil || !isGit(common) || !same(filepath.Dir(git), filepath.Join(common, "worktrees")) || !same(back(git), path) {
		own.Claimed = git
		return own
	}
	return Tree{Top: top, Main: mainOf(common), Common: common}
}

// Others are the tops of the other working trees of the repository, that of the
// main checkout first.
func (t Tree) Others() (list []string) {
	if t.Common == "" {
		return nil
	}
	if t.Linked() && t.Main != "" {
		list = append(list, t.Main)
	}
	return append(list, linked(t.Common, t.Top)...)
}

// List is the folder whose entries change when the repository gets or loses a
// worktree; "" where Others are none.
func (t Tree) List() string {
	if t.Common == "" {
		return ""
	}
	return filepath.Join(t.Common, "worktrees")
}

// named is the folder that a file .git names, without symbolic links; "" when it
// names none that exists.
func named(path, top string) string {
	to, ok := strings.CutPrefix(strings.TrimSpace(read(path)), "gitdir: ")
	if !ok {
		return ""
	}
	real, err := filepath.EvalSymlinks(join(top, to))
	if err != nil {
		return ""
	}
	return real
}

// back is the file .git that the administrative folder of a worktree names, its
// folder without symbolic links; "" when there is none.
func back(git string) string {
	text := strings.TrimSpace(read(filepath.Join(git, "gitdir")))
	if text == "" {
		return ""
	}
	path := join(git, text)
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil || filepath.Base(path) != ".git" {
		return ""
	}
	return filepath.Join(dir, ".git")
}

// linked are the tops of the linked worktrees of a repository, but for one, whose
// two sides name each other.
func linked(common, but string) (list []string) {
	dir, err := os.Open(filepath.Join(common, "worktrees"))
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }() // it only read
	names, _ := dir.Readdirnames(maxTrees)
	slices.Sort(names)
	for _, name := range names {
		git := filepath.Join(common, "worktrees", name)
		path := back(git)
		if path == "" {
			continue
		}
		top := filepath.Dir(path)
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && !same(top, but) && same(named(path, top), git) {
			list = append(list, top)
		}
	}
	return list
}

// mainOf is the top of the main checkout of a repository; "" for a bare one.
func mainOf(common string) string {
	bare, elsewhere := false, ""
	for _, file := range []string{"config", "config.worktree"} {
		b, e := core(read(filepath.Join(common, file)))
		bare, elsewhere = bare || b, elsewhere+e
	}
	switch {
	case bare:
		return ""
	case elsewhere != "": // a submodule's
		top, err := filepath.EvalSymlinks(join(common, elsewhere))
		if err == nil && same(named(filepath.Join(top, ".git"), top), common) {
			return top
		}
		return ""
	case filepath.Base(common) == ".git":
		return filepath.Dir(common)
	}
	return ""
}

// core reads what a configuration says of the working tree.
func core(config string) (bare bool, worktree string) {
	section := ""
	for lines := bufio.NewScanner(strings.NewReader(config)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			section = strings.ToLower(line)
			continue
		}
		name, value, _ := strings.Cut(line, "=")
		value = strings.Trim(strings.TrimSpace(value), `"`)
		switch {
		case section != "[core]":
		case strings.EqualFold(strings.TrimSpace(name), "bare"):
			bare = strings.EqualFold(value, "true") || value == "" || value == "1" || strings.EqualFold(value, "yes") || strings.EqualFold(value, "on")
		case strings.EqualFold(strings.TrimSpace(name), "worktree"):
			worktree = value
		}
	}
	return bare, worktree
}

// isGit reports a folder that git would take for one of its own.
func isGit(dir string) bool {
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	_, err := os.Lstat(filepath.Join(dir, "HEAD"))
	return err == nil
}

// same compares two paths without symbolic links.
func same(a, b string) bool {
	return a != "" && b != "" && (a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b))
}
