package gate

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/paths"
	"github.com/pigate/pigate/internal/gate/shell"
)

// redirectionTarget returns the absolute file a redirection writes to, when
// its text tells. After a cd a relative name tells nothing, unless the line
// begins with a plain one.
func (c *Call) redirectionTarget(r shell.Redirection) (abs string, ok bool) {
	if r.Harmless || !r.Literal || r.Target == "" {
		return "", false
	}
	at := c.Request.place()
	cwd, known := c.folder(r.Start)
	if !known && !paths.Rooted(r.Target, at) {
		return "", false
	}
	at.Cwd = cwd
	return paths.ShellTarget(r.Target, at)
}

// folder returns the working directory at a place of the command line, as far
// as its text tells.
func (c *Call) folder(at int) (cwd string, known bool) {
	place := c.Request.place()
	cwd, known = place.Cwd, true
	for i := range c.Analysis.Units {
		u := &c.Analysis.Units[i]
		if !changesFolder[strings.ToLower(u.Program)] {
			continue
		}
		dir, plain := strings.CutPrefix(u.Text, "cd ")
		if i > 0 || u.Start != 0 || !plain || !plainFolder(dir) || !onlyAnd(c.Command[u.End:]) {
			return cwd, false
		}
		if at >= u.End {
			cwd, known = paths.ShellTarget(dir, place)
		}
	}
	return cwd, known
}

var changesFolder = map[string]bool{
	"cd": true, "pushd": true, "popd": true, "chdir": true,
	"set-location": true, "push-location": true, "pop-location": true, "sl": true,
}

// plainFolder reports that the text is one word without anything that a shell
// would change, and not the name of an option or of the folder before.
func plainFolder(dir string) bool {
	return dir != "" && dir[0] != '-' && !strings.ContainsFunc(dir, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./~+@:", r))
	})
}

// onlyAnd reports that everything in rest runs only when what stands before it
// succeeded: it is joined by && (and |) alone.
func onlyAnd(rest string) bool {
	rest = strings.TrimLeft(rest, " \t")
	if !strings.HasPrefix(rest, "&&") || strings.ContainsAny(rest, ";\n") || strings.Contains(rest, "||") {
		return false
	}
	rest = strings.ReplaceAll(rest, "&&", "")
	for _, duplication := range []string{">&", "&>", "<&"} {
		rest = strings.ReplaceAll(rest, duplication, "")
	}
	return !strings.Contains(rest, "&")
}
