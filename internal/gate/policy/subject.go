package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pigate/pigate/internal/gate/rule"
)

// Subject is the call in full, for the person.
func (c *Call) Subject() string {
	switch {
	case c.Bad != "" || c.Scope == "":
		return shown(c.Request.Input)
	case c.Scope == rule.MCP:
		return c.Resources[0].Text + "\n" + shown(c.Request.Input)
	case c.Scope == rule.Edit:
		return c.Resources[0].Text + c.size()
	}
	return middle(c.Target())
}

// maxShown is how much of a call, in bytes, is prepared for showing; a title
// has room for less.
const maxShown = 16 << 10

// shown is an input as it may be shown: a long one is not even taken apart.
func shown(input json.RawMessage) string {
	if len(input) > maxShown {
		return middle(string(input))
	}
	return Compact(input)
}

// middle cuts a long text in its middle.
func middle(s string) string {
	if len(s) <= maxShown {
		return s
	}
	half := maxShown / 2
	return fmt.Sprintf("%s\n… %d more bytes …\n%s", strings.ToValidUTF8(s[:half], ""), len(s)-2*half, strings.ToValidUTF8(s[len(s)-half:], ""))
}

// size says how much an edit would write.
func (c *Call) size() string {
	var input struct {
		Content *string           `json:"content"`
		Edits   []json.RawMessage `json:"edits"`
	}
	if json.Unmarshal(c.Request.Input, &input) != nil {
		return ""
	}
	switch {
	case input.Content != nil:
		return fmt.Sprintf(" (%d bytes)", len(*input.Content))
	case len(input.Edits) == 1:
		return " (1 replacement)"
	case len(input.Edits) > 1:
		return fmt.Sprintf(" (%d replacements)", len(input.Edits))
	}
	return ""
}

// maxCompact is the longest input, in bytes, whose keys are sorted; the same
// bytes again are the same call in any case.
const maxCompact = 256 << 10

// Compact returns the JSON with its object keys sorted and without blanks.
func Compact(input json.RawMessage) string {
	if len(input) > maxCompact {
		return string(input)
	}
	decoder := json.NewDecoder(bytes.NewReader(input))
	decoder.UseNumber() // digits stay as they were written
	var value any
	if decoder.Decode(&value) != nil {
		return string(input)
	}
	out, err := json.Marshal(value)
	if err != nil {
		return string(input)
	}
	return string(out)
}

// Target names what the call touches, for people: the command, the path, the
// MCP server and tool, or the input.
func (c *Call) Target() string {
	switch {
	case c.Bad != "":
		return Compact(c.Request.Input)
	case c.Analysis != nil:
		return c.Command
	case len(c.Resources) > 0:
		return c.Resources[0].Text
	}
	return Compact(c.Request.Input)
}
