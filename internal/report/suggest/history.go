package suggest

import (
	"cmp"
	"slices"

	"github.com/pigate/pigate/internal/gate/policy"
)

// Word is what became of a call, as far as it speaks for or against a rule.
type Word uint8

// The words.
const (
	// Unknown says nothing: the record does not tell what became of the call.
	Unknown Word = iota
	// Ran is a plain run: nobody was asked, and it went well.
	Ran
	// Failed is a plain run that the tool reported as an error.
	Failed
	// Approved is a person's yes, Granted a run under an earlier yes for the
	// session, about which nobody was asked again.
	Approved
	Granted
	// Denied is a person's no; Dismissed a dialog that was left without an answer.
	Denied
	Dismissed
)

// Sighting is one time that a call was made.
type Sighting struct {
	// Time is microseconds since the Unix epoch, UTC.
	Time    int64
	Session string
	Word    Word
}

// Subject is one distinct call: everything that its verdict depends on besides
// the policy.
type Subject struct {
	Request policy.Request
	Links   policy.LinkFacts
	// Masked reports that secrets were taken out of the call, so that it cannot be
	// decided again and no rule may be drawn from its text.
	Masked bool
}

// History is a record of calls, as drafts are drawn from it. It is filled by
// Subject and Saw, in any order, and read afterwards.
type History struct {
	subjects []Subject
	events   []event
	sessions map[string]int32
	// first and last bound the time; calls counts also those that are of no
	// interest here, unreadable the entries that could not be understood.
	first, last       int64
	calls, unreadable int
}

// event is a Sighting of a subject.
type event struct {
	time    int64
	subject int32
	session int32
	word    Word
}

// NewHistory returns an empty history.
func NewHistory() *History { return &History{sessions: map[string]int32{}} }

// Subject adds a distinct call and returns its number.
func (h *History) Subject(s Subject) int {
	h.subjects = append(h.subjects, s)
	return len(h.subjects) - 1
}

// Saw adds one time that the call with this number was made.
func (h *History) Saw(subject int, s Sighting) {
	h.saw(subject, s)
	h.Passed(s.Time)
}

// saw is Saw of a call outside the time that is looked at.
func (h *History) saw(subject int, s Sighting) {
	id, known := h.sessions[s.Session]
	if !known {
		id = int32(len(h.sessions))
		h.sessions[s.Session] = id
	}
	h.events = append(h.events, event{s.Time, int32(subject), id, s.Word})
}

// Passed adds a call that no draft has to do with, because it is not asked about.
func (h *History) Passed(time int64) {
	if h.calls == 0 {
		h.first = time
	}
	h.first, h.last = min(h.first, time), max(h.last, time)
	h.calls++
}

// Calls is how many calls the history was made of, Unreadable how many entries of
// the journal could not be understood.
func (h *History) Calls() int      { return h.calls }
func (h *History) Unreadable() int { return h.unreadable }

// weeks is how long the history is, at least one.
func (h *History) weeks() float64 { return max(1, float64(h.last-h.first)/(7*day)) }

// sort brings the sightings into the order of time.
func (h *History) sort() {
	slices.SortStableFunc(h.events, func(a, b event) int { return cmp.Compare(a.time, b.time) })
}

// part is the history of the events alone, in the order of time. It shares
// everything else.
func (h *History) part(events []event) *History {
	return &History{subjects: h.subjects, events: events, sessions: h.sessions}
}
