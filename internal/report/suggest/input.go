package suggest

import "encoding/json"

// input is the argument of a tool that takes one text.
func input(field, text string) json.RawMessage {
	raw, err := json.Marshal(map[string]string{field: text})
	if err != nil {
		return json.RawMessage("null") // a map of strings always encodes
	}
	return raw
}
