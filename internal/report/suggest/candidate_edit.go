package suggest

import (
	"path"
	"strings"

	"github.com/pigate/pigate/internal/gate/rule"
)

// tree holds edited files by their folders.
type tree struct {
	folders map[string]*folder
	order   []string
}

type folder struct {
	files []int32
	kinds map[string][]int32 // by extension
	exts  []string           // in the order in which they came
	// closed says that files here must not be named by the folder alone: one that
	// configures or runs was edited, or it looks like the folder of a package.
	closed bool
}

func newTree() *tree { return &tree{folders: map[string]*folder{}} }

// risky are the extensions of files that configure, hold secrets, or run: they
// are drafted one by one.
var risky = map[string]bool{"": true, ".json": true, ".yml": true, ".yaml": true, ".toml": true, ".lock": true, ".sh": true, ".env": true,
	".pem": true, ".key": true, ".ini": true, ".cfg": true, ".conf": true, ".tf": true, ".plist": true, ".mod": true, ".sum": true, ".ps1": true,
	".bat": true, ".cmd": true, ".mk": true, ".gradle": true, ".properties": true, ".service": true, ".sql": true, ".xml": true, ".mdc": true}

// packaged are the names of folders whose parent is most likely the folder of a
// package, which also holds what configures it.
var packaged = map[string]bool{"src": true, "docs": true, "scripts": true, "bin": true}

// add files a path, and offers it as it is.
func (t *tree) add(id int32, file string, add adder) {
	if strings.ContainsAny(file, "*?\\\n\r\x00") || len(file) > longest || path.IsAbs(file) || strings.Contains(file, ":") || !within(file) {
		return // no pattern means exactly this path, or it is no path of the project
	}
	closed := sensitive(file)
	if !closed {
		add(rule.Edit+":"+file, []int32{id}, false, local, 0)
	}
	ext := path.Ext(file)
	inner := ""
	for dir := path.Dir(file); dir != "." && dir != "/"; inner, dir = path.Base(dir), path.Dir(dir) {
		f := t.folders[dir]
		if f == nil {
			f = &folder{kinds: map[string][]int32{}}
			t.folders[dir], t.order = f, append(t.order, dir)
		}
		f.closed = f.closed || closed || packaged[inner]
		if closed {
			continue
		}
		f.files = append(f.files, id)
		if f.kinds[ext] == nil {
			f.exts = append(f.exts, ext)
		}
		f.kinds[ext] = append(f.kinds[ext], id)
	}
}

// sources reports that a folder holds sources and not, as the folder of a package
// or that of documents does, what configures and builds them too. Only there may
// a wildcard stand for files of every kind.
func sources(dir string) bool {
	switch path.Base(dir) {
	case "src", "source", "sources":
		return true
	}
	return false
}

// How many distinct files make a folder worth a rule: of one kind, or of two at
// least.
const (
	filesOfKind   = 3
	filesOfFolder = 5
)

func (t *tree) candidates(add adder) {
	for _, dir := range t.order {
		f := t.folders[dir]
		if sensitive(dir + "/x") {
			continue
		}
		wide := 0.15 / float64(1+strings.Count(dir, "/"))
		for _, ext := range f.exts {
			if len(f.kinds[ext]) >= filesOfKind && !risky[ext] {
				add(rule.Edit+":"+dir+"/*"+ext, f.kinds[ext], true, local, wide/2)
			}
		}
		if len(f.files) >= filesOfFolder && len(f.exts) >= 2 && !f.closed && sources(dir) {
			add(rule.Edit+":"+dir+"/*", f.files, true, local, wide)
		}
	}
}
