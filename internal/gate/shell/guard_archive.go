package shell

import "strings"

// checkTar finds an archive on another machine, which tar reaches by running a
// remote shell, and a place outside the project where tar unpacks.
func checkTar(c *call) {
	if c.has("-x") || c.hasLong("--extract") || c.hasLong("--get") {
		for _, s := range c.seen {
			if (s.name == "-C" || s.name == "--directory" || s.name == "--one-top-level") && !insideFile(s.value) {
				c.addFlag(s.arg, s.name, KindWrite, "unpacks to another place")
			}
		}
	}
	if c.has("--force-local") {
		return
	}
	for _, s := range c.seen {
		if s.name != "-f" && s.name != "--file" {
			continue
		}
		host, _, remote := strings.Cut(s.value, ":")
		if remote && host != "" && !strings.Contains(host, "/") {
			c.add(s.arg, s.value, KindExec, "runs a remote shell to reach the archive")
		}
	}
}

// checkZip finds -TT, which zip reads as one option among its clusters.
func checkZip(c *call) {
	for i := range c.args {
		w := c.args[i].Text
		if len(w) > 2 && w[0] == '-' && w[1] != '-' && strings.Contains(w, "TT") {
			c.addFlag(i, "-TT", KindExec, "runs a command as a test of the archive")
		}
	}
}
