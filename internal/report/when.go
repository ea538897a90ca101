package report

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// WhenForms lists the forms that ParseWhen takes, for errors and help.
const WhenForms = `2026-01-31, "2026-01-31 15:04" (or with seconds, or T), RFC 3339 (2026-01-31T15:04:05Z), ` +
	`90m 2h 3d 2w (ago), now, today, yesterday, this-week, last-week, this-month, or a weekday such as monday`

// WhenWords are forms of ParseWhen that are words, and some examples of those
// that are not.
var WhenWords = []string{"now", "today", "yesterday", "this-week", "last-week", "this-month", "90m", "2h", "3d", "2w",
	"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

var ago = regexp.MustCompile(`^([0-9]{1,9})([mhdw])$`)

var layouts = []string{time.RFC3339Nano, "2006-01-02", "2006-01-02 15:04", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02T15:04:05"}

// ParseWhen reads a point in time as a person writes it. Words and dates mean
// the moment they begin at, in the zone of now: a weekday the last one that has
// begun, today included, a week its Monday. Days and weeks ago keep the time of
// the day. The error names the forms; times before 1970 are one.
func ParseWhen(text string, now time.Time) (time.Time, error) {
	at, ok := parseWhen(strings.TrimSpace(text), now)
	if !ok {
		return time.Time{}, fmt.Errorf("%q is no time; the forms are: %s", text, WhenForms)
	}
	if at.Unix() <= 0 || at.Year() > 9999 {
		return time.Time{}, fmt.Errorf("%q lies before 1970 or after 9999", text)
	}
	return at, nil
}

func parseWhen(text string, now time.Time) (time.Time, bool) {
	for _, layout := range layouts {
		if at, err := time.ParseInLocation(layout, strings.ToUpper(text), now.Location()); err == nil {
			return at, true
		}
	}
	text = strings.ToLower(text)
	if m := ago.FindStringSubmatch(text); m != nil {
		n, err := strconv.Atoi(m[1])
		return before(now, n, m[2]), err == nil
	}
	year, month, day := now.Date()
	today := func(back int) time.Time { return time.Date(year, month, day-back, 0, 0, 0, 0, now.Location()) }
	sinceMonday := (int(now.Weekday()) + 6) % 7
	switch text {
	case "now":
		return now, true
	case "today":
		return today(0), true
	case "yesterday":
		return today(1), true
	case "this-week":
		return today(sinceMonday), true
	case "last-week":
		return today(sinceMonday + 7), true
	case "this-month":
		return today(day - 1), true
	}
	for d := time.Sunday; d <= time.Saturday; d++ {
		if text == strings.ToLower(d.String()) {
			return today((int(now.Weekday()-d) + 7) % 7), true
		}
	}
	return time.Time{}, false
}

// before returns now less n units. What is too far back comes out before 1970.
func before(now time.Time, n int, unit string) time.Time {
	const far = 10_000 * 366 // days
	switch unit {
	case "m":
		return now.Add(-time.Duration(min(n, 100_000_000)) * time.Minute) // 190 years, which a Duration holds
	case "h":
		n = min(n, far*24)
		return now.AddDate(0, 0, -(n / 24)).Add(-time.Duration(n%24) * time.Hour)
	case "w":
		n = min(n, far) * 7
	}
	return now.AddDate(0, 0, -min(n, far))
}
