package shell

import "strings"

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
		if strings.ContainsRune(text, 0) || strings.HasPrefix(text, "@") || strings.Contains(text, "mutation") {
			return false
		}
		queries++
	}
	return queries > 0
}
