package policy

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/pigate/pigate/internal/gate/rule"
)

// RecordedInput returns the input as it is recorded: file contents are left
// out, their size stays. The digest of the whole input stands beside it.
func RecordedInput(tool string, input json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	if scopes[tool] != "edit" || json.Unmarshal(input, &fields) != nil {
		switch {
		case len(input) > maxInput:
			return json.RawMessage(fmt.Sprintf(`{"omitted_bytes":%d}`, len(input)))
		case len(input) == 0 || !json.Valid(input):
			return json.RawMessage("null")
		}
		return input
	}
	for name, value := range fields {
		if name == "path" {
			continue
		}
		if size := len(value); size > maxField {
			short, err := json.Marshal(map[string]int{"omitted_bytes": size})
			if err != nil {
				continue // a map of integers always encodes
			}
			fields[name] = short
		}
	}
	out, err := json.Marshal(fields)
	if err != nil {
		return json.RawMessage("null")
	}
	return out
}

// DecidingField is the field of a tool's input that its resources are derived
// from: "command", "path", or "" for a tool of whose input no verdict depends.
func DecidingField(tool string) string {
	switch scopes[tool] {
	case rule.Shell:
		return "command"
	case rule.Edit:
		return "path"
	}
	return ""
}

// Omitted reports whether a recorded input stands for one that was too long to
// be recorded; see DecidingField for whether that matters.
func Omitted(input json.RawMessage) bool {
	if !bytes.Contains(input, []byte("omitted_bytes")) {
		return false
	}
	var fields map[string]int64
	return json.Unmarshal(input, &fields) == nil && len(fields) == 1 && fields["omitted_bytes"] > 0
}

// maxField is the longest argument of an edit, and maxInput the longest input
// of another tool, in bytes, that is recorded. A longer command is not even
// parsed, so nothing that a replay needs is lost.
const (
	maxField = 64
	maxInput = 64 << 10
)
