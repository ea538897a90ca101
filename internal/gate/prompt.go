package gate

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/dialog"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/text"
)

// The options of the dialog, in the order they are offered.
const (
	OptionOnce    = "Allow once"
	OptionSession = "Allow for session"
	OptionSave    = "Allow & save rule (project)..."
	OptionDeny    = "Deny"
	// OptionDenyWhy lets the person tell the model why.
	OptionDenyWhy = "Deny, and say why..."
	// OptionDenyAll denies the calls too that wait behind this one; it is offered
	// when there are any.
	OptionDenyAll = "Deny all waiting"
	// OptionWhole opens the whole call and comes back; it is offered when the title
	// does not show all of it.
	OptionWhole = "Show the whole call..."
)

// Prompt is a question to the person.
type Prompt struct {
	// Title says what would run and why it asks, with nothing in it that a terminal
	// would act on, and is no larger than package dialog allows.
	Title string
	// Options are what can be answered.
	Options []string
	// Proposals are the rules that OptionSave would start from; empty when it is
	// not offered.
	Proposals []string

	notes   dialog.Notes
	columns int // of the title
}

// withheld begins the line of a title that says why no rule is offered.
const withheld = "no rule to save is offered: "

// eachTime is the line of a title about a call beyond an organisation's ceiling.
const eachTime = "only once: the organisation's policy has each such call asked about"

// NewPrompt makes the question about a call that asks. secret tells which rules
// hold a secret and are not to be saved.
func NewPrompt(p *policy.Policy, c *policy.Call, v policy.Verdict, links policy.LinkFacts, secret func(rule string) bool) Prompt {
	q := Prompt{Options: []string{OptionOnce, OptionSession}, Proposals: Proposals(p, c, v, links),
		notes: dialog.Notes{Covers: forSession + c.Covered(p.Coverage(c))}}
	switch {
	case v.Beyond:
		q.Options, q.Proposals, q.notes = []string{OptionOnce}, nil, dialog.Notes{Covers: eachTime}
	case slices.ContainsFunc(q.Proposals, secret):
		q.Proposals, q.notes.Unsaved = nil, withheld+"its text would hold a secret"
	case len(q.Proposals) > 0:
		q.Options = append(q.Options, OptionSave)
	case !c.Request.Trusted:
		q.notes.Unsaved = withheld + "the project's own file does not count"
	case v.Fixed:
		q.notes.Unsaved = withheld + "it would ask all the same"
	default:
		q.notes.Unsaved = withheld + "none says exactly this"
	}
	q.Options = append(q.Options, OptionDeny, OptionDenyWhy)
	return q.titled(c, v, "")
}

// forSession begins the words of a title about OptionSession.
const forSession = "for session: "

// titled gives the prompt its title, with the history of the call in words, and
// the option to show the call where the title does not show all of it.
func (p Prompt) titled(c *policy.Call, v policy.Verdict, history string) Prompt {
	p.notes.History = history
	p.Options = slices.DeleteFunc(slices.Clone(p.Options), func(o string) bool { return o == OptionWhole })
	size := dialog.SizeFor(c.Request.Rows, c.Request.Columns, len(p.Options)+1)
	title := dialog.NewTitle(c, v, size, p.notes)
	if p.Title, p.columns = title.Text, size.Columns; !title.Complete {
		p.Options = append(p.Options, OptionWhole)
	}
	return p
}

// waiting says which question of several this is, and offers to deny those that
// wait behind it. It is for a prompt that has no title yet, or gets one anew.
func (p Prompt) waiting(turn string, behind bool) Prompt {
	p.notes.Turn = turn
	if at := slices.Index(p.Options, OptionDenyWhy); behind && at >= 0 && !p.offers(OptionDenyAll) {
		p.Options = slices.Insert(slices.Clone(p.Options), at+1, OptionDenyAll)
	}
	return p
}

// withSubAgents offers an approval for the session's sub-agents too.
func (p Prompt) withSubAgents() Prompt {
	if at := slices.Index(p.Options, OptionDenyWhy); at >= 0 && p.offers(OptionSession) && !p.offers(OptionSubAgents) {
		p.Options = slices.Insert(slices.Clone(p.Options), at+1, OptionSubAgents)
	}
	return p
}

// offers reports that an option can be answered.
func (p Prompt) offers(option string) bool { return slices.Contains(p.Options, option) }

// again is the prompt of a dialog that opens once more because its approval came
// too soon.
func (p Prompt) again() Prompt {
	first, rest, _ := strings.Cut(p.Title, "\n")
	const note = " (asked again: that key came too soon)"
	p.Title = text.Clip(first, p.columns-len(note)) + note + "\n" + rest
	if strings.Contains(first, note) {
		p.Title = first + "\n" + rest
	}
	return p
}
