package transcript

import (
	"bytes"
	"encoding/json"
	"strings"
)

// textOf are the texts of a content: a text, or a list of blocks with texts.
func textOf(content json.RawMessage) []string {
	if len(content) == 0 {
		return nil
	}
	if content[0] == '"' {
		var s string
		if json.Unmarshal(content, &s) != nil {
			return nil
		}
		return []string{s}
	}
	var blocks []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(content, &blocks) != nil {
		return nil
	}
	list := make([]string, len(blocks))
	for i, b := range blocks {
		list[i] = b.Text
	}
	return list
}

// object is the JSON of what always encodes.
func object(value any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(value) != nil {
		return json.RawMessage("null")
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// omitted stands for arguments that the file left out.
func omitted(bytes int64) json.RawMessage { return object(map[string]int64{"omitted_bytes": bytes}) }

// mcpName is the name that Pi gives to a tool of an MCP server: every character
// that is no letter, digit or underscore becomes an underscore.
func mcpName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
}
