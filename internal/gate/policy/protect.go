package policy

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/paths"
	"github.com/pigate/pigate/internal/gate/touch"
)

// Installation says where pigate and Pi keep their files; both are absolute.
type Installation struct {
	// AgentDir is Pi's folder (~/.pi/agent), Journal the journal's file.
	AgentDir string `json:"agent_dir"`
	Journal  string `json:"journal"`
	// Organisation is the organisation's file, "" in entries from before there was
	// one.
	Organisation string `json:"organisation,omitempty"`
}

// protectedNames are what an edit may only touch when the person says so, in
// Pi's folder and in the project's .pi: the files by which Pi is told what to
// load and what to trust, the packages that it loads, and pigate's own folder.
var protectedNames = []string{"settings.json", "mcp.json", "trust.json", "extensions", "npm", "git", "pigate", "allowlist-gate.json"}

// piFolder is the folder of Pi in a project.
const piFolder = ".pi"

// gitFolder is the folder of a repository, wherever it stands.
const gitFolder = ".git"

// gitNames are the files in a folder of git by which it is told to run programs;
// a wildcard of an edit rule never means them. The folders of submodules and of
// further working trees hold files of the same names.
var gitNames = []string{"config", "config.worktree", "commondir", "hooks"}

// gitLink is the file by which a repository names a worktree, which gives that
// the repository's rules.
const gitLink = "gitdir"

// gitInner are the folders in a folder of git that hold others like it, by name.
var gitInner = []string{"modules", "worktrees"}

// gitDeep is how many names of a submodule, which may hold slashes, are looked at.
const gitDeep = 12

// journalSuffixes make the names of the files that stand beside a journal.
var journalSuffixes = []string{"", "-wal", "-shm", "-journal", ".lock", ".key", ".pub", ".checkpoints", ".index", ".index-wal", ".index-shm"}

// kept is a file or folder that the gate keeps for itself, for Pi or for git.
type kept struct {
	path string // absolute, with forward slashes
	// anchor is the index of the name in it by which it is known; see
	// touch.Path.Within.
	anchor int
}

// kept lists the files and folders that the gate keeps for itself and for Pi:
// writing to one asks whatever the allowlist says.
func (r Request) kept() []kept {
	at, root := r.place(), r.ProjectRoot()
	list := make([]kept, 0, 2*len(protectedNames)+len(gitNames)+len(journalSuffixes))
	if agent := paths.Slash(r.Installation.AgentDir, at); r.Installation.AgentDir != "" {
		anchor := slices.Index(strings.Split(strings.Trim(agent, "/"), "/"), ".pi")
		if anchor < 0 {
			anchor = touch.Depth(agent) - 1
		}
		for _, name := range protectedNames {
			list = append(list, kept{agent + "/" + name, anchor})
		}
	}
	for _, folder := range append([]string{root}, r.Checkout.Configured...) {
		folder = paths.Slash(folder, at)
		for _, name := range protectedNames {
			list = append(list, kept{folder + "/" + piFolder + "/" + name, touch.Depth(folder)})
		}
	}
	anchor := touch.Depth(root)
	for _, name := range gitNames {
		list = append(list, kept{root + "/" + gitFolder + "/" + name, anchor})
	}
	if r.Installation.Journal != "" {
		journal := paths.Slash(r.Installation.Journal, at)
		for _, suffix := range journalSuffixes {
			list = append(list, kept{journal + suffix, max(touch.Depth(journal)-2, 0)})
		}
	}
	if r.Installation.Organisation != "" {
		file := paths.Slash(r.Installation.Organisation, at)
		list = append(list, kept{file, max(touch.Depth(file)-2, 0)})
	}
	return list
}

// protects says whether an action on the path, with that reach, may change a file
// that is kept. Named is for a word of which it is not known that it is a path.
func (e *evaluation) protects(p touch.Path, reach touch.Reach, named bool) bool {
	whole := reach == touch.Tree || reach == touch.Below
	fold := e.call.Request.place().FoldCase()
	if e.kept == nil { // the same for all paths of a call
		for _, k := range e.call.Request.kept() {
			e.kept = append(e.kept, k)
			if real := e.links.Resolve(k.path); real != k.path {
				e.kept = append(e.kept, kept{real, max(touch.Depth(real)-2, 0)})
			}
		}
	}
	for _, k := range e.kept {
		if p.Within(k.path, k.anchor, fold) != touch.No {
			return true
		}
		// A folder without what it holds counts when it is one of Pi's or pigate's own.
		if (whole || reach == touch.Listing && p.Depth() > k.anchor) && p.Holds(k.path, k.anchor, fold) != touch.No {
			return true
		}
	}
	whole = whole || reach == touch.Listing
	if e.call.Request.Checkout.Top != "" && slices.ContainsFunc(p.Below(piFolder, fold), func(t touch.Tail) bool {
		return (!named || !t.Empty()) && inPi(t, whole, fold)
	}) {
		return true
	}
	names := gitNames
	if e.call.Request.Checkout.Top != "" {
		names = append(names[:len(names):len(names)], gitLink)
	}
	return slices.ContainsFunc(p.Below(gitFolder, fold), func(t touch.Tail) bool {
		return (!named || !t.Empty()) && inGit(t, names, whole, fold, 0)
	})
}

// inPi says whether what stands behind the name of a folder of Pi is one of its
// files that are kept. A session may begin in any folder of a repository.
func inPi(t touch.Tail, whole, fold bool) bool {
	if t.Empty() {
		return whole
	}
	return slices.ContainsFunc(protectedNames, func(name string) bool {
		return t.Within(name, fold) != touch.No || whole && t.Holds(name, fold) != touch.No
	})
}

// inGit says whether what stands behind the name of a folder of git is one of its
// files that are kept. A file in the place of that folder tells git where it is.
func inGit(t touch.Tail, names []string, whole, fold bool, deep int) bool {
	if t.Empty() {
		return true
	}
	for _, name := range names {
		if t.Within(name, fold) != touch.No || whole && t.Holds(name, fold) != touch.No {
			return true
		}
	}
	for _, name := range gitInner {
		if t.Within(name, fold) == touch.No {
			continue
		}
		for n := 2; n < gitDeep; n++ {
			inner, ok := t.Cut(n)
			if !ok {
				break
			}
			if inner.Empty() && !whole {
				continue
			}
			if deep < 3 && inGit(inner, names, whole, fold, deep+1) {
				return true
			}
		}
		if inner, ok := t.Cut(1); ok && whole && inner.Empty() {
			return true
		}
	}
	return false
}
