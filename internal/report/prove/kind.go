package prove

import (
	"slices"

	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/rule"
)

// The kinds of what rules are about; "" is one that is not understood here.
const (
	shell = "shell"
	edit  = "edit"
	read  = "read"
	mcp   = "mcp"
	other = "other" // a tool without patterns
)

// kind is what a rule is about: the tools whose calls it concerns ("mcp" for those
// of all servers), and its patterns, of mcp those of the server and of the tool.
type kind struct {
	name     string
	tools    []string
	patterns []glob.Pattern
}

// everything matches any text.
var everything = glob.Compile("*")

func kindOf(r *rule.Rule) kind {
	pattern := r.Pattern
	if r.Args != nil {
		return kind{} // arguments are not looked at
	}
	if r.Whole {
		pattern = everything
	}
	one := []glob.Pattern{pattern}
	switch {
	case r.Scope == rule.Shell:
		return kind{shell, []string{"bash", "powershell"}, one}
	case r.Scope == rule.Edit:
		return kind{edit, []string{"write", "edit"}, one}
	case r.Scope == rule.MCP:
		name := everything
		if r.Tool != nil {
			name = *r.Tool
		}
		return kind{mcp, []string{"mcp"}, []glob.Pattern{pattern, name}}
	case r.Scope == rule.Read && !r.Whole:
		return kind{read, []string{"read"}, one}
	case !r.Whole:
		return kind{}
	case r.Scope == "bash" || r.Scope == "powershell":
		return kind{shell, []string{r.Scope}, one}
	case r.Scope == "write":
		return kind{edit, []string{r.Scope}, one}
	}
	if server, name, ok := rule.SplitMCP(r.Scope); ok {
		return kind{mcp, []string{"mcp"}, []glob.Pattern{glob.Compile(glob.Escape(server)), glob.Compile(glob.Escape(name))}}
	}
	return kind{other, []string{r.Scope}, nil}
}

// covers reports that each pattern of o covers that of k.
func covers(o, k kind) bool {
	for i := range k.patterns {
		if !o.patterns[i].Covers(k.patterns[i]) {
			return false
		}
	}
	return true
}

// sameTools reports that o concerns all tools that k does.
func sameTools(o, k kind) bool {
	return !slices.ContainsFunc(k.tools, func(tool string) bool { return !slices.Contains(o.tools, tool) })
}

// meet reports two patterns with a text in common.
func meet(p, q glob.Pattern) bool {
	found := false
	glob.Shortest([]glob.Pattern{p, q}, nil, func(string) bool {
		found = true
		return false
	})
	return found
}
