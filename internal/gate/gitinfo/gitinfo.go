// Package gitinfo tells which git checkout a folder lies in, for the record.
// It reads git's files itself: starting git would run what the checkout's own
// configuration names.
package gitinfo

import (
	"bufio"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// maxFile is how much of one of git's files is read, in bytes.
const maxFile = 1 << 18

// Look returns the URL of the remote ("origin", else the first), without user
// name, password, query and fragment, and the branch that is checked out, or
// the commit when none is. Both are "" outside of a checkout, and when its files
// cannot be read.
func Look(folder string) (remote, branch string) {
	dir := find(folder)
	if dir == "" {
		return "", ""
	}
	common := dir
	if text := read(filepath.Join(dir, "commondir")); text != "" {
		common = join(dir, strings.TrimSpace(text))
	}
	return remoteOf(read(filepath.Join(common, "config"))), branchOf(read(filepath.Join(dir, "HEAD")))
}

// find returns the folder of git's files for a checkout around folder.
func find(folder string) string {
	for {
		path := filepath.Join(folder, ".git")
		info, err := os.Stat(path)
		switch {
		case err == nil && info.IsDir():
			return path
		case err == nil && info.Mode().IsRegular(): // a linked worktree or a submodule
			to, ok := strings.CutPrefix(strings.TrimSpace(read(path)), "gitdir: ")
			if !ok {
				return ""
			}
			return join(folder, to)
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return ""
		}
		folder = parent
	}
}

func join(base, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(base, path)
}

// read returns the beginning of a regular file, "" when it cannot be read.
func read(path string) string {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }() // it only read
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return ""
	}
	return string(text)
}

var hash = regexp.MustCompile(`^[0-9a-f]{40,64}$`)

func branchOf(head string) string {
	head = strings.TrimSpace(head)
	if ref, ok := strings.CutPrefix(head, "ref: "); ok {
		return strings.TrimPrefix(ref, "refs/heads/")
	}
	if hash.MatchString(head) {
		return head
	}
	return ""
}

// remoteOf finds the URL of the remote in the text of a configuration.
func remoteOf(config string) string {
	section, found := "", ""
	for lines := bufio.NewScanner(strings.NewReader(config)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			section = line
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok || !strings.EqualFold(strings.TrimSpace(name), "url") || !strings.HasPrefix(section, "[remote ") {
			continue
		}
		value = clean(strings.Trim(strings.TrimSpace(value), `"`))
		if section == `[remote "origin"]` {
			return value
		}
		if found == "" {
			found = value
		}
	}
	return found
}

// clean takes everything out of a remote's URL that may be a credential.
func clean(remote string) string {
	if !strings.Contains(remote, "://") {
		// host:path, with a user before it; or a path.
		if at := strings.LastIndex(remote, "@"); at >= 0 {
			return remote[at+1:]
		}
		return remote
	}
	u, err := url.Parse(remote)
	if err != nil {
		return ""
	}
	u.User, u.RawQuery, u.Fragment, u.RawFragment = nil, "", "", ""
	return u.String()
}
