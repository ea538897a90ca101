package prove

import (
	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/rule"
)

// The kinds of what rules are about; "" is one that is not understood here.
const (
	shell = "shell"
	edit  = "edit"
	read  = "read"
	mcp   = "mcp"
	tool  = "tool"
)

// kind is what a rule is about: its patterns, of mcp those of the server and of
// the tool.
type kind struct {
	name     string
	patterns []glob.Pattern
}

// everything matches any text.
var everything = glob.Compile("*")

func kindOf(r *rule.Rule) kind {
	pattern := r.Pattern
	if r.Whole {
		pattern = everything
	}
	switch r.Scope {
	case rule.Shell, "bash", "powershell":
		if r.Scope != rule.Shell && !r.Whole {
			return kind{}
		}
		return kind{shell, []glob.Pattern{pattern}}
	case rule.Edit, "write":
		if r.Scope != rule.Edit && !r.Whole {
			return kind{}
		}
		return kind{edit, []glob.Pattern{pattern}}
	case rule.Read:
		return kind{read, []glob.Pattern{pattern}}
	case rule.MCP:
		name := everything
		if r.Tool != nil {
			name = *r.Tool
		}
		return kind{mcp, []glob.Pattern{pattern, name}}
	}
	if r.Whole {
		return kind{tool, nil}
	}
	return kind{}
}

// covers reports that each pattern of one kind covers that of another alike.
func covers(o, k kind) bool {
	for i := range k.patterns {
		if !o.patterns[i].Covers(k.patterns[i]) {
			return false
		}
	}
	return true
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
