// Package paths turns the path argument of a file tool into the file Pi will
// touch and says whether that lies inside the project. It is lexical and pure:
// the operating system, the home folder and the working directory are
// arguments, and facts about symbolic links are looked up elsewhere. So a
// recorded request gives the same answer on any machine.
//
// Paths are written with forward slashes everywhere; on Windows an absolute
// one begins with an upper-case drive letter ("C:/x") or a share ("//host/x").
package paths

import (
	"net/url"
	"path"
	"strings"
	"unicode"
)

// Place is where the request stands.
type Place struct {
	// OS is "windows", "darwin", "linux", … as in runtime.GOOS.
	OS string
	// Cwd is the absolute folder that relative paths start from.
	Cwd string
	// Home is the absolute folder that "~" means.
	Home string
}

// Windows reports whether paths follow the rules of Windows.
func (p Place) Windows() bool { return p.OS == "windows" }

// FoldCase reports whether the usual file system of the system takes names in
// different letter case for the same file. It is used only to protect and to
// deny, never to allow.
func (p Place) FoldCase() bool { return p.OS == "windows" || p.OS == "darwin" }

// Absolute returns the absolute path of the file that Pi's edit and write
// tools touch for the argument arg, cleaned of "." and "..". The steps and
// their order are those of Pi 1.6.0: unicode spaces become spaces, one leading
// "@" is cut, on Windows drive paths of Git Bash, WSL and Cygwin are
// translated, "~" is expanded, a file: URL is decoded, and a relative path
// starts from Cwd. ok is false when the argument names no file: it is empty,
// holds a NUL byte, or is a file: URL that does not decode to a local path.
func Absolute(arg string, at Place) (abs string, ok bool) {
	s := strings.Map(plainSpace, arg)
	s = strings.TrimPrefix(s, "@")
	if at.Windows() {
		s = fromUnixDrive(s)
	}
	switch {
	case s == "~":
		s = at.Home
	case strings.HasPrefix(s, "~/"), at.Windows() && strings.HasPrefix(s, `~\`):
		s = at.Home + "/" + s[2:]
	}
	if strings.HasPrefix(s, "file://") {
		if s, ok = fromFileURL(s, at); !ok {
			return "", false
		}
	}
	if s == "" || strings.IndexByte(s, 0) >= 0 {
		return "", false
	}
	if at.Windows() {
		return windowsAbsolute(s, at), true
	}
	if !strings.HasPrefix(s, "/") {
		s = at.Cwd + "/" + s
	}
	return path.Clean(s), true
}

// ShellTarget returns the absolute file that a shell writes for a literal
// redirection target: like Absolute, without what only Pi's file tools do ("@",
// file: URLs, unicode spaces).
func ShellTarget(target string, at Place) (abs string, ok bool) {
	if target == "" || strings.IndexByte(target, 0) >= 0 || at.Cwd == "" && !Rooted(target, at) {
		return "", false
	}
	if at.Windows() {
		target = fromUnixDrive(target)
	}
	switch {
	case target == "~":
		target = at.Home
	case strings.HasPrefix(target, "~/"):
		target = at.Home + target[1:]
	case target[0] == '~':
		return "", false // another user's home, or the folder before
	}
	if at.Windows() {
		return windowsAbsolute(target, at), true
	}
	if target[0] != '/' {
		target = at.Cwd + "/" + target
	}
	return path.Clean(target), true
}

// Rooted reports whether the target does not depend on the working directory.
func Rooted(target string, at Place) bool {
	if at.Windows() && len(target) >= 3 && isLetter(target[0]) && target[1] == ':' {
		return target[2] == '/' || target[2] == '\\'
	}
	return strings.HasPrefix(target, "/") || target == "~" || strings.HasPrefix(target, "~/")
}

// plainSpace maps the unicode spaces that Pi takes for a space.
func plainSpace(r rune) rune {
	switch {
	case r == '\u00a0', r >= '\u2000' && r <= '\u200a', r == '\u202f', r == '\u205f', r == '\u3000':
		return ' '
	}
	return r
}

// fromFileURL decodes a file: URL as Node's fileURLToPath does. Where the URL
// standard that Node follows and net/url read a text differently (a drive
// letter or "|" in the first segment, control characters, blanks at the end)
// it gives up, and the call asks.
func fromFileURL(s string, at Place) (string, bool) {
	if strings.TrimRight(s, " ") != s || strings.ContainsAny(s, "|") || strings.ContainsFunc(s, unicode.IsControl) {
		return "", false
	}
	u, err := url.Parse(strings.ReplaceAll(s, `\`, "/")) // in a file: URL both separate
	if err != nil || u.Path == "" {
		return "", false
	}
	lower := strings.ToLower(u.EscapedPath())
	if strings.Contains(lower, "%2f") || (at.Windows() && strings.Contains(lower, "%5c")) {
		return "", false // Node refuses an encoded separator
	}
	first, _, _ := strings.Cut(strings.TrimLeft(u.Path, "/"), "/")
	drive := len(first) == 2 && isLetter(first[0]) && first[1] == ':'
	local := u.Host == "" || strings.EqualFold(u.Host, "localhost")
	switch {
	case at.Windows() && !local:
		return "//" + u.Host + u.Path, true
	case at.Windows():
		return strings.TrimLeft(u.Path, "/"), drive
	default:
		return u.Path, local && !drive
	}
}

// Inside returns abs relative to root, and whether it lies inside root (root
// itself counts, as "."). Both are absolute and clean, as Absolute returns
// them. With fold, letter case does not count.
func Inside(abs, root string, fold bool) (rel string, inside bool) {
	a, r := abs, strings.TrimSuffix(root, "/")
	if fold {
		a, r = foldCase(a), foldCase(r)
		if len(a) != len(abs) {
			abs = a // the fold changed lengths; the folded spelling will do
		}
	}
	if a == r {
		return ".", true
	}
	if len(a) > len(r) && a[len(r)] == '/' && strings.HasPrefix(a, r) && len(abs) >= len(r)+1 {
		return abs[len(r)+1:], true
	}
	return "", false
}

// UnderHome returns the spelling "~/…" of a path below the home folder.
func UnderHome(abs string, at Place) (spelling string, ok bool) {
	if at.Home == "" {
		return "", false
	}
	rel, inside := Inside(abs, Slash(at.Home, at), at.Windows())
	if !inside {
		return "", false
	}
	return "~/" + rel, true
}

// Slash brings an absolute path of the system to the form used here.
func Slash(p string, at Place) string {
	if at.Windows() {
		return windowsAbsolute(p, at)
	}
	if p == "" {
		return ""
	}
	return path.Clean(p)
}
