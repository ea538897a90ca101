package report_test

import (
	"strings"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/report"
)

func TestParseWhen(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("east", 2*60*60)
	now := time.Date(2026, 4, 1, 10, 30, 15, 0, zone) // a Wednesday
	for text, want := range map[string]string{
		"2026-03-05T06:07:08Z":      "2026-03-05T08:07:08+02:00",
		"2026-03-05t06:07:08.5z":    "2026-03-05T08:07:08.5+02:00",
		"2026-03-05T06:07:08+05:00": "2026-03-05T03:07:08+02:00",
		"2026-03-05":                "2026-03-05T00:00:00+02:00",
		"2026-03-05 06:07":          "2026-03-05T06:07:00+02:00",
		"2026-03-05 06:07:08":       "2026-03-05T06:07:08+02:00",
		"2026-03-05T06:07":          "2026-03-05T06:07:00+02:00",
		"2026-03-05T06:07:08":       "2026-03-05T06:07:08+02:00",
		"90m":                       "2026-04-01T09:00:15+02:00",
		"2h":                        "2026-04-01T08:30:15+02:00",
		"25h":                       "2026-03-31T09:30:15+02:00",
		"3d":                        "2026-03-29T10:30:15+02:00",
		"2w":                        "2026-03-18T10:30:15+02:00",
		"now":                       "2026-04-01T10:30:15+02:00",
		"today":                     "2026-04-01T00:00:00+02:00",
		" Yesterday ":               "2026-03-31T00:00:00+02:00",
		"this-week":                 "2026-03-30T00:00:00+02:00",
		"last-week":                 "2026-03-23T00:00:00+02:00",
		"this-month":                "2026-04-01T00:00:00+02:00",
		"monday":                    "2026-03-30T00:00:00+02:00",
		"Wednesday":                 "2026-04-01T00:00:00+02:00",
		"thursday":                  "2026-03-26T00:00:00+02:00",
		"sunday":                    "2026-03-29T00:00:00+02:00",
	} {
		got, err := report.ParseWhen(text, now)
		if err != nil || got.In(zone).Format(time.RFC3339Nano) != want {
			t.Errorf("%q is %v, %v; want %s", text, got, err, want)
		}
	}
}

// A Sunday belongs to the week that began on the Monday before.
func TestParseWhenOnSunday(t *testing.T) {
	t.Parallel()
	got, err := report.ParseWhen("this-week", time.Date(2026, 3, 29, 23, 0, 0, 0, time.UTC))
	if want := time.Date(2026, 3, 23, 0, 0, 0, 0, time.UTC); err != nil || !got.Equal(want) {
		t.Errorf("%v, %v", got, err)
	}
}

// Days are those of the calendar: across a change of the clock the time of the
// day stays.
func TestParseWhenAcrossClockChange(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	got, err := report.ParseWhen("1d", time.Date(2026, 3, 29, 12, 0, 0, 0, zone))
	if want := time.Date(2026, 3, 28, 12, 0, 0, 0, zone); err != nil || !got.Equal(want) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestParseWhenErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "the forms are", "soon": "yesterday, this-week", "2026-13-01": "the forms are", "3y": "the forms are", "-3d": "the forms are",
		"1.5h": "the forms are", "99999999999999999999d": "the forms are", "999999999w": "before 1970", "999999999h": "before 1970",
		"999999999m": "before 1970", "1969-12-31": "before 1970", "1d 2h": "the forms are",
	} {
		if at, err := report.ParseWhen(text, time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is %v, %v; want an error with %q", text, at, err, want)
		}
	}
}
