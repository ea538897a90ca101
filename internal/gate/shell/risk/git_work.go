package risk

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

const (
	throwsAway   = "throws away work that is not committed"
	forcesRemote = "throws away what others may have pushed"
)

// checkPush finds refs that are forced (+ref) or deleted (:ref), and lets a
// rehearsal pass.
func checkPush(c *call) {
	if c.has("-n") || c.hasLong("--dry-run") {
		c.drop("-f", "--force", "--force-with-lease", "--mirror", "--prune", "-d", "--delete")
		return
	}
	for _, i := range c.operands {
		switch w := c.args[i].Text; {
		case strings.HasPrefix(w, "+"):
			c.addOperand(i, KindState, forcesRemote)
		case strings.HasPrefix(w, ":") && len(w) > 1:
			c.addOperand(i, KindState, "deletes a branch or tag of the other repository")
		}
	}
}

// checkRehearsal lets git clean, rm, mv and prune pass where they only tell what
// they would do, and git rm where it leaves the files alone.
func checkRehearsal(c *call) {
	if c.has("-n") || c.hasLong("--dry-run") || c.hasLong("--cached") {
		c.drop("-f", "--force")
		c.dropSubs()
	}
}

// checkCheckout finds files that git checkout puts back as they were.
func checkCheckout(c *call) {
	for i := c.subs[len(c.subs)-1] + 1; i < len(c.args)-1; i++ {
		if c.args[i].Text == "--" {
			c.addFlag(i, "--", KindState, throwsAway)
			return
		}
	}
	switch n := len(c.operands); {
	case c.has("-b", "-B", "-t") || c.hasLong("--orphan") || c.hasLong("--track") || c.hasLong("--detach"):
	case n > 1:
		c.addOperand(c.operands[1], KindState, throwsAway)
	case n == 1 && looksLikeFile(c.text(0)):
		c.addOperand(c.operands[0], KindState, throwsAway)
	}
}

// checkRestore finds git restore unless it touches the index alone.
func checkRestore(c *call) {
	staged := c.has("-S") || c.hasLong("--staged")
	files := c.has("-W") || c.hasLong("--worktree")
	if (!staged || files) && (len(c.operands) > 0 || c.hasLong("--pathspec-from-file")) {
		c.addSub(KindState, throwsAway)
	}
}

// looksLikeFile tells the name of a file or folder from that of a branch, a tag
// or a commit: it starts as a path does, or ends in a slash or in an extension.
// A dot after a digit is that of a version, as in 2.x.
func looksLikeFile(name string) bool {
	for _, start := range [...]string{"./", "../", "/", "~/", ":/", ":(", ":!", ":^"} {
		if strings.HasPrefix(name, start) {
			return true
		}
	}
	if name == "." || name == ".." || strings.HasSuffix(name, "/") {
		return true
	}
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 || dot > 0 && name[dot-1] >= '0' && name[dot-1] <= '9' {
		return false
	}
	extension := strings.ToLower(name[dot+1:])
	return extension != "" && len(extension) <= 5 && strings.Trim(extension, "abcdefghijklmnopqrstuvwxyz") == ""
}

// checkForgeClone finds options for git behind the --.
func checkForgeClone(c *call) {
	for _, i := range c.operands {
		for _, flag := range [...]string{"--upload-pack", "-u", "--config", "-c", "--template"} {
			if w := c.args[i].Text; strings.HasPrefix(w, flag) && (len(flag) == 2 || len(w) == len(flag) || w[len(flag)] == '=') {
				c.addFlag(i, flag, KindExec, "passes git an option that may name a program to run")
			}
		}
	}
}

// mercurialTool reports whether a merge tool is one of Mercurial's own.
func mercurialTool(value string) bool {
	return strings.HasPrefix(value, ":") || strings.HasPrefix(value, "internal:")
}

// readMethod reports whether an HTTP method only reads.
var readMethod = oneOf(strings.Fields("GET HEAD OPTIONS")...)

// checkForgeAPI lets fields pass which only ask: those of a GET request, and
// those of a GraphQL query that can be read and holds no mutation. Beside another
// method that is guarded itself they need no mention of their own.
func checkForgeAPI(c *call) {
	if c.value("-X", "--method") != "" || c.text(0) == "graphql" && c.onlyQueries() {
		c.drop("-f", "--raw-field", "-F", "--field")
	}
}

func (c *call) onlyQueries() bool {
	queries := 0
	for _, s := range c.seen {
		text, ok := strings.CutPrefix(s.value, "query=")
		if !ok {
			continue
		}
		if argv.HasHole(text) || strings.HasPrefix(text, "@") || strings.Contains(text, "mutation") {
			return false
		}
		queries++
	}
	return queries > 0
}
