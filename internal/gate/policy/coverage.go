package policy

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/text"
)

// Coverage says which later calls an approval for the session covers. Its values
// are those of the setting for session approvals.
type Coverage string

// The two coverages. Any other value counts as CoverExact.
const (
	// CoverTarget is the original's: the same tool with the same target, which is
	// the command, the path or the MCP tool, whatever else the input holds. A call
	// without a target is its whole input.
	CoverTarget Coverage = "target"
	// CoverExact is the same tool with the same whole input.
	CoverExact Coverage = "exact"
)

// Narrower is the coverage that covers no more than either of the two.
func (c Coverage) Narrower(other Coverage) Coverage {
	if c == CoverTarget && other == CoverTarget {
		return CoverTarget
	}
	return CoverExact
}

// Exactly are the words for CoverExact.
const Exactly = "exactly this input"

// Covered says in a few words which calls an approval of this one for the
// session covers. The words hold no text of the call.
func (c *Call) Covered(by Coverage) string {
	switch {
	case by != CoverTarget || c.Bad != "":
		return Exactly
	case c.Analysis != nil:
		return "this command, any timeout or other field"
	case c.Scope == rule.MCP:
		return "this tool, any arguments"
	case c.Scope != rule.Edit:
		return Exactly
	case c.Request.Tool == "write":
		return "this file, any content"
	}
	return "this file, any edits"
}

// maxRest is how much of an input, in columns, is shown beside its target.
const maxRest = 160

// Rest is what the input holds besides the target, on one line that is safe to
// show; "" for nothing.
func (c *Call) Rest() string {
	switch {
	case c.Bad != "" || c.Scope == "":
		return ""
	case c.Scope == rule.Edit:
		return strings.TrimSpace(c.size())
	case c.Scope == rule.MCP:
		return text.Clip(text.Visible(shown(c.Request.Input)), maxRest)
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(c.Request.Input, &fields) != nil || len(fields) < 2 {
		return ""
	}
	delete(fields, "command")
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(fields) != nil {
		return ""
	}
	return text.Clip(text.Visible(strings.TrimSuffix(b.String(), "\n")), maxRest)
}
