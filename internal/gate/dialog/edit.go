package dialog

import (
	"encoding/json"
	"strings"

	"github.com/pigate/pigate/internal/text"
)

// edit is the input of the tools that change files.
type edit struct {
	Content *string `json:"content"`
	Edits   []struct {
		Old string `json:"oldText"`
		New string `json:"newText"`
	} `json:"edits"`
}

// changed shows what an edit changes: the lines that go and those that come, of
// each replacement without what both have at their ends; of a whole file all of
// its lines. It is nil for an input that says neither.
func changed(input json.RawMessage) (lines []string) {
	var e edit
	if json.Unmarshal(input, &e) != nil {
		return nil
	}
	for i, r := range e.Edits {
		if i > 0 {
			lines = append(lines, "…")
		}
		before, after := split(r.Old), split(r.New)
		for len(before) > 0 && len(after) > 0 && before[0] == after[0] {
			before, after = before[1:], after[1:]
		}
		for len(before) > 0 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
			before, after = before[:len(before)-1], after[:len(after)-1]
		}
		lines = append(marked(lines, "- ", before), marked(nil, "+ ", after)...)
	}
	if e.Content != nil {
		lines = marked(lines, "+ ", split(*e.Content))
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
