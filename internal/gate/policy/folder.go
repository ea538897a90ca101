package policy

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/paths"
	"github.com/pigate/pigate/internal/gate/shell"
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// redirectionTarget returns the absolute file a redirection writes to. named
// is false when its text does not name one; sure is false when it does, but
// other commands of the line may make the name mean another file: they change
// the folder, or what links lead to.
func (c *Call) redirectionTarget(r shell.Redirection) (abs string, named, sure bool) {
	if r.Harmless || !r.Literal || r.Target == "" {
		return "", false, false
	}
	at := c.Request.place()
	cwd, known := c.folder(r.Start)
	if known {
		at.Cwd = cwd
	}
	abs, named = paths.ShellTarget(r.Target, at)
	sure = (known || paths.Rooted(r.Target, at)) && !c.changesLinks()
	return abs, named, named && sure
}

// redirectionPaths are the files that a redirection may write, as far as the
// line tells.
func (c *Call) redirectionPaths(r shell.Redirection) (list []string) {
	names := r.Names
	if r.Literal {
		names = []string{r.Target}
	}
	for _, name := range names {
		r.Target, r.Literal = name, true
		if abs, named, _ := c.redirectionTarget(r); named {
			list = append(list, abs)
		}
	}
	return list
}

// folder returns the working directory at a place of the command line, as far
// as its text tells: a cd counts for what stands after it, and a plain one at
// the start of the line, joined by && alone, gives a known folder.
func (c *Call) folder(at int) (cwd string, known bool) {
	place := c.Request.place()
	cwd, known = place.Cwd, true
	for i := range c.Analysis.Units {
		u := &c.Analysis.Units[i]
		if !changesFolder[strings.ToLower(u.Program)] {
			continue
		}
		if at <= u.Start && !c.repeats() {
			continue // it stands before any change
		}
		dir, plain := strings.CutPrefix(u.Text, "cd ")
		if i > 0 || u.Start != 0 || !plain || !plainFolder(dir) || c.repeats() || at < u.End || !onlyAnd(c.Command[u.End:at]) {
			return cwd, false
		}
		cwd, known = paths.ShellTarget(dir, place)
	}
	return cwd, known
}

var changesFolder = map[string]bool{
	"cd": true, "pushd": true, "popd": true, "chdir": true,
	"set-location": true, "push-location": true, "pop-location": true, "sl": true,
}

// repeats reports that a piece of the line may run after what stands behind
// it: there is a loop, a function or a trap.
func (c *Call) repeats() bool {
	for _, sign := range []string{"for", "while", "until", "select", "function", "()", "trap", "eval", "source"} {
		if strings.Contains(c.Command, sign) {
			return true
		}
	}
	return false
}

// plainFolder reports that the text is one word without anything that a shell
// would change, and not the name of an option or of the folder before.
func plainFolder(dir string) bool {
	return dir != "" && dir[0] != '-' && !strings.ContainsFunc(dir, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./~+@:", r))
	})
}

// onlyAnd reports that what follows rest runs only when all before it
// succeeded: it is joined by && (and |) alone.
func onlyAnd(rest string) bool {
	rest = strings.TrimLeft(rest, " \t")
	if !strings.HasPrefix(rest, "&&") || strings.ContainsAny(rest, ";\n()") || strings.Contains(rest, "||") {
		return false
	}
	rest = strings.ReplaceAll(rest, "&&", "")
	for _, duplication := range []string{">&", "&>", "<&"} {
		rest = strings.ReplaceAll(rest, duplication, "")
	}
	return !strings.Contains(rest, "&")
}

// changesLinks reports that a command of the line may change what a name leads
// to, so that link facts looked up before say nothing.
func (c *Call) changesLinks() bool {
	for i := range c.Analysis.Units {
		u := &c.Analysis.Units[i]
		if p := u.Known.Lookup(strings.ToLower(u.Program)); p != nil && p.MakesLinks.Covers(argv.Texts(u.Words)...) {
			return true
		}
	}
	return false
}
