package audit

import "encoding/json"

// shown are the fields of an entry that Row has under the same name.
var shown = []string{"kind", "time", "session", "tool", "input", "resources", "verdict", "reasons", "answer", "decision", "basis", "exit_code", "duration_us", "mismatch"}

// Detail returns what the entry says besides the fields of Row, as one JSON
// object with its keys sorted; docs/json.md lists them for each kind. It is {}
// when there is nothing else, or Body is no object.
func (r Row) Detail() json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(r.Body, &fields) != nil || fields == nil {
		return json.RawMessage("{}")
	}
	for _, name := range shown {
		delete(fields, name)
	}
	return object(fields)
}

// MarshalJSON writes the fields of Row, and Detail as "detail".
func (r Row) MarshalJSON() ([]byte, error) {
	type fields Row
	return marshal(struct {
		fields
		Detail json.RawMessage `json:"detail"`
	}{fields(r), r.Detail()})
}
