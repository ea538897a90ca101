package page

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
)

// Note is something that stands out, in one sentence, with what to do about it.
type Note struct {
	// Kind is a word for programs: NoteMismatch and so on.
	Kind string `json:"kind"`
	// Subject is text of the journal that the sentence begins with, "" for none.
	Subject string `json:"subject"`
	Text    string `json:"text"`
	// Next is what to do; it may name a command in backquotes.
	Next string `json:"next"`
	// Section is the part of the page that has more, "" for none.
	Section string `json:"section"`
}

// The kinds of notes, the gravest first.
const (
	NoteBroken     = "broken"
	NoteGap        = "gap"
	NoteMismatch   = "mismatch"
	NoteDisabled   = "disabled"
	NoteJournal    = "journal"
	NoteQuick      = "quick"
	NotePrograms   = "programs"
	NoteUnattended = "unattended"
	NoteFindings   = "findings"
)

// From so many prompts on, and so large a share of them, habit is worth a note.
const (
	somePrompts = 10
	largeShare  = 0.3
)

// notes says what stands out.
func (b *builder) notes(ctx context.Context) error {
	r := b.report
	r.Notes = []Note{}
	about := func(n int, kind, section, subject, text, next string) {
		if n > 0 {
			r.Notes = append(r.Notes, Note{Kind: kind, Subject: subject, Text: text, Next: next, Section: section})
		}
	}
	say := func(n int, kind, section, text, next string) { about(n, kind, section, "", text, next) }
	gaps, decisions, err := b.gaps(ctx)
	if err != nil {
		return err
	}
	t := &r.Total
	say(b.broken, NoteBroken, "", fmt.Sprintf("%s of the journal cannot be read and %s not counted here.", entries(b.broken), are(b.broken)),
		"`pigate audit verify` says what is wrong.")
	say(gaps, NoteGap, "", fmt.Sprintf("The journal could not be written for a while, %s: %s missing.", times(gaps), decisionsAre(decisions)),
		"`pigate audit list --kind gap` says when and why.")
	say(t.Mismatched, NoteMismatch, "approvals", fmt.Sprintf("%s ran with another input than the gate had approved.", calls(t.Mismatched)),
		"Another extension of Pi changed them after the decision: find out which.")
	say(b.special.disabled, NoteDisabled, "", fmt.Sprintf("%s ran while the gate was switched off.", calls(b.special.disabled)),
		"`\"enabled\": false` stands in a configuration file; `pigate status` shows which.")
	say(b.special.journal, NoteJournal, "denials", fmt.Sprintf("%s blocked because the journal could not be written.", callsWere(b.special.journal)),
		"`pigate doctor` looks for the cause.")
	if t.Prompts >= somePrompts && float64(b.special.quick) >= largeShare*float64(t.Prompts) {
		say(b.special.quick, NoteQuick, "waits", fmt.Sprintf("%s of %s prompts were answered in less than two seconds, faster than a command is read.", number(b.special.quick), number(t.Prompts)),
			"Rules for what is always allowed leave attention for the rest: `pigate suggest` drafts some.")
	}
	if p := b.report.Programs.Rows; len(p) > 0 && t.Prompts >= somePrompts && float64(p[0].Prompts) >= largeShare*float64(t.Prompts) {
		about(1, NotePrograms, "programs", p[0].Name, fmt.Sprintf("caused %s of %s prompts; %s of them let the call run.", number(p[0].Prompts), number(t.Prompts), number(p[0].Approved)),
			"`pigate suggest` drafts rules from what people answered.")
	}
	say(t.Unattended, NoteUnattended, "denials", fmt.Sprintf("%s blocked because nobody could be asked.", callsWere(t.Unattended)),
		"Allow what unattended runs need, and deny the rest by name.")
	n := len(r.Findings.Rows) + r.Findings.More
	say(n, NoteFindings, "findings", fmt.Sprintf("%s tidying up.", rulesNeed(n)), "`pigate rules lint` says what to write instead.")
	return nil
}

// gaps counts the gaps of the period, and the decisions that are missing.
func (b *builder) gaps(ctx context.Context) (gaps, decisions int, err error) {
	for row, err := range b.journal.List(ctx, audit.Filter{Kind: gate.KindGap, Since: b.report.Period.Since, Until: b.filter.Until, Scan: b.filter.Scan}) {
		if err != nil {
			if row.Seq != 0 {
				continue
			}
			return 0, 0, err
		}
		var gap struct {
			Decisions int `json:"decisions"`
		}
		if json.Unmarshal(row.Body, &gap) == nil {
			gaps, decisions = gaps+1, decisions+gap.Decisions
		}
	}
	return gaps, decisions, nil
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + many
}

func entries(n int) string      { return plural(n, "entry", "entries") }
func calls(n int) string        { return plural(n, "call", "calls") }
func callsWere(n int) string    { return plural(n, "call was", "calls were") }
func times(n int) string        { return plural(n, "time", "times") }
func decisionsAre(n int) string { return plural(n, "decision is", "decisions are") }
func rulesNeed(n int) string    { return plural(n, "rule in force needs", "rules in force need") }

func are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
