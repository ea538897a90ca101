package gate

import (
	"context"
	"fmt"
	"strings"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/text"
)

// Suggestion is a drafted allow rule as it is offered inside Pi.
type Suggestion struct {
	// Rule is the rule as it would stand in the file.
	Rule string
	// File is where it would be saved.
	File string
	// Evidence says in a few words what speaks for it, Details in a line each what
	// else there is to know: the risk, examples. Both may hold hostile text.
	Evidence string
	Details  []string
	// Calls counts the calls that speak for it.
	Calls int
}

// Drafter drafts allow rules for a project from its history: those that are
// worth most first, none that a person has rejected.
type Drafter interface {
	Drafts(ctx context.Context, root string, p *policy.Policy) ([]Suggestion, error)
}

// The options below the drafts, in the order they are offered.
const (
	OptionReject = "Reject one, so that it stays away..."
	OptionClose  = "Close"
)

// The bounds of what is offered: a list's entry and an editor's title.
const (
	titleLines   = 12
	titleColumns = 76
)

// maxSuggestions is how many drafts are offered at once.
const maxSuggestions = 8

// option is the suggestion as the nth entry of a list, from 1: one line of
// titleColumns, and another than that of every other n.
func (s Suggestion) option(n int) string {
	evidence := text.Clip(text.Visible(s.Evidence), titleColumns/2)
	head := fmt.Sprintf("%d. ", n)
	room := titleColumns - text.Columns(head) - text.Columns(" · ") - text.Columns(evidence)
	return head + text.Clip(text.Visible(s.Rule), room) + " · " + evidence
}

// editorTitle is what stands above the rule when it is opened.
func (s Suggestion) editorTitle() string {
	lines := []string{"Rules to save for this project, one a line (empty: nothing is saved)", text.Clip(text.Visible(s.Evidence), titleColumns)}
	for _, line := range s.Details {
		if len(lines) == titleLines {
			break
		}
		lines = append(lines, text.Clip(text.Visible(line), titleColumns))
	}
	return strings.Join(lines, "\n")
}

// listed are the suggestions for where no dialog can be opened.
func listed(list []Suggestion) string {
	var lines []string
	for _, s := range list {
		lines = append(lines, text.Visible(s.Rule), "  "+text.Clip(text.Visible(s.Evidence), titleColumns-2))
	}
	return strings.Join(lines, "\n")
}
