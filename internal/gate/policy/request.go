// Package policy decides: it says of a tool call of the agent, under a set of
// rules and settings, whether it is allowed, denied or must be asked about.
// Derive finds what a call touches, Evaluate tries every rule, Settle says what
// follows without a person. All three are pure: no file, clock, database or
// log is inside them, so a recorded call can be decided again and gives the same
// verdict.
//
// Precedence: deny wins over allow, allow wins over ask.
package policy

import (
	"encoding/json"

	"github.com/pigate/pigate/internal/gate/paths"
)

// Request is one tool call with the facts its verdict depends on. The tags
// are the names of the fields in the journal.
type Request struct {
	// Session is Pi's session id, Call the id of the tool call, Parent the call
	// whose script made it ("" for a call of the model itself).
	Session string `json:"session"`
	Call    string `json:"call"`
	Parent  string `json:"parent,omitempty"`
	// Tool is the exact tool name, Input its arguments as one JSON value.
	Tool  string          `json:"tool"`
	Input json.RawMessage `json:"input"`
	// Cwd is the absolute working directory, Root the project's folder.
	Cwd  string `json:"cwd"`
	Root string `json:"root"`
	// Trusted is the host's word on the project. Once the guard has looked, as in
	// the journal, it says what came of that: whether the project's own file
	// counts in full, or would if there were one.
	Trusted bool `json:"trusted"`
	// Approved reports that the person said for this run that the project's files
	// may be used.
	Approved bool `json:"-"`
	// HasUI reports that a person can be asked; Mode is Pi's mode ("tui", "rpc",
	// "json", "print").
	HasUI bool   `json:"has_ui"`
	Mode  string `json:"mode,omitempty"`
	// Rows and Columns are the size of the terminal that the person sits at, 0 when
	// it is not told. They decide nothing.
	Rows    int `json:"-"`
	Columns int `json:"-"`
	// ParentSession is the session whose sub-agent makes the call, "" for none, and
	// Agent what the sub-agent is called.
	ParentSession string `json:"-"`
	Agent         string `json:"-"`
	// OS is runtime.GOOS of the machine the call runs on, Home its home folder.
	OS   string `json:"os"`
	Home string `json:"home"`
	// Installation is where the files are that the gate protects.
	Installation Installation `json:"installation"`
	// Checkout is what else belongs to the project.
	Checkout Checkout `json:"checkout,omitzero"`
}

// Checkout says what of a git repository belongs to a call's project. All of it
// is absolute. It is empty outside of any, and in entries of the journal from
// before it was recorded.
type Checkout struct {
	// Top is the uppermost folder of the working tree. Below it, and in the other
	// folders here, the files of every .pi are kept for Pi and the gate.
	Top string `json:"top,omitempty"`
	// Configured are folders, besides the project's, whose configuration may count.
	Configured []string `json:"configured,omitempty"`
	// Worktrees are the folders in the repository's other working trees that
	// correspond to the project's.
	Worktrees []string `json:"worktrees,omitempty"`
}

// siblings are the folders, with slashes, that correspond to the project's in
// the other working trees of its repository.
func (r Request) siblings() []string {
	list := make([]string, len(r.Checkout.Worktrees))
	for i, folder := range r.Checkout.Worktrees {
		list[i] = paths.Slash(folder, r.place())
	}
	return list
}

func (r Request) place() paths.Place {
	return paths.Place{OS: r.OS, Cwd: r.Cwd, Home: r.Home}
}

// fold reports whether rules take no notice of letter case.
func (r Request) fold() bool { return r.OS == "windows" }

// LinkFacts maps absolute paths (as Call.Paths names them) to what they
// resolve to when every symbolic link of the deepest existing ancestor is
// followed. A path that is missing is its own resolution.
type LinkFacts map[string]string

// Resolve returns what an absolute path resolves to; a path without a fact is
// its own resolution.
func (l LinkFacts) Resolve(abs string) string {
	if to, ok := l[abs]; ok && to != "" {
		return to
	}
	return abs
}

// Moved keeps only the links that lead elsewhere.
func (l LinkFacts) Moved() LinkFacts {
	var out LinkFacts
	for from, to := range l {
		if from != to && to != "" {
			if out == nil {
				out = LinkFacts{}
			}
			out[from] = to
		}
	}
	return out
}
