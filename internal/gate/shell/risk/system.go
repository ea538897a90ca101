package risk

import "strings"

const changesSystem = "changes the system"

func checkPmset(c *call) {
	switch c.text(0) {
	case "sleepnow", "schedule", "repeat", "restoredefaults", "displaysleepnow", "boot", "touch":
		c.addOperand(c.operands[0], KindState, changesSystem)
	}
}

// checkMany finds a second operand: ifconfig shows with one or none and changes
// with more.
func checkMany(c *call) {
	if len(c.operands) > 1 {
		c.addOperand(c.operands[1], KindState, changesSystem)
	}
}

func checkAnyOperand(c *call) {
	if len(c.operands) > 0 {
		c.addOperand(c.operands[0], KindState, changesSystem)
	}
}

// checkAssignOperand finds name=value among the operands.
func checkAssignOperand(c *call) {
	for _, i := range c.operands {
		if strings.Contains(c.args[i].Text, "=") {
			c.addOperand(i, KindState, changesSystem)
		}
	}
}

// checkCrontab finds a new schedule, from a file or the standard input.
func checkCrontab(c *call) {
	if !c.has("-l") {
		checkAnyOperand(c)
	}
}

// checkDate finds a time to set: BSD's digits, or any operand that is no format.
func checkDate(c *call) {
	for _, i := range c.operands {
		if w := c.args[i].Text; w != "" && w[0] != '+' && w[0] != 0 && !c.has("-j", "-d", "--date", "-f") {
			c.addOperand(i, KindState, "sets the clock")
		}
	}
}

// checkIP finds a verb of ip that changes the network. Verbs may be shortened;
// `s` alone is read as set, as ip does for links.
func checkIP(c *call) {
	verb := c.text(1)
	if verb == "" || verb[0] == 0 {
		return
	}
	for _, reading := range [...]string{"show", "list", "lst", "get", "help", "monitor", "save", "identify", "pids", "stats"} {
		if verb != "s" && strings.HasPrefix(reading, verb) {
			return
		}
	}
	for _, changing := range [...]string{"add", "delete", "set", "change", "replace", "flush", "append", "prepend", "exec", "attach", "restore", "update"} {
		if strings.HasPrefix(changing, verb) {
			c.addOperand(c.operands[1], KindState, "changes the network or runs a command in one")
			return
		}
	}
}

// checkTmux finds commands of tmux that run programs or type into them, also
// behind a ; that joins several, and formats that run a command: #(…). What the
// first command runs is a unit of its own.
func checkTmux(c *call) {
	begin := true
	for n, i := range c.operands {
		w := c.args[i].Text
		if begin && !tmuxReads(w) && !(n == 0 && tmuxWraps(w)) || strings.Contains(w, "#(") {
			c.addOperand(i, KindExec, "starts or commands a session, which runs programs")
		}
		begin = strings.HasSuffix(w, ";")
	}
}

// tmuxWraps reports whether a tmux command is known to run its arguments.
func tmuxWraps(command string) bool {
	switch command {
	case "new-session", "new", "new-window", "neww", "split-window", "splitw", "respawn-pane", "respawnp", "respawn-window",
		"respawnw", "run-shell", "run", "pipe-pane", "pipep", "popup", "display-popup", "send-keys", "send":
		return true
	}
	return false
}

// tmuxReads reports whether a tmux command only shows something or moves about.
func tmuxReads(command string) bool {
	command = strings.TrimSuffix(command, ";")
	switch command {
	case "ls", "lsp", "lsw", "lsc", "lsk", "lsb", "lscm", "has", "info", "capturep", "display", "show", "showw", "showb", "showmsgs", "attach", "a", "at", "":
		return true
	}
	for _, prefix := range [...]string{"list-", "show-", "has-session", "capture-pane", "display-message", "server-info", "attach-session", "select-", "detach"} {
		if strings.HasPrefix(command, prefix) {
			return true
		}
	}
	return false
}
