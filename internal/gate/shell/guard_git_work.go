package shell

import "strings"

const (
	throwsAway   = "throws away work that is not committed"
	forcesRemote = "throws away what others may have pushed"
)

// gitWorkGuards are the forms of git's everyday subcommands that destroy work:
// a rule for git, or for the subcommand, is meant for the others.
var gitWorkGuards = []guard{
	{programs: "git yadm", sub: "push|send-pack", takes: "-o --push-option --repo --recurse-submodules --signed?", check: checkPush, options: []option{
		{"-f --force", KindState, forcesRemote, nil},
		{"--force-with-lease?", KindState, forcesRemote, nil},
		{"--mirror --prune", KindState, "deletes what the other repository alone has", nil},
		{"-d --delete", KindState, "deletes a branch or tag of the other repository", nil},
	}},
	{programs: "git yadm", sub: "reset", takes: "-U --unified --inter-hunk-context", options: []option{
		{"--hard --merge", KindState, throwsAway, nil},
	}},
	{programs: "git yadm", sub: "clean", takes: "-e --exclude", check: checkRehearsal, options: []option{
		{"-f --force", KindState, "deletes files that are not committed", nil},
	}},
	{programs: "git yadm", sub: "checkout", takes: "-b --orphan --conflict -U", check: checkCheckout, options: []option{
		{"-f --force -p --patch --pathspec-from-file=", KindState, throwsAway, nil},
		{"-B=", KindState, "moves an existing branch", nil},
	}},
	{programs: "git yadm", sub: "switch", takes: "-c --create --orphan --conflict", options: []option{
		{"-f --force --discard-changes", KindState, throwsAway, nil},
		{"-C= --force-create=", KindState, "moves an existing branch", nil},
	}},
	{programs: "git yadm", sub: "restore", takes: "-s --source --conflict -U", check: checkRestore},
	{programs: "git yadm", sub: "rm", check: checkRehearsal, options: []option{{"-f --force", KindState, throwsAway, nil}}},
	{programs: "git yadm", sub: "mv", check: checkRehearsal, options: []option{{"-f --force", KindState, "replaces files", nil}}},
	{programs: "git yadm", sub: "worktree remove", options: []option{{"-f --force", KindState, throwsAway, nil}}},
	{programs: "git yadm", sub: "submodule update", takes: "--reference --depth -j --jobs", options: []option{
		{"-f --force", KindState, throwsAway, nil},
	}},
	{programs: "git yadm", sub: "submodule deinit", options: []option{{"-f --force", KindState, throwsAway, nil}}},
	{programs: "git yadm", sub: "submodule set-url", options: []option{{"", KindState, "changes where a submodule is fetched from", nil}}},
	{programs: "git yadm", sub: "update-ref", takes: "-m", options: []option{
		{"", KindState, "moves a branch or tag", nil},
		{"-d --stdin", KindState, "deletes or moves branches and tags", nil},
	}},
	{programs: "git yadm", sub: "replace", takes: "--format", options: []option{
		{"-d --delete -f --force", KindState, "changes which objects others stand for", nil},
		{"-e --edit", KindExec, "starts the configured editor", nil},
	}},
	{programs: "git yadm", sub: "prune", takes: "--expire", check: checkRehearsal, options: []option{{"", KindState, "throws old commits away", nil}}},
	{programs: "git yadm", sub: "gc", options: []option{
		{"--prune?", KindState, "throws old commits away", oneOf("never 2.weeks.ago")},
	}},
	{programs: "git yadm", sub: "lfs prune|migrate|install|uninstall|update", options: []option{
		{"", KindState, "deletes files, rewrites history or changes hooks", nil},
	}},
}

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
