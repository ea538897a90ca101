package shell

import "strings"

const buildsThere = "writes outside the project"

// makefileInside reports whether a build file is one of the project's, not the
// standard input or an address.
func makefileInside(name string) bool {
	return name != "-" && !strings.HasPrefix(name, "/dev/") && !strings.Contains(name, "://") && !strings.HasPrefix(name, "oci:") &&
		!strings.HasPrefix(name, "git@") && insideFile(name)
}

// inputOrBuildFile is makefileInside, or the standard input.
func inputOrBuildFile(name string) bool { return name == "-" || makefileInside(name) }

// cmakeVariable reports whether "NAME=value" or "NAME:TYPE=value" names no
// program by its path and no script.
func cmakeVariable(setting string) bool {
	name, value, _ := strings.Cut(strings.ToLower(setting), "=")
	if strings.IndexByte(name, 0) >= 0 {
		return false
	}
	if strings.Contains(name, "toolchain") || strings.Contains(name, "_code") || strings.Contains(name, "include") && strings.Contains(name, "project") {
		return insideFile(value) && !strings.Contains(name, "_code")
	}
	for _, part := range [...]string{"_compiler", "_launcher", "_command", "_program", "_linker"} {
		if strings.Contains(name, part) && !strings.HasSuffix(name, "_commands") {
			return bareName(value) && !strings.ContainsAny(value, " ;")
		}
	}
	return true
}

// checkMake finds text that make hands to a shell as it reads a variable.
func checkMake(c *call) {
	for _, i := range c.operands {
		if w := c.args[i].Text; strings.Contains(w, "$(") || strings.Contains(w, "${") || strings.Contains(w, "!=") {
			c.add(i, "$(…)", KindExec, "is evaluated by make, which may run commands")
		}
	}
}
