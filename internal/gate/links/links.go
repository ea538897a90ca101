// Package links looks up where symbolic links lead. It is the one package of
// the gate that asks the file system about the targets of a call; what it finds
// is handed to the decision as facts.
package links

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/pigate/pigate/internal/gate/paths"
	"github.com/pigate/pigate/internal/gate/policy"
)

// Unresolved begins the resolution of a path whose links cannot be followed:
// they loop, or may not be looked at. It is no absolute path, so it lies inside
// no project, and the call asks.
const Unresolved = "unresolved:"

const (
	// maxHops bounds the links that one path may pass. Systems give up sooner.
	maxHops = 255
	// maxLength bounds a path, in bytes, by the longest that any system takes.
	maxLength = 32767
)

var (
	errLoop    = errors.New("too many links")
	errLong    = errors.New("path too long")
	errDrive   = errors.New("the link starts from the current folder of a drive")
	errPrivate = errors.New("the link means another file to another process")
)

// Resolve follows the symbolic links of absolute paths in the form of package
// paths. Of a path whose end does not exist, the deepest existing folder is
// resolved and the rest appended; links that lead to nothing yet are followed,
// for writing would create their target. Only paths that resolve to something
// else are in the result. Paths of another operating system than this one are
// not looked up.
func Resolve(list []string, goos string) policy.LinkFacts {
	facts := policy.LinkFacts{}
	if goos != runtime.GOOS {
		return facts
	}
	w := walker{known: map[string]place{}}
	for _, p := range list {
		if real := w.resolve(p); real != p {
			facts[p] = real
		}
	}
	return facts
}

// walker resolves paths of the file system and remembers folders on the way.
type walker struct {
	known map[string]place
	hops  int
}

// place is the resolution of a path.
type place struct {
	path   string
	exists bool
}

func (w *walker) resolve(p string) string {
	native := filepath.FromSlash(p)
	if !filepath.IsAbs(native) || remote(native) {
		// Asking a remote share would send it the person's name; such a path is
		// outside by its spelling already.
		return p
	}
	real, err := w.start(native)
	if err != nil {
		// The closing colon keeps one such text from being the folder of another.
		return Unresolved + p + ":"
	}
	return paths.Slash(canonical(real.path), paths.Place{OS: runtime.GOOS})
}

func (w *walker) start(native string) (place, error) {
	if len(native) > maxLength {
		return place{}, errLong
	}
	w.hops = 0
	return w.place(filepath.Clean(native))
}

// remote reports a path on another machine, as Windows writes it.
func remote(native string) bool {
	return runtime.GOOS == "windows" && strings.HasPrefix(filepath.VolumeName(native), `\\`)
}

// place resolves a clean absolute path.
func (w *walker) place(p string) (place, error) {
	if known, ok := w.known[p]; ok {
		return known, nil
	}
	parent := filepath.Dir(p)
	if parent == p || remote(p) {
		return place{p, true}, nil
	}
	above, err := w.place(parent)
	if err != nil {
		return place{}, err
	}
	found, err := w.child(above, filepath.Base(p))
	if err == nil {
		w.known[p] = found
	}
	return found, err
}

// child resolves a name in a folder that is resolved already.
func (w *walker) child(folder place, name string) (place, error) {
	p := filepath.Join(folder.path, name)
	if !folder.exists || remote(p) {
		return place{p, false}, nil
	}
	info, err := os.Lstat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return place{p, false}, nil
	case err != nil:
		return place{}, err
	}
	target, isLink, err := readLink(p, info)
	if err != nil || !isLink {
		return place{p, true}, err
	}
	if w.hops++; w.hops > maxHops {
		return place{}, errLoop
	}
	if strings.HasPrefix(p, "/proc/") {
		return place{}, errPrivate
	}
	return w.follow(folder, target)
}

// follow resolves the text of a link that stands in a resolved folder. It goes
// name by name: ".." means the folder above what the names before it resolve
// to, not above their spelling.
func (w *walker) follow(folder place, target string) (place, error) {
	at := folder
	volume := filepath.VolumeName(target)
	switch rest := target[len(volume):]; {
	case rest != "" && os.IsPathSeparator(rest[0]):
		if volume == "" {
			volume = filepath.VolumeName(folder.path)
		}
		at, target = place{volume + string(filepath.Separator), true}, rest
	case volume != "":
		return place{}, errDrive
	}
	for _, name := range strings.FieldsFunc(target, separates) {
		var err error
		switch name {
		case ".":
		case "..":
			at = place{filepath.Dir(at.path), true}
		default:
			if at, err = w.child(at, name); err != nil {
				return place{}, err
			}
		}
	}
	return at, nil
}

func separates(r rune) bool { return r < utf8.RuneSelf && os.IsPathSeparator(uint8(r)) }

// readLink returns where a link leads.
func readLink(p string, info fs.FileInfo) (target string, isLink bool, err error) {
	switch mode := info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		target, err = os.Readlink(p)
		return target, true, err
	case runtime.GOOS == "windows" && mode&fs.ModeIrregular != 0:
		// A junction; other irregular files have no link to read.
		target, err = os.Readlink(p)
		return target, err == nil, nil
	}
	return "", false, nil
}

// canonical gives the existing part of a resolved path its true names on
// Windows, where a short name like PROGRA~1 is another spelling of the same
// file.
func canonical(real string) string {
	if runtime.GOOS != "windows" || remote(real) {
		return real
	}
	rest := ""
	for p := real; ; {
		if long, err := filepath.EvalSymlinks(p); err == nil {
			return filepath.Join(long, rest)
		}
		parent := filepath.Dir(p)
		if parent == p {
			return real
		}
		p, rest = parent, filepath.Join(filepath.Base(p), rest)
	}
}
