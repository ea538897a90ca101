package transcript

import (
	"path"
	"runtime"
	"strings"

	"github.com/pigate/pigate/internal/gate/policy"
)

// Request is the call as the gate would be asked about it, as far as the file
// tells: whether the project was trusted and whether a person could be asked it
// does not. home is the home folder on this machine.
//
// Nothing is looked up on disk, for the folders may be gone, or be those of
// another machine. The operating system and the home folder are therefore those
// that the spelling of the working directory names, this machine's where it
// names none.
func (c *Call) Request(home string) policy.Request {
	goos, ownHome := placed(c.Cwd, home)
	return policy.Request{Session: c.Session, Call: c.ID, Parent: c.Parent, Tool: c.Tool, Input: c.Input,
		Cwd: c.Cwd, Root: c.Root, OS: goos, Home: ownHome}
}

// placed tells the system and the home folder by a working directory.
func placed(cwd, home string) (goos, ownHome string) {
	if len(cwd) > 2 && cwd[1] == ':' || strings.HasPrefix(cwd, `\\`) {
		if parts := strings.Split(strings.ReplaceAll(cwd, "/", `\`), `\`); len(parts) > 2 && strings.EqualFold(parts[1], "Users") {
			return "windows", strings.Join(parts[:3], `\`)
		}
		return "windows", here("windows", home)
	}
	for _, known := range []struct{ above, goos string }{{"/Users/", "darwin"}, {"/home/", "linux"}} {
		if rest, ok := strings.CutPrefix(cwd, known.above); ok && rest != "" {
			name, _, _ := strings.Cut(rest, "/")
			return known.goos, path.Join(known.above, name)
		}
	}
	goos = runtime.GOOS
	if goos == "windows" { // it is no path of Windows
		goos = "linux"
	}
	if cwd == "/root" || strings.HasPrefix(cwd, "/root/") {
		return goos, "/root"
	}
	return goos, here(goos, home)
}

// here is the home folder of this machine, "" for another system.
func here(goos, home string) string {
	if goos != runtime.GOOS {
		return ""
	}
	return home
}
