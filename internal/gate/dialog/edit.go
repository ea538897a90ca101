package dialog

import (
	"encoding/json"
	"strings"

	"github.com/pigate/pigate/internal/text"
)

// edit is the input of the tools that change files.
type edit struct {
	content *string
	edits   []replacement
	// others are fields that say neither, as JSON; "" when there are none.
	others string
}

type replacement struct{ before, after string }

// readEdit reads the input of a tool that changes a file as Pi does: the case of
// names counts. What has another shape is among the others.
func readEdit(input json.RawMessage) (e edit, ok bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(input, &fields) != nil {
		return e, false
	}
	delete(fields, "path")
	var content string
	if raw := fields["content"]; raw != nil && raw[0] == '"' && json.Unmarshal(raw, &content) == nil {
		e.content = &content
		delete(fields, "content")
	}
	if list, ok := readReplacements(fields["edits"]); ok {
		e.edits = list
		delete(fields, "edits")
	}
	if len(fields) > 0 {
		others, err := json.Marshal(fields)
		if err != nil {
			return e, false
		}
		e.others = string(others)
	}
	return e, true
}

// readReplacements reads a list of objects with an old text, a new text and nothing
// else.
func readReplacements(raw json.RawMessage) (list []replacement, ok bool) {
	var items []map[string]json.RawMessage
	if raw == nil || json.Unmarshal(raw, &items) != nil {
		return nil, false
	}
	for _, item := range items {
		var r replacement
		before, after := item["oldText"], item["newText"]
		if len(item) != 2 || before == nil || after == nil || json.Unmarshal(before, &r.before) != nil || json.Unmarshal(after, &r.after) != nil {
			return nil, false
		}
		list = append(list, r)
	}
	return list, true
}

// changed shows what an edit changes: the lines that go and those that come, of
// each replacement without what both have at their ends; of a whole file all of
// its lines; and what else the input holds.
func changed(input json.RawMessage) (lines []string) {
	e, ok := readEdit(input)
	if !ok {
		return []string{text.Visible(string(input))}
	}
	for i, r := range e.edits {
		if i > 0 {
			lines = append(lines, "…")
		}
		before, after := split(r.before), split(r.after)
		for len(before) > 0 && len(after) > 0 && before[0] == after[0] {
			before, after = before[1:], after[1:]
		}
		for len(before) > 0 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
			before, after = before[:len(before)-1], after[:len(after)-1]
		}
		lines = append(marked(lines, "- ", before), marked(nil, "+ ", after)...)
	}
	if e.content != nil {
		lines = marked(lines, "+ ", split(*e.content))
	}
	if e.others != "" {
		lines = append(lines, "other fields: "+text.Visible(e.others))
	}
	return lines
}

func split(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(cut(s), "\n"), "\n")
}

func marked(to []string, mark string, lines []string) []string {
	for _, line := range lines {
		to = append(to, mark+strings.ReplaceAll(text.VisibleLines(line), "\n", " "))
	}
	return to
}
