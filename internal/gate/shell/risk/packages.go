package risk

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// onlyHelps reports whether a subcommand whose words begin at index i only prints
// help or the version. The option must follow the subcommand at once, since
// further on it may be the value of another option or belong to a program that is
// run; --help alone may be followed by more.
func (c *call) onlyHelps(i int) bool {
	if i >= len(c.args) || !slices.Contains(c.table.help, c.args[i].Text) {
		return false
	}
	return c.args[i].Text == "--help" || i == len(c.args)-1
}

// checkPrintsPlan lets brew's subcommands pass where they only print what they would do.
func checkPrintsPlan(c *call) {
	if c.has("-n", "--dry-run") {
		c.dropSubs()
	}
}

// checkNodeRehearsal lets npm's subcommands pass where they only print what they
// would do. --dry-run may be taken back by a later word.
func checkNodeRehearsal(c *call) {
	if !c.has("--dry-run") || switchedOff(c.value("--dry-run")) {
		return
	}
	for _, s := range c.seen {
		if strings.HasPrefix(s.name, "--no-d") || s.name != "--dry-run" && strings.HasPrefix(s.name, "--d") {
			return
		}
	}
	for _, i := range c.operands {
		if w := c.args[i].Text; switchedOff(w) || w == "null" || argv.BeginsHole(w) {
			return
		}
	}
	c.dropSubs()
}

// checkInstallRehearsal is checkNodeRehearsal for npm install, which runs the
// project's own scripts even then unless it is told what to install.
func checkInstallRehearsal(c *call) {
	if len(c.operands) > 0 || c.has("--ignore-scripts") {
		checkNodeRehearsal(c)
	}
}

// checkRuffDiff lets fixes pass that are only printed.
func checkRuffDiff(c *call) {
	if c.has("--diff") {
		c.drop("--fix", "--fix-only")
	}
}

// checkListing lets subcommands pass that list what there is when they are given
// --list, as cargo's do.
func checkListing(c *call) {
	if c.has("--list") {
		c.dropSubs()
	}
}

// checkTap finds brew tap unless it lists the taps, which it does without a word.
func checkTap(c *call) {
	if (len(c.operands) > 0 || len(c.seen) > 0) && !c.has("--help") {
		c.addSub(KindState, "changes what is installed")
	}
}

// checkTwoOperands finds a setting that is given a value.
func checkTwoOperands(c *call) {
	if len(c.operands) > 1 || c.has("--unset") {
		c.addSub(KindState, "changes a setting for good")
	}
}

// checkTwoWords finds a version that is set, not asked for.
func checkTwoWords(c *call) {
	if len(c.operands) > 0 {
		c.addSub(KindState, "changes the package's version")
	}
}

// checkRPM lets -i pass where it asks for facts, as in rpm -qi.
func checkRPM(c *call) {
	if c.has("-q", "--query", "-V", "--verify") {
		c.drop("-i", "-U", "-F", "-e")
	}
}

// checkPacman finds -S that installs: not with s, i, l, g or p.
func checkPacman(c *call) {
	if c.has("-S", "--sync") && !c.has("-s", "-i", "-l", "-g", "-p", "--search", "--info", "--list", "--print") {
		for _, s := range c.seen {
			if s.name == "-S" || s.name == "--sync" {
				c.addFlag(s.arg, s.name, KindState, "changes what is installed")
				return
			}
		}
	}
}
