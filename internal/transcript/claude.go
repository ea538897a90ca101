package transcript

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/pigate/pigate/internal/gate"
)

// claude reads the transcripts of Claude Code. There is no description of their
// form but the files themselves.
type claude struct {
	pending
	root string
	now  int64
}

type claudeLine struct {
	Type      string          `json:"type"`
	Session   string          `json:"sessionId"`
	Timestamp json.RawMessage `json:"timestamp"`
	Cwd       string          `json:"cwd"`
	Message   json.RawMessage `json:"message"`
}

type claudeBlock struct {
	Type string `json:"type"`
	// of a call
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
	// of a result
	ToolUseID string          `json:"tool_use_id"`
	IsError   bool            `json:"is_error"`
	Content   json.RawMessage `json:"content"`
}

func (c *claude) knows(l *anyLine) bool { return l.SessionID != "" || l.Type == "summary" }

func (c *claude) wants(text []byte) bool {
	return bytes.Contains(text, []byte(`"tool_use"`)) || bytes.Contains(text, []byte(`"tool_result"`)) ||
		c.root == "" && bytes.Contains(text, []byte(`"cwd"`))
}

func (c *claude) line(text []byte, at Place) error {
	var l claudeLine
	if err := decode(text, &l); err != nil {
		return err
	}
	if t := micros(l.Timestamp); t != 0 {
		c.now = t
	}
	if c.root == "" {
		c.root = l.Cwd
	}
	if l.Type != "assistant" && l.Type != "user" {
		return nil
	}
	var message struct {
		Content json.RawMessage `json:"content"`
	}
	var blocks []claudeBlock
	if err := decode(l.Message, &message); err != nil {
		return err
	}
	if len(message.Content) == 0 || message.Content[0] != '[' {
		return nil
	}
	if err := decode(message.Content, &blocks); err != nil {
		return err
	}
	for _, b := range blocks {
		switch {
		case l.Type == "assistant" && b.Type == "tool_use" && b.Name != "":
			if c.now == 0 {
				return errNoTime
			}
			call := Call{Source: Claude, Session: l.Session, ID: b.ID, Cwd: l.Cwd, Root: c.root, Time: c.now, Place: at}
			call.Tool, call.Input = claudeTool(b.Name, b.Input)
			c.add(b.ID, call)
		case l.Type == "user" && b.Type == "tool_result":
			c.answer(b.ToolUseID, b.result())
		}
	}
	return nil
}

// refusals are how the texts begin that stand in place of a result when Claude
// Code did not run a tool: the person said no, a permission rule or a hook did,
// or the arguments were refused.
var refusals = []string{
	"The user doesn't want to proceed with this tool use",
	"The user doesn't want to take this action right now",
	"Permission to use ",
	"Permission for this ",
	"Claude requested permissions to ",
	"PreToolUse:",
	"<tool_use_error>",
}

func (b *claudeBlock) result() gate.Result {
	if !b.IsError {
		return gate.ResultOK
	}
	for _, text := range textOf(b.Content) {
		for _, words := range refusals {
			if strings.HasPrefix(text, words) {
				return gate.ResultRefused
			}
		}
	}
	return gate.ResultError
}

// claudeTools maps the tools of Claude Code to those of Pi, and their arguments,
// old name to new. Arguments that are not named are left out: they change
// nothing that a rule looks at.
var claudeTools = map[string]struct {
	tool  string
	names map[string]string
}{
	"Bash":         {"bash", map[string]string{"command": "command"}},
	"PowerShell":   {"powershell", map[string]string{"command": "command"}},
	"Edit":         {"edit", map[string]string{"file_path": "path", "old_string": "oldText", "new_string": "newText"}},
	"MultiEdit":    {"edit", map[string]string{"file_path": "path", "edits": "edits"}},
	"NotebookEdit": {"edit", map[string]string{"notebook_path": "path", "new_source": "newText"}},
	"Write":        {"write", map[string]string{"file_path": "path", "content": "content"}},
	"Read":         {"read", map[string]string{"file_path": "path", "offset": "offset", "limit": "limit"}},
	"Grep":         {"grep", map[string]string{"pattern": "pattern", "path": "path", "glob": "glob"}},
	"Glob":         {"find", map[string]string{"pattern": "pattern", "path": "path"}},
	"LS":           {"ls", map[string]string{"path": "path"}},
}

func claudeTool(name string, input json.RawMessage) (string, json.RawMessage) {
	if strings.HasPrefix(name, "mcp__") {
		return mcpName(name), input
	}
	known, ok := claudeTools[name]
	if !ok {
		return name, input
	}
	return known.tool, renamed(input, known.names)
}

// renamed is an object with the named fields under their new names, and with no
// others.
func renamed(input json.RawMessage, names map[string]string) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(input, &fields) != nil {
		return input
	}
	out := make(map[string]json.RawMessage, len(names))
	for old, name := range names {
		if value, ok := fields[old]; ok {
			out[name] = value
		}
	}
	return object(out)
}
