package paths

import (
	"path"
	"strings"
)

// fromUnixDrive turns the drive paths of Git Bash ("/c/x"), WSL ("/mnt/c/x")
// and Cygwin ("/cygdrive/c/x") into "C:/x". Other text is returned as it is.
func fromUnixDrive(s string) string {
	if !strings.HasPrefix(s, "/") || strings.HasPrefix(s, "//") || strings.Contains(s, `\`) {
		return s
	}
	rest := s[1:]
	for _, mount := range []string{"mnt/", "cygdrive/"} {
		if strings.HasPrefix(strings.ToLower(rest), mount) {
			rest = rest[len(mount):]
			break
		}
	}
	if len(rest) == 0 || !isLetter(rest[0]) || (len(rest) > 1 && rest[1] != '/') {
		return s
	}
	drive := strings.ToUpper(rest[:1]) + ":/"
	if len(rest) > 2 {
		return drive + rest[2:]
	}
	return drive
}

// windowsAbsolute resolves s against the working directory as Windows does:
// "C:x" starts from the drive's root when the drive differs, "/x" from the
// root of the current drive.
func windowsAbsolute(s string, at Place) string {
	s = strings.ReplaceAll(s, `\`, "/")
	for _, long := range []string{"//?/UNC/", "//?/", "//./"} {
		if len(s) >= len(long) && strings.EqualFold(s[:len(long)], long) {
			s = s[len(long):]
			if long == "//?/UNC/" {
				s = "//" + s
			}
			break
		}
	}
	cwd := strings.ReplaceAll(at.Cwd, `\`, "/")
	switch {
	case strings.HasPrefix(s, "//"):
		return "/" + path.Clean(s[1:])
	case len(s) >= 2 && isLetter(s[0]) && s[1] == ':':
		drive, rest := strings.ToUpper(s[:2]), s[2:]
		if !strings.HasPrefix(rest, "/") && len(cwd) >= 2 && strings.EqualFold(cwd[:2], drive) {
			rest = cwd[2:] + "/" + rest
		}
		return drive + windowsNames(path.Clean("/"+rest))
	case strings.HasPrefix(s, "/"):
		if len(cwd) >= 2 && cwd[1] == ':' {
			return strings.ToUpper(cwd[:2]) + windowsNames(path.Clean(s))
		}
		return windowsNames(path.Clean(s))
	}
	if cwd == "" || cwd == s {
		return path.Clean("/" + s)
	}
	return windowsAbsolute(cwd+"/"+s, Place{OS: at.OS})
}

// windowsNames drops from every name what Windows drops when it opens a file:
// trailing dots and spaces, and the name of an alternate stream. So ".env.",
// ".env " and ".env::$DATA" are all ".env", as they are on disk.
func windowsNames(p string) string {
	names := strings.Split(p, "/")
	for i, name := range names {
		if name == "." || name == ".." {
			continue
		}
		if j := strings.IndexByte(name, ':'); j >= 0 {
			name = name[:j]
		}
		names[i] = strings.TrimRight(name, ". ")
	}
	return path.Clean(strings.Join(names, "/"))
}

func isLetter(c byte) bool { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') }
