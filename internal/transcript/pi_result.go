package transcript

import (
	"encoding/json"
	"strings"

	"github.com/pigate/pigate/internal/gate"
)

// result says what became of a call. What did not run has no duration, but
// older versions of Pi never wrote one; so a failure without any waits for a
// duration elsewhere in the file.
func (p *pi) result(m *piMessage, at Place) error {
	p.timed = p.timed || m.DurationMs != nil
	if p.timed {
		p.settle(gate.ResultRefused)
	}
	if err := p.nested(m, at); err != nil {
		return err
	}
	switch {
	case !m.IsError:
		p.answer(m.ToolCallID, gate.ResultOK)
	case m.DurationMs != nil || ranByWords(m.Content):
		p.answer(m.ToolCallID, gate.ResultError)
	case p.timed || refusedByWords(m.Content):
		p.answer(m.ToolCallID, gate.ResultRefused)
	default:
		p.unsure = append(p.unsure, p.waiting[m.ToolCallID]...)
		delete(p.waiting, m.ToolCallID)
		if len(p.unsure) > maxPending {
			p.settle("")
		}
	}
	return nil
}

// settle hands out the failures of which it was unknown whether they ran.
func (p *pi) settle(result gate.Result) {
	for i := range p.unsure {
		p.unsure[i].Result = result
	}
	p.done, p.unsure = append(p.done, p.unsure...), nil
}

func (p *pi) end() {
	p.settle("")
	p.pending.end()
}

// nested are the calls that a script made. They have no time of their own.
func (p *pi) nested(m *piMessage, at Place) error {
	if m.NestedCalls == nil {
		return nil
	}
	for _, n := range m.NestedCalls.Calls {
		if n.Name == "" {
			continue
		}
		c, err := p.call(at)
		if err != nil {
			return err
		}
		for _, parent := range p.waiting[m.ToolCallID] {
			c.Time, c.Session, c.Copied, c.Fork = parent.Time, parent.Session, parent.Copied, parent.Fork
		}
		c.ID, c.Parent, c.Tool, c.Input = n.ID, m.ToolCallID, n.Name, n.Arguments
		if len(c.Input) == 0 && n.ArgumentsBytes > 0 {
			c.Input = omitted(n.ArgumentsBytes)
		}
		switch {
		case n.Status == "ok":
			c.Result = gate.ResultOK
		case n.Status == "error" && n.DurationMs == nil:
			c.Result = gate.ResultRefused
		case n.Status == "error":
			c.Result = gate.ResultError
		}
		p.done = append(p.done, c)
	}
	return nil
}

// ranByWords recognises what Pi's bash says of a command that ran and failed.
func ranByWords(content json.RawMessage) bool {
	for _, b := range textOf(content) {
		if strings.Contains(b, "Command exited with code ") || strings.Contains(b, "Command timed out after ") {
			return true
		}
	}
	return false
}

// refusedByWords recognises what Pi says of a call that never began.
func refusedByWords(content json.RawMessage) bool {
	for _, b := range textOf(content) {
		if strings.HasPrefix(b, "Validation failed for tool ") || strings.HasPrefix(b, "Tool execution was blocked") ||
			strings.HasPrefix(b, "Tool ") && strings.HasSuffix(strings.TrimSpace(b), " not found") {
			return true
		}
	}
	return false
}
