package dialog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/text"
)

// maxWhole is how much of a call, in bytes, is opened for reading.
const maxWhole = 1 << 20

// Whole is all of a call, for a person who wants to read it, with nothing in it
// that a terminal would act on: a command with the other fields of its input, an
// edit with the changes in full, the arguments of other tools on lines of their
// own. Of what is longer than a million bytes the end is left out, which is told.
func Whole(c *policy.Call) string {
	var b strings.Builder
	switch {
	case c.Bad == "" && c.Scope == rule.Shell:
		b.WriteString(c.Command)
		if rest := c.Rest(); rest != "" {
			b.WriteString("\n\nother fields: " + rest)
		}
	case c.Bad == "" && c.Scope == rule.Edit:
		b.WriteString(c.Resources[0].Text + "\n")
		e, ok := readEdit(c.Request.Input)
		if !ok {
			b.WriteString(spread(c.Request.Input))
			break
		}
		for i, r := range e.edits {
			fmt.Fprintf(&b, "\nreplacement %d of %d, the old text:\n%s\nthe new text:\n%s\n", i+1, len(e.edits), r.before, r.after)
		}
		if e.content != nil {
			b.WriteString("\n" + *e.content)
		}
		if e.others != "" {
			b.WriteString("\n\nother fields: " + e.others)
		}
	default:
		b.WriteString(c.Request.Tool + "\n" + spread(c.Request.Input))
	}
	s := b.String()
	if len(s) > maxWhole {
		s = fmt.Sprintf("%s\n… %d more bytes", strings.ToValidUTF8(s[:maxWhole], ""), len(s)-maxWhole)
	}
	return text.VisibleLines(s)
}

// spread writes JSON over several lines.
func spread(input json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, input, "", "  ") != nil {
		return string(input)
	}
	return b.String()
}
