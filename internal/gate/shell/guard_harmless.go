package shell

import "strings"

// Programs whose subcommands print help, or the version, and do nothing else when
// the words ask for it.
var (
	helpPrograms = oneOf("git npm pnpm yarn pip pip3 pipx uv poetry pipenv pdm hatch cargo gem bundle bundler composer brew docker podman" +
		" nerdctl kubectl oc helm terraform tofu terragrunt pulumi gh glab go conda mamba apt apt-get dotnet deno rustup pre-commit nx turbo lerna" +
		" tox nox twine ansible-galaxy packer cdk flyctl jupyter kind minikube k3d argocd flux")
	versionPrograms = oneOf("npm cargo poetry composer")
)

// onlyHelps reports whether a subcommand whose words begin at index i only prints
// help or the version. The option must follow the subcommand at once, since
// further on it may be the value of another option or belong to a program that is
// run; the short one and --version, which takes a value elsewhere, must end the
// command too.
func (c *call) onlyHelps(i int) bool {
	if i >= len(c.args) || !helpPrograms(c.program) {
		return false
	}
	last := i == len(c.args)-1
	switch c.args[i].Text {
	case "--help":
		return true
	case "-help":
		return last && (c.program == "go" || c.program == "terraform" || c.program == "tofu" || c.program == "packer")
	case "-h":
		return last && c.program != "bun" // not every subcommand of bun reads the short one
	case "--version":
		return last && versionPrograms(c.program)
	}
	return false
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
		if w := c.args[i].Text; switchedOff(w) || w == "null" || strings.HasPrefix(w, "\x00") {
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
