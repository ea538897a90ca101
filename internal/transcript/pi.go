package transcript

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"

	"github.com/pigate/pigate/internal/gate"
)

// pi reads the session files of Pi, versions 1 to 3. Their form is in Pi's
// docs/session-format.md and docs/message-types.md.
type pi struct {
	pending
	session, parent, cwd string
	began, now           int64 // µs: when the session began, the last time seen
	timed                bool  // this file says how long tools took
	unsure               []Call
}

type piLine struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Timestamp json.RawMessage `json:"timestamp"`
	Cwd       string          `json:"cwd"`
	// ParentSession is the file that the session was forked from.
	ParentSession string     `json:"parentSession"`
	Message       *piMessage `json:"message"`
}

type piMessage struct {
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	Timestamp json.RawMessage `json:"timestamp"`
	// of a tool's result
	ToolCallID  string   `json:"toolCallId"`
	IsError     bool     `json:"isError"`
	DurationMs  *float64 `json:"durationMs"`
	NestedCalls *struct {
		Calls []piNested `json:"calls"`
	} `json:"nestedCalls"`
	// of a command of the person
	Command   *string `json:"command"`
	ExitCode  *int    `json:"exitCode"`
	Cancelled bool    `json:"cancelled"`
}

type piNested struct {
	ID             string          `json:"id"`
	Name           string          `json:"name"`
	Arguments      json.RawMessage `json:"arguments"`
	ArgumentsBytes int64           `json:"argumentsBytes"`
	Status         string          `json:"status"`
	DurationMs     *float64        `json:"durationMs"`
}

type piBlock struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Text      string          `json:"text"`
}

func (p *pi) knows(l *anyLine) bool {
	return l.Type == "session" && l.ID != "" || l.Type == "message" && len(l.Message) > 0
}

// A word between quotes cannot stand inside a text, where the quotes would be
// escaped.
func (p *pi) wants(text []byte) bool {
	return bytes.Contains(text, []byte(`"toolResult"`)) || bytes.Contains(text, []byte(`"toolCall"`)) ||
		bytes.Contains(text, []byte(`"bashExecution"`)) || bytes.Contains(text, []byte(`"session"`))
}

func (p *pi) line(text []byte, at Place) error {
	var l piLine
	if err := decode(text, &l); err != nil {
		return err
	}
	if t := micros(l.Timestamp); t != 0 {
		p.now = t
	} else if l.Message != nil {
		if t := micros(l.Message.Timestamp); t != 0 {
			p.now = t
		}
	}
	switch {
	case l.Type == "session":
		p.session, p.cwd, p.began, p.parent = l.ID, l.Cwd, p.now, sessionOf(l.ParentSession)
		return nil
	case l.Type != "message" || l.Message == nil:
		return nil
	}
	switch l.Message.Role {
	case "assistant":
		return p.calls(l.Message, at)
	case "toolResult":
		return p.result(l.Message, at)
	case "bashExecution":
		return p.command(&l, at)
	}
	return nil
}

// sessionOf is the id in the name of a session file, TIME_ID.jsonl.
func sessionOf(file string) string {
	name := path.Base(strings.ReplaceAll(file, `\`, "/"))
	_, id, ok := strings.Cut(strings.TrimSuffix(name, ".jsonl"), "_")
	if !ok {
		return ""
	}
	return id
}

// call is a call at this moment of this session. Lines from before the session
// began were copied into it when it was forked.
func (p *pi) call(at Place) (Call, error) {
	if p.now == 0 {
		return Call{}, errNoTime
	}
	c := Call{Source: Pi, Session: p.session, Cwd: p.cwd, Root: p.cwd, Time: p.now, Place: at}
	if p.parent != "" && p.now < p.began {
		c.Session, c.Copied, c.Fork = p.parent, true, p.session
	}
	return c, nil
}

func (p *pi) calls(m *piMessage, at Place) error {
	var blocks []piBlock
	if len(m.Content) == 0 || m.Content[0] != '[' {
		return nil
	}
	if err := decode(m.Content, &blocks); err != nil {
		return err
	}
	for _, b := range blocks {
		if b.Type != "toolCall" || b.Name == "" {
			continue
		}
		c, err := p.call(at)
		if err != nil {
			return err
		}
		c.ID, c.Tool, c.Input = b.ID, b.Name, b.Arguments
		p.add(b.ID, c)
	}
	return nil
}

// command is one that the person ran.
func (p *pi) command(l *piLine, at Place) error {
	if l.Message.Command == nil {
		return nil
	}
	c, err := p.call(at)
	if err != nil {
		return err
	}
	c.ID, c.Tool, c.User, c.Result = l.ID, "bash", true, gate.ResultError
	c.Input = object(map[string]string{"command": *l.Message.Command})
	if l.Message.ExitCode != nil && *l.Message.ExitCode == 0 && !l.Message.Cancelled {
		c.Result = gate.ResultOK
	}
	p.done = append(p.done, c)
	return nil
}
