package rule

import (
	"regexp"
	"strings"
)

// elsewhere is a rule of another agent: a tool with a pattern in parentheses, as
// Claude Code writes them (https://code.claude.com/docs/en/permissions).
var elsewhere = regexp.MustCompile(`^([A-Z][A-Za-z]*)\((.*)\)$`)

// Elsewhere reports whether text is a rule as another agent writes it, and
// returns the rule that means the same here, "" when there is none.
func Elsewhere(text string) (instead string, ok bool) {
	m := elsewhere.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return "", false
	}
	switch m[1] {
	case "Bash":
		if command, open := strings.CutSuffix(m[2], ":*"); open {
			return "shell:" + command + " *", true
		}
		return "shell:" + m[2], true
	case "Edit", "Write", "MultiEdit":
		return "edit:" + strings.TrimPrefix(strings.ReplaceAll(m[2], "**", "*"), "./"), true
	}
	return "", true
}
