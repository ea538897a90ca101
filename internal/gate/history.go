package gate

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/pigate/pigate/internal/gate/policy"
)

// History is what the journal knows of earlier calls that were the same to the
// person: the same tool and Target in the same project.
type History struct {
	// Approved counts how often a person let the call run, Denied how often one
	// said no. Unasked counts how often it ran without a question, by a rule or an
	// approval for the session: no person saw those.
	Approved, Denied, Unasked int
	// LastRan and LastDenied are when that was last, in microseconds since the Unix
	// epoch; 0 for never.
	LastRan, LastDenied int64
}

// Historian looks up the history of a call. Its answer decorates a question and
// decides nothing, so an error means no more than that there is nothing to tell.
type Historian interface {
	History(ctx context.Context, req policy.Request) (History, error)
}

// Words says the history in a few words, such as "allowed 12 times, last
// yesterday; denied once"; "" when there is none. The days are those of now's
// zone.
func (h History) Words(now time.Time) string {
	denied := h.LastDenied > h.LastRan // only the newest event is dated
	last := func(at int64, is bool) string {
		if !is || at == 0 {
			return ""
		}
		return since(time.UnixMicro(at), now)
	}
	var parts []string
	if h.Approved > 0 {
		parts = append(parts, "allowed "+dated(h.Approved, last(h.LastRan, !denied && h.Unasked == 0), "last"))
	}
	if h.Unasked > 0 {
		parts = append(parts, "ran unasked "+dated(h.Unasked, last(h.LastRan, !denied), "last run"))
	}
	if h.Denied > 0 {
		parts = append(parts, "denied "+dated(h.Denied, last(h.LastDenied, denied), "last"))
	}
	return strings.Join(parts, "; ")
}

// dated says how often something was, and when it was last unless that is "".
func dated(n int, when, last string) string {
	text := times(n)
	switch {
	case when == "":
		return text
	case n == 1 && last == "last":
		return text + ", " + when
	}
	return text + ", " + last + " " + when
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// since says when something was, as one says it to a person.
func since(then, now time.Time) string {
	then = then.In(now.Location())
	ago, days := now.Sub(then), daysBetween(then, now)
	switch {
	case ago < time.Minute: // clocks are set back, too
		return "just now"
	case ago < 2*time.Minute:
		return "a minute ago"
	case ago < time.Hour:
		return fmt.Sprintf("%d minutes ago", int(ago.Minutes()))
	case days == 0 && ago < 2*time.Hour:
		return "an hour ago"
	case days == 0:
		return fmt.Sprintf("%d hours ago", int(ago.Hours()))
	case days == 1:
		return "yesterday"
	case days < 14:
		return fmt.Sprintf("%d days ago", days)
	}
	return "on " + then.Format("2006-01-02")
}

// daysBetween counts the midnights between two times of one zone.
func daysBetween(then, now time.Time) int {
	day := func(t time.Time) time.Time {
		year, month, day := t.Date()
		return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	}
	return int(day(now).Sub(day(then)) / (24 * time.Hour))
}
