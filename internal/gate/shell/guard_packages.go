package shell

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
