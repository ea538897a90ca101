package shell

import "strings"

// projectMount reports whether a mount gives the container only a named volume
// or a folder below the current one.
func projectMount(mount string) bool {
	source := mount
	if strings.Contains(mount, "=") {
		source = ""
		for part := range strings.SplitSeq(mount, ",") {
			key, value, _ := strings.Cut(part, "=")
			if key == "source" || key == "src" {
				source = value
			}
		}
	} else {
		source, _, _ = strings.Cut(mount, ":")
	}
	if source == "" || strings.HasPrefix(source, "\x00") {
		return !strings.Contains(source, "..")
	}
	return source[0] != '/' && source[0] != '~' && !strings.Contains(source, "..")
}

// buildOutput reports whether the place a build's result goes to, a folder or
// "type=local,dest=folder", is inside the project and no registry.
func buildOutput(value string) bool {
	if !strings.Contains(value, "=") {
		return insideFile(value)
	}
	for part := range strings.SplitSeq(value, ",") {
		key, of, _ := strings.Cut(part, "=")
		switch {
		case key == "dest" && !insideFile(of), key == "type" && of == "registry", key == "push" && of != "false":
			return false
		}
	}
	return true
}

// checkDryRun lets a rehearsal pass.
func checkDryRun(c *call) {
	if c.has("--dry-run") && !switchedOff(c.value("--dry-run")) {
		c.dropSubs()
	}
}
