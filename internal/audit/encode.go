package audit

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/pigate/pigate/internal/gate"
)

// head is what every entry says of itself. Its fields win over those of the
// same name in a body.
type head struct {
	Kind    gate.Kind `json:"kind"`
	Time    int64     `json:"time"`
	Session string    `json:"session,omitempty"`
	Call    string    `json:"call,omitempty"`
}

// encode writes an entry as the text that is stored: one JSON object, the head
// and the body on one level, fields in the order they are declared, keys of
// maps sorted, no insignificant space, only what JSON demands escaped. These
// bytes are the entry; nothing ever writes them again.
func encode(e *gate.Entry) ([]byte, error) {
	h := head{e.Kind, e.Time, e.Session, e.Call}
	if e.Time <= 0 {
		return nil, fmt.Errorf("the entry of kind %q has no time", e.Kind)
	}
	var object any
	var missing bool
	switch e.Kind {
	case gate.KindDecision:
		missing = e.Decision == nil
		if !missing {
			d := *e.Decision
			d.Input = shallow(d.Input)
			object = decisionEntry{h, &d}
		}
	case gate.KindOutcome:
		missing, object = e.Outcome == nil, outcomeEntry{h, e.Outcome}
	case gate.KindSessionStart:
		missing, object = e.Start == nil, startEntry{h, e.Start}
	case gate.KindSessionEnd:
		missing, object = e.End == nil, struct {
			head
			*gate.SessionEnd
		}{h, e.End}
	case gate.KindRulesSaved:
		missing, object = e.Saved == nil, struct {
			head
			*gate.RulesSaved
		}{h, e.Saved}
	case gate.KindWarning:
		missing, object = e.Warning == nil, struct {
			head
			*gate.Warning
		}{h, e.Warning}
	default:
		return nil, fmt.Errorf("the entry is of unknown kind %q", e.Kind)
	}
	if missing {
		return nil, fmt.Errorf("the entry of kind %q has no body", e.Kind)
	}
	return marshal(object)
}

type decisionEntry struct {
	head
	*gate.Decision
}

type outcomeEntry struct {
	head
	*gate.Outcome
}

type startEntry struct {
	head
	*gate.SessionStart
}

func marshal(object any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(object); err != nil {
		return nil, fmt.Errorf("encode entry: %w", err)
	}
	// The input of a call is copied as it came, broken characters and all.
	return bytes.ToValidUTF8(bytes.TrimSuffix(buf.Bytes(), []byte("\n")), []byte("\uFFFD")), nil
}

// maxDepth is how deep the input of a call may nest: SQLite refuses to look
// into JSON of more than 1000 levels.
const maxDepth = 500

// shallow returns input, or its text as one JSON string when it nests so deep
// that the entry could not be stored.
func shallow(input json.RawMessage) json.RawMessage {
	depth, deepest, quoted := 0, 0, false
	for i := 0; i < len(input); i++ {
		switch c := input[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	if deepest <= maxDepth {
		return input
	}
	text, err := json.Marshal(string(input))
	if err != nil {
		return json.RawMessage("null") // no string fails to encode
	}
	return text
}
