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
	args     bool // it is about less: about calls with certain arguments
}

// everything matches any text.
var everything = glob.Compile("*")

func kindOf(r *rule.Rule) kind {
	if r.Args != nil {
		wide := *r
		wide.Args = nil
		wide.Whole = r.Scope != rule.MCP && r.Pattern.String() == ""
		k := kindOf(&wide)
		k.args = true
		return k
	}
	pattern := r.Pattern
	if r.Whole {
		pattern = everything
	}
	one := []glob.Pattern{pattern}
	switch {
	case r.Scope == rule.Shell:
		return kind{name: shell, tools: []string{"bash", "powershell"}, patterns: one}
	case r.Scope == rule.Edit:
		return kind{name: edit, tools: []string{"write", "edit"}, patterns: one}
	case r.Scope == rule.MCP:
		name := everything
		if r.Tool != nil {
			name = *r.Tool
		}
		return kind{name: mcp, tools: []string{"mcp"}, patterns: []glob.Pattern{pattern, name}}
	case r.Scope == rule.Read && !r.Whole:
		return kind{name: read, tools: []string{"read"}, patterns: one}
	case !r.Whole:
		return kind{}
	case r.Scope == "bash" || r.Scope == "powershell":
		return kind{name: shell, tools: []string{r.Scope}, patterns: one}
	case r.Scope == "write":
		return kind{name: edit, tools: []string{r.Scope}, patterns: one}
	}
	if server, name, ok := rule.SplitMCP(r.Scope); ok {
		return kind{name: mcp, tools: []string{"mcp"}, patterns: []glob.Pattern{glob.Compile(glob.Escape(server)), glob.Compile(glob.Escape(name))}}
	}
	return kind{name: other, tools: []string{r.Scope}}
}

// covers reports that each pattern of o covers that of k, whatever the arguments.
func covers(o, k kind) bool {
	if o.args {
		return false
	}
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

// arguments are values that the arguments of an allow rule and of one that stops
// both match; ok is false when one of them has none.
func arguments(r, stop *rule.Rule) (names, values []string, ok bool) {
	ok = true
	add := func(a rule.Arg, with []rule.Arg) {
		all := []glob.Pattern{a.Value}
		for _, b := range with {
			if b.Name == a.Name {
				all = append(all, b.Value)
			}
		}
		if slices.Contains(names, a.Name) {
			return
		}
		found := false
		glob.Shortest(all, nil, func(text string) bool {
			names, values, found = append(names, a.Name), append(values, text), true
			return false
		})
		ok = ok && found
	}
	var others []rule.Arg
	if stop != nil {
		others = stop.Args
	}
	for _, a := range r.Args {
		add(a, others)
	}
	for _, b := range others {
		add(b, nil)
	}
	return names, values, ok
}
