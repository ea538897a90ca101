package policy

import (
	"bytes"
	"encoding/json"
	"sort"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/paths"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/gate/shell"
	"github.com/pigate/pigate/internal/gate/touch"
)

// ResourceKind is the scope of rules that a resource is matched against.
type ResourceKind string

// The kinds of resource.
const (
	ShellUnit ResourceKind = "shell"
	EditPath  ResourceKind = "edit"
	MCPTool   ResourceKind = "mcp"
)

// Resource is what a rule is matched against.
type Resource struct {
	Kind ResourceKind `json:"kind"`
	// Text is the unit's source text, the path relative to the project (absolute
	// when outside), or "server:tool".
	Text string `json:"text"`
	// Start and End are the unit's span in the command line, in bytes.
	Start int `json:"start"`
	End   int `json:"end"`
	// Via says how a unit is reached; "" at the top.
	Via string `json:"via,omitempty"`
	// Path is the absolute target of an edit.
	Path string `json:"path,omitempty"`
}

// Call is a request with what was derived from it, ready to be evaluated under
// any policy.
type Call struct {
	Request   Request
	Resources []Resource
	// Command is the text of a shell tool; Analysis what was found in it.
	Command  string
	Analysis *shell.Analysis
	// Bad says what is wrong with the input, "" when it can be read.
	Bad string

	// Scope is that of the rules for the tool: rule.Shell, rule.Edit, rule.MCP, or
	// "" for a tool that has none.
	Scope string
	// programs is what its command was read by, and beside the same call as the
	// other catalogues read it that judge.
	programs *catalog.Layers
	beside   []*Call
	// read is the absolute path that one of Pi's reading tools looks at, "" when it
	// names none.
	read string
	// server and tool are the two parts of an MCP tool's name.
	server, tool string
}

// scopes maps the tools that have resources to the scope of their rules.
var scopes = map[string]string{
	"bash": rule.Shell, "powershell": rule.Shell,
	"edit": rule.Edit, "write": rule.Edit,
}

// passing are the tools that are never touched unless a deny rule names them:
// they read, or everything they do passes the gate on its own.
var passing = map[string]bool{
	"read": true, "grep": true, "find": true, "ls": true,
	"codemode": true, "tool_search": true, "question": true,
	"list_mcp_resources": true, "list_mcp_resource_templates": true, "read_mcp_resource": true,
}

// Derive finds the resources of a request by what this binary knows of programs.
// It never fails: input that is missing or of the wrong type is noted in Bad, and
// then the call asks.
func Derive(req Request) *Call { return derive(req, nil) }

// Derive finds the resources of a request by what the policy knows of programs,
// and is like the function of that name else.
func (p *Policy) Derive(req Request) *Call { return derive(req, p.Settings.Programs) }

// Under is the call as the policy reads it: the same, unless the policy knows
// other programs than what derived it.
func (c *Call) Under(p *Policy) *Call {
	if c.programs == p.Settings.Programs {
		return c
	}
	return p.Derive(c.Request)
}

func derive(req Request, programs *catalog.Layers) *Call {
	own := programs.Own()
	c := deriveBy(req, own)
	c.programs = programs
	if c.Scope != rule.Shell || c.Bad != "" {
		return c
	}
	for _, step := range programs.Steps() {
		if step != own {
			c.beside = append(c.beside, deriveBy(req, step))
		}
	}
	return c
}

// deriveBy finds the resources of a request by one catalogue.
func deriveBy(req Request, known *catalog.Catalog) *Call {
	c := &Call{Request: req, Scope: scopes[req.Tool]}
	switch c.Scope {
	case rule.Shell:
		c.deriveShell(known)
	case rule.Edit:
		c.deriveEdit()
	case "":
		if _, reads := readingTools[req.Tool]; reads {
			c.deriveRead()
			break
		}
		if server, tool, ok := rule.SplitMCP(req.Tool); ok {
			c.Scope, c.server, c.tool = rule.MCP, server, tool
			c.Resources = []Resource{{Kind: MCPTool, Text: server + ":" + tool}}
		}
	}
	return c
}

// Target is what of a call a person decides about: the command of a shell tool,
// the path of an edit as the agent wrote it, and the whole input of any other
// tool, or of one that has no such field. It is the same for an input and for
// what the journal keeps of it, as long as no secret was masked.
func Target(tool string, input json.RawMessage) string {
	input = RecordedInput(tool, input)
	field := map[string]string{rule.Shell: "command", rule.Edit: "path"}[scopes[tool]]
	if field != "" {
		if text, problem := stringField(input, field); problem == "" {
			return text
		}
	}
	var text bytes.Buffer
	if json.Compact(&text, input) != nil {
		return "null" // as the journal has it
	}
	return text.String()
}

