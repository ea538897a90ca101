// Package checkout tells which folders belong together for a session that begins
// in one of them: those above it in the same working tree of git, the main
// checkout that a linked worktree stands for, and the other worktrees. It reads
// git's files and runs nothing.
package checkout

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pigate/pigate/internal/fileid"
	"github.com/pigate/pigate/internal/gate/gitinfo"
	"github.com/pigate/pigate/internal/gate/policy"
)

// Folder is a folder that may hold configuration for the session.
type Folder struct {
	// Path is where it is, without symbolic links.
	Path string
	// Rel is the path, with slashes, of the session's folder in the folder that
	// this one stands for; "" when they are the same.
	Rel string
	// Base are the spellings of the folder that this one stands for: itself or, of
	// the main checkout, the one in the linked worktree.
	Base []string
	// Main reports a folder of the main checkout of a linked worktree, Twin the
	// folder there that stands for this one, "" for none.
	Main bool
	Twin string
}

// Layout is what belongs to a session that begins in a folder.
type Layout struct {
	gitinfo.Tree
	// Own is the session's folder itself.
	Own Folder
	// Above are the further folders that may hold its configuration, nearest first:
	// those above it in its working tree, and then those of the main checkout.
	Above []Folder
	// Beyond are the folders above the working tree up to the outermost repository
	// that holds it, nearest first. What denies or asks there counts here too: anybody
	// can make a repository within another, and an agent as well.
	Beyond []Folder
	rel    string // of the session's folder in its working tree
}

// Around looks around the absolute folder in which a session begins.
func Around(root string) Layout {
	l := Layout{Tree: gitinfo.TreeOf(root), Own: Folder{Path: root, Base: []string{root}}}
	if l.Top == "" {
		return l
	}
	rel, err := filepath.Rel(l.Top, l.Folder)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return Layout{Own: l.Own}
	}
	l.rel = rel
	twins := l.Linked() && l.Main != ""
	if twins {
		l.Own.Twin = filepath.Join(l.Main, rel)
	}
	var mains []Folder
	for up, name := "", rel; ; name = filepath.Dir(name) {
		f := Folder{Path: filepath.Join(l.Top, name), Rel: filepath.ToSlash(up)}
		f.Base = spellings(root, f.Path, up)
		if twins {
			f.Twin = filepath.Join(l.Main, name)
			mains = append(mains, Folder{Path: f.Twin, Rel: f.Rel, Base: f.Base, Main: true})
		}
		if up != "" {
			l.Above = append(l.Above, f)
		}
		if name == "." {
			break
		}
		up = filepath.Join(filepath.Base(name), up)
	}
	l.Above = append(l.Above, mains...)
	l.Beyond = l.enclosing(root)
	return l
}

// enclosing lists the folders of Beyond.
func (l Layout) enclosing(root string) (list []Folder) {
	for top := l.Top; top != filepath.Dir(top); {
		outer := gitinfo.TreeOf(filepath.Dir(top)).Top
		if outer == "" {
			return list
		}
		for path := filepath.Dir(top); ; path = filepath.Dir(path) {
			up, err := filepath.Rel(path, l.Folder)
			if err != nil || len(path) < len(outer) {
				return list
			}
			if !slices.ContainsFunc(l.Above, func(f Folder) bool { return f.Path == path }) {
				list = append(list, Folder{Path: path, Rel: filepath.ToSlash(up), Base: spellings(root, path, up)})
			}
			if path == outer {
				break
			}
		}
		top = outer
	}
	return list
}

// spellings are a folder as it is without links, and as it is reached by the
// session's.
func spellings(root, real, rel string) []string {
	list := []string{real}
	lexical := filepath.Clean(root)
	if rel != "" {
		cut, ok := strings.CutSuffix(lexical, string(filepath.Separator)+rel)
		if !ok {
			return list
		}
		lexical = cut
	}
	if lexical != real && lexical != "" {
		list = append(list, lexical)
	}
	return list
}

// Home is the folder in which a first file of configuration is made: that of the
// session or, in a linked worktree, the top of the main checkout.
func (l Layout) Home() Folder {
	if n := len(l.Above); n > 0 && l.Above[n-1].Main {
		return l.Above[n-1]
	}
	return l.Own
}

// Same are the session's folder and the same folder in each other working tree of
// its repository, the former first. Some need not exist.
func (l Layout) Same() []string {
	list := []string{l.Own.Path}
	for _, top := range l.Others() {
		list = append(list, filepath.Join(top, l.rel))
	}
	return list
}

// Finder makes layouts the facts of requests, and remembers the worktrees of each
// repository while it neither gets nor loses one. The zero Finder is ready; it may
// be used by several goroutines.
type Finder struct {
	mu    sync.Mutex
	known map[string]knownTrees // by the session's folder
}

type knownTrees struct {
	tree  gitinfo.Tree
	list  fileid.ID
	trees []string
}

// Checkout is what belongs to the project of an absolute folder, in the words of a
// request.
func (f *Finder) Checkout(root string) policy.Checkout {
	l := Around(root)
	c := policy.Checkout{Top: l.Top}
	for _, above := range l.Above {
		c.Configured = append(c.Configured, above.Path)
	}
	if list := l.List(); list != "" {
		c.Worktrees = f.worktrees(l, list)
	}
	return c
}

func (f *Finder) worktrees(l Layout, list string) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if k, ok := f.known[l.Own.Path]; ok && k.tree == l.Tree && k.list.Same(list) {
		return slices.Clone(k.trees)
	}
	if f.known == nil {
		f.known = map[string]knownTrees{}
	}
	k := knownTrees{tree: l.Tree, list: fileid.Of(list, time.Now()), trees: l.Same()[1:]}
	f.known[l.Own.Path] = k
	return slices.Clone(k.trees)
}

// Stray is a folder whose configuration does not count for the session.
type Stray struct {
	Path string
	// Why is why it does not count, in words.
	Why string
}

// Strays are folders nearby whose configuration does not count though a person
// could think so: other worktrees, and folders above the repository.
func (l Layout) Strays() (list []Stray) {
	add := func(path, why string) { list = append(list, Stray{path, why}) }
	for _, top := range l.Others() {
		if top != l.Main {
			add(top, "it is another worktree's")
		}
	}
	if l.Claimed != "" {
		if at, _, ok := strings.Cut(l.Claimed, string(filepath.Separator)+".git"+string(filepath.Separator)+"worktrees"+string(filepath.Separator)); ok {
			add(at, "the file .git here claims that repository, which does not name this folder as its worktree")
		}
	}
	from, why := l.Top, "it lies above the repository of this folder"
	if from == "" {
		from, why = l.Folder, "no git repository holds both folders"
	}
	counts := func(path string) bool {
		return slices.ContainsFunc(slices.Concat(l.Above, l.Beyond), func(f Folder) bool { return f.Path == path })
	}
	for from != "" && from != filepath.Dir(from) {
		if from = filepath.Dir(from); !counts(from) && !slices.ContainsFunc(list, func(s Stray) bool { return s.Path == from }) {
			add(from, why)
		}
	}
	return list
}

// Exists reports that something is at a path below a folder.
func Exists(folder, rel string) bool {
	_, err := os.Lstat(filepath.Join(folder, filepath.FromSlash(rel)))
	return err == nil
}
