package lint

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/text"
)

// hidden finds a rule with a character that a person who reads it does not see,
// or takes for a blank: a deny rule stops nothing by it, an allow rule in a pull
// request may be another than it looks like.
func (l *linter) hidden(_ int, r *rule.Rule) *Finding {
	for _, c := range r.Text {
		if c == '\n' || c == '\r' || c == '\t' {
			continue // never says what those do
		}
		if shown := string(c); text.Visible(shown) == shown {
			continue
		}
		return &Finding{Kind: Hidden, Text: fmt.Sprintf("it holds a character that does not show as what it is: U+%04X", c), Advice: "write it anew without that",
			Instead: strings.Map(seen, r.Text)}
	}
	if found, ok := text.Imitation(r.Text); ok {
		return &Finding{Kind: Hidden, Text: "it " + found.String(), Advice: "write it with the letters that you mean", Instead: text.Imitations(r.Text)}
	}
	return nil
}

// seen drops a character that does not show, and makes a blank of what looks
// like one.
func seen(c rune) rune {
	switch {
	case unicode.IsSpace(c):
		return ' '
	case text.Visible(string(c)) != string(c):
		return -1
	}
	return c
}