// readingTools are Pi's tools that look at files, and how far each goes: grep
// reads what lies below a folder, find and ls name what a folder holds.
var readingTools = map[string]touch.Reach{"read": touch.Itself, "grep": touch.Below, "find": touch.Listing, "ls": touch.Listing}

// deriveRead finds the path of a reading tool, without one the working directory.
// A path that cannot be read names no file to Pi either.
func (c *Call) deriveRead() {
	arg, problem := stringField(c.Request.Input, "path")
	if problem != "" {
		if c.Request.Tool == "read" {
			return
		}
		arg = "."
	}
	if abs, ok := paths.Absolute(arg, c.Request.place()); ok {
		c.read = abs
	}
}

func (c *Call) deriveShell(known *catalog.Catalog) {
	command, problem := stringField(c.Request.Input, "command")
	if problem != "" {
		c.Bad = problem
		return
	}
	c.analyse(command, known)
}

// analyse finds the units of a command line.
func (c *Call) analyse(command string, known *catalog.Catalog) {
	c.Command = command
	var a shell.Analysis
	if reader := (shell.Reader{Known: known}); c.Request.Tool == "powershell" {
		a = reader.PowerShell(command)
	} else {
		a = reader.Bash(command)
	}
	c.Analysis = &a
	c.Resources = make([]Resource, len(a.Units))
	for i := range a.Units {
		c.Resources[i] = unitResource(&a.Units[i])
	}
}

func unitResource(u *shell.Unit) Resource {
	return Resource{Kind: ShellUnit, Text: u.Text, Start: u.Start, End: u.End, Via: u.Via}
}

func (c *Call) deriveEdit() {
	arg, problem := stringField(c.Request.Input, "path")
	if problem != "" {
		c.Bad = problem
		return
	}
	abs, ok := paths.Absolute(arg, c.Request.place())
	if !ok {
		c.Bad = `the "path" names no file`
		return
	}
	c.Resources = []Resource{c.Request.pathResource(abs)}
}

// pathResource describes an absolute target: relative to the project when it
// is inside.
func (r Request) pathResource(abs string) Resource {
	res := Resource{Kind: EditPath, Text: abs, Path: abs}
	if rel, inside := paths.Inside(abs, r.ProjectRoot(), r.fold()); inside {
		res.Text = rel
	}
	return res
}

// ProjectRoot returns the project's folder with slashes, absolute: Root, or Cwd
// where there is none.
func (r Request) ProjectRoot() string {
	root := r.Root
	if root == "" {
		root = r.Cwd
	}
	return paths.Slash(root, r.place())
}

// stringField reads one string out of the input. problem is "" or says in
// words what is wrong.
func stringField(input json.RawMessage, name string) (value, problem string) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(input, &fields); err != nil || fields == nil {
		return "", "the input is not an object"
	}
	raw, ok := fields[name]
	if !ok {
		return "", `"` + name + `" is missing`
	}
	if err := json.Unmarshal(raw, &value); err != nil || bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		return "", `"` + name + `" is not a text`
	}
	return value, ""
}

// maxPaths bounds the paths of one call whose link facts are looked up.
const maxPaths = 200

// Paths lists the absolute paths whose link facts Evaluate needs, sorted: the
// project, the target of an edit, what the commands touch as far as it is known,
// and, where something is written, the protected files.
func (c *Call) Paths() []string {
	set, writes := map[string]bool{}, false
	switch {
	case c.Scope == rule.Edit:
		for _, r := range c.Resources {
			set[r.Path], writes = true, true
		}
	case c.read != "":
		set[c.read] = true
	case c.Analysis != nil:
		for _, read := range append([]*Call{c}, c.beside...) {
			for _, r := range read.Analysis.Redirections {
				for _, abs := range read.redirectionPaths(r) {
					set[abs], writes = true, true
				}
			}
		}
		writes = c.touchedPaths(set) || writes
	}
	if len(set) == 0 {
		return nil
	}
	set[c.Request.ProjectRoot()] = true
	if writes {
		for _, k := range c.Request.kept() {
			set[k.path] = true
		}
	}
	list := make([]string, 0, len(set))
	for p := range set {
		list = append(list, p)
	}
	sort.Strings(list)
	return list
}

// Analyser names the version of the analysis that derived a call's resources.
// It changes whenever the same text can give other resources.
const Analyser = "1"

// touchedPaths adds the known paths that the commands touch, and reports whether
// one of them is written or deleted.
func (c *Call) touchedPaths(set map[string]bool) (writes bool) {
	line := c.line()
	for i := range c.Analysis.Units {
		if r, w := line.Needs(i); !r && !w {
			continue
		}
		for _, t := range line.Unit(i) {
			abs, known := t.Path.Known()
			if known && len(set) < maxPaths {
				set[abs] = true
			}
			writes = writes || t.Action.Writes()
		}
	}
	return writes
}
