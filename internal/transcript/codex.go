package transcript

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"
)

// codex reads the rollouts of Codex: those of 2025, in which the items stand by
// themselves and have no time, and the newer ones, in which each is wrapped
// with its time. There is no description of their form but the files
// themselves.
type codex struct {
	pending
	session, cwd, root string
	now                int64
}

type codexLine struct {
	Timestamp json.RawMessage `json:"timestamp"`
	Type      string          `json:"type"`
	Payload   json.RawMessage `json:"payload"`
}

// codexItem is an item of a conversation, or what a session or a turn begins
// with.
type codexItem struct {
	Type   string `json:"type"`
	ID     string `json:"id"`
	Cwd    string `json:"cwd"`
	Role   string `json:"role"`
	CallID string `json:"call_id"`
	Name   string `json:"name"`
	// Namespace is that of a tool of an MCP server, where it is not in the name.
	Namespace string          `json:"namespace"`
	Arguments json.RawMessage `json:"arguments"` // mostly a text that is JSON
	Input     json.RawMessage `json:"input"`
	Action    json.RawMessage `json:"action"`
	Output    json.RawMessage `json:"output"`
	Content   json.RawMessage `json:"content"`
}

type codexEvent struct {
	Type       string `json:"type"`
	CallID     string `json:"call_id"`
	ExitCode   *int   `json:"exit_code"`
	Success    *bool  `json:"success"`
	Invocation *struct {
		Server string `json:"server"`
		Tool   string `json:"tool"`
	} `json:"invocation"`
}

func (c *codex) knows(l *anyLine) bool {
	switch l.Type {
	case "session_meta", "response_item", "event_msg", "turn_context":
		return len(l.Payload) > 0
	case "message", "function_call", "function_call_output", "reasoning":
		return len(l.Message) == 0
	}
	return l.Type == "" && l.ID != "" && len(l.Timestamp) > 0
}

func (c *codex) wants(text []byte) bool {
	for _, word := range []string{"_call", `"session_meta"`, `"turn_context"`, `_end"`} {
		if bytes.Contains(text, []byte(word)) {
			return true
		}
	}
	return c.session == "" || c.cwd == ""
}

func (c *codex) line(text []byte, at Place) error {
	var l codexLine
	if err := decode(text, &l); err != nil {
		return err
	}
	if t := micros(l.Timestamp); t != 0 {
		c.now = t
	}
	raw, kind := l.Payload, l.Type
	if len(raw) == 0 {
		raw, kind = text, "response_item"
	}
	switch kind {
	case "response_item", "session_meta", "turn_context":
	case "event_msg":
		c.event(raw)
		return nil
	default:
		return nil
	}
	var item codexItem
	if err := decode(raw, &item); err != nil {
		return err
	}
	switch {
	case kind == "session_meta", kind == "response_item" && item.Type == "" && item.ID != "" && c.session == "":
		c.meta(&item)
		return nil
	case kind == "turn_context":
		c.move(item.Cwd)
		return nil
	}
	return c.item(&item, at)
}

// meta is what a session says of itself. A fork repeats that of the session it
// came from behind its own.
func (c *codex) meta(item *codexItem) {
	if c.session == "" {
		c.session = item.ID
	}
	c.move(item.Cwd)
}

func (c *codex) move(cwd string) {
	if cwd == "" {
		return
	}
	if c.root == "" {
		c.root = cwd
	}
	c.cwd = cwd
}

func (c *codex) item(item *codexItem, at Place) error {
	switch item.Type {
	case "message":
		if item.Role == "user" && c.cwd == "" {
			c.move(cwdIn(item.Content))
		}
	case "function_call", "custom_tool_call", "local_shell_call":
		return c.call(item, at)
	case "function_call_output", "custom_tool_call_output":
		c.answer(item.CallID, outputResult(item.Output))
	}
	return nil
}

// event completes what the items say. Most kinds of events are in no file.
func (c *codex) event(raw json.RawMessage) {
	var e codexEvent
	if json.Unmarshal(raw, &e) != nil {
		return // another shape: another kind
	}
	switch e.Type {
	case "exec_command_end":
		if e.ExitCode != nil {
			c.change(e.CallID, func(call *Call) { call.Result = exitResult(*e.ExitCode) })
		}
	case "patch_apply_end":
		if e.Success != nil {
			c.change(e.CallID, func(call *Call) { call.Result = successResult(*e.Success) })
		}
	case "mcp_tool_call_end":
		if i := e.Invocation; i != nil && i.Server != "" && i.Tool != "" {
			c.change(e.CallID, func(call *Call) { call.Tool = mcpName("mcp__" + i.Server + "__" + i.Tool) })
		}
	}
}

// cwdIn finds the folder in the message about its environment that older
// versions put into the conversation.
func cwdIn(content json.RawMessage) string {
	for _, text := range textOf(content) {
		if !strings.HasPrefix(text, "<environment_context>") {
			continue
		}
		_, rest, _ := strings.Cut(text, "<cwd>")
		cwd, _, ok := strings.Cut(rest, "</cwd>")
		if ok {
			return cwd
		}
	}
	return ""
}

// call notes a call, or one for each file that it changes.
func (c *codex) call(item *codexItem, at Place) error {
	switch {
	case item.Name == "" && item.Type != "local_shell_call":
		return nil
	case c.now == 0:
		return errNoTime
	}
	if item.CallID == "" {
		item.CallID = item.ID
	}
	base := Call{Source: Codex, Session: c.session, ID: item.CallID, Cwd: c.cwd, Root: c.root, Time: c.now, Place: at}
	calls := item.calls(base)
	for i := range calls {
		if len(calls) > 1 {
			calls[i].ID = numbered(item.CallID, i+1)
		}
	}
	c.add(item.CallID, calls...)
	return nil
}

// within is the folder that a call names to run in, seen from cwd.
func within(cwd, folder string) string {
	switch {
	case folder == "":
		return cwd
	case path.IsAbs(folder), len(folder) > 2 && folder[1] == ':', strings.HasPrefix(folder, `\\`), cwd == "":
		return folder
	}
	return path.Join(strings.ReplaceAll(cwd, `\`, "/"), folder)
}
