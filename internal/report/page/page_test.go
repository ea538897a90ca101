package page_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report/page"
	"github.com/pigate/pigate/internal/report/page/pagetest"
)

var update = flag.Bool("update", false, "write what the reports are into testdata")

// folder holds the journals of these tests, each written once.
var folder string

var journals = map[string]*sync.Once{"weeks": {}, "hostile": {}, "one": {}}

func TestMain(m *testing.M) {
	flag.Parse()
	var err error
	if folder, err = os.MkdirTemp("", "pigate-page-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(folder) // the system's in time
	os.Exit(code)
}

// reader opens a journal of pagetest.
func reader(t *testing.T, name string) *audit.Reader {
	t.Helper()
	path := filepath.Join(folder, name+".db")
	journals[name].Do(func() {
		if err := pagetest.Write(t.Context(), name, path); err != nil {
			t.Error(err)
		}
	})
	r, err := audit.OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// between is the filter of a period of days in a zone.
func between(t *testing.T, since, until string, z *time.Location) audit.Filter {
	t.Helper()
	at := func(text string) audit.Micros {
		day, err := time.ParseInLocation(time.DateOnly, text, z)
		if err != nil {
			t.Fatal(err)
		}
		return audit.Micros(day.UnixMicro())
	}
	return audit.Filter{Since: at(since), Until: at(until)}
}

func options(f audit.Filter, z *time.Location) page.Options {
	return page.Options{Filter: f, Journals: []string{"journal.db"}, Zone: z, Now: time.Date(2026, 3, 30, 8, 0, 0, 0, time.UTC)}
}

func made(t *testing.T, j page.Journal, o page.Options) *page.Report {
	t.Helper()
	r, err := page.New(t.Context(), j, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// weeks is the report of four weeks of pagetest's journal.
func weeks(t *testing.T) (*page.Report, *time.Location) {
	t.Helper()
	z := zone(t, pagetest.WeeksZone)
	return made(t, reader(t, "weeks"), options(between(t, pagetest.WeeksSince, pagetest.WeeksUntil, z), z)), z
}

// numbers are those of entries, which differ from run to run: the journal signs
// what it holds from time to time, in entries of its own.
var numbers = regexp.MustCompile(`(?m)^(\| 2026.*\| )\d+( \|)$|("seq": )[1-9]\d*`)

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	got = numbers.ReplaceAllString(got, "${1}${3}N${2}")
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got; go test -update writes it):\n%s", path, diff)
	}
}

func TestMarkdownOfWeeks(t *testing.T) {
	t.Parallel()
	r, z := weeks(t)
	var md strings.Builder
	if err := page.WriteMarkdown(&md, r, z); err != nil {
		t.Fatal(err)
	}
	golden(t, "weeks.md", md.String())
}

func TestMarkdownOfHostileText(t *testing.T) {
	t.Parallel()
	var md strings.Builder
	if err := page.WriteMarkdown(&md, made(t, reader(t, "hostile"), options(audit.Filter{}, time.UTC)), time.UTC); err != nil {
		t.Fatal(err)
	}
	golden(t, "hostile.md", md.String())
	own := regexp.MustCompile(`</?code>|&#[0-9]+;|\x60pigate[a-z -]*\x60|^# |^## |^- |^\|( --- \|)+$`)
	for line := range strings.SplitSeq(md.String(), "\n") {
		if rest := own.ReplaceAllString(line, ""); strings.ContainsAny(rest, "<>[]`@*_\\!#&") || strings.Contains(rest, "http:") {
			t.Errorf("%q could be more than text", line)
		}
	}
}

func TestJSONOfOneCall(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	if err := page.WriteJSON(&text, made(t, reader(t, "one"), options(audit.Filter{}, time.UTC))); err != nil {
		t.Fatal(err)
	}
	golden(t, "one.json", text.String())
}

// The figures are those that counting the rows one by one gives, whatever the
// period.
func TestFiguresEqualACountOfRows(t *testing.T) {
	t.Parallel()
	j := reader(t, "weeks")
	var rows []audit.Row
	for row, err := range j.List(t.Context(), audit.Filter{Kind: gate.KindDecision}) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	z := zone(t, pagetest.WeeksZone)
	for _, days := range [][2]string{{"2026-02-02", "2026-03-30"}, {"2026-03-02", "2026-03-30"}, {"2026-03-28", "2026-03-30"}, {"2026-03-24", "2026-03-25"}, {"2026-05-01", "2026-05-02"}} {
		f := between(t, days[0], days[1], z)
		r := made(t, j, options(f, z))
		length := f.Until - f.Since
		if diff := cmp.Diff(countRows(rows, f.Since, f.Until), plain(r.Total)); diff != "" {
			t.Errorf("%s: %s", days, diff)
		}
		if diff := cmp.Diff(countRows(rows, f.Since-length, f.Since), plain(*r.Before)); diff != "" {
			t.Errorf("before %s: %s", days, diff)
		}
		calls, silent, prompts := 0, 0, 0
		for _, s := range r.Slots {
			calls, silent = calls+s.Calls, silent+s.Silent
			for _, n := range s.Answers {
				prompts += n
			}
		}
		if calls != r.Total.Calls || silent != r.Total.Silent || prompts != r.Total.Prompts {
			t.Errorf("%s: the slots hold %d calls, %d silent, %d prompts of %+v", days, calls, silent, prompts, r.Total)
		}
	}
}

func plain(f page.Figures) map[string]int {
	return map[string]int{"calls": f.Calls, "silent": f.Silent, "prompts": f.Prompts, "approved": f.Approved, "blocked": f.Blocked,
		"denied": f.Denied, "unattended": f.Unattended, "mismatched": f.Mismatched}
}

func countRows(rows []audit.Row, since, until audit.Micros) map[string]int {
	n := map[string]int{"calls": 0, "silent": 0, "prompts": 0, "approved": 0, "blocked": 0, "denied": 0, "unattended": 0, "mismatched": 0}
	for _, row := range rows {
		if row.Time < since || row.Time >= until {
			continue
		}
		n["calls"]++
		person := row.Answer != "" && row.Answer != gate.AnswerNoUI
		ran := row.Decision == policy.Run
		for name, is := range map[string]bool{"silent": ran && !person, "prompts": person, "approved": person && ran, "blocked": !ran,
			"denied": row.Verdict == policy.Deny, "unattended": row.Answer == gate.AnswerNoUI, "mismatched": row.Mismatch} {
			if is {
				n[name]++
			}
		}
	}
	return n
}

func TestApprovalsAreFlagged(t *testing.T) {
	t.Parallel()
	r, _ := weeks(t)
	found := map[string]string{}
	for _, a := range r.Approvals.Rows {
		found[a.What] = strings.Join(a.Flags, " ")
	}
	for what, want := range map[string]string{
		"git push origin tags":         "mismatch first-time",
		"/home/ann/notes/orders.md":    "outside-project",
		"find . -name '*.tmp' -delete": "guarded-flag first-time",
		"npm test > test.log 2>&1":     "redirection",
		"docker compose up -d":         "",
		"curl -u deploy:[secret:password:00000000] https://registry.internal/v2/_catalog": "masked-secret first-time",
	} {
		if got := found[what]; got != want {
			t.Errorf("%s is flagged %q, want %q", what, got, want)
		}
	}
	gravest := r.Approvals.Rows[0]
	if gravest.Flags[0] != page.FlagMismatch {
		t.Errorf("the first is %+v", gravest)
	}
}

// A period is cut into days of its zone, also where a day has another number of
// hours, and into longer steps where there are many.
func TestSlots(t *testing.T) {
	t.Parallel()
	at := func(z *time.Location, text string) audit.Micros {
		when, err := time.ParseInLocation("2006-01-02 15:04", text, z)
		if err != nil {
			t.Fatal(err)
		}
		return audit.Micros(when.UnixMicro())
	}
	for _, c := range []struct {
		zone, since, until, step, first, last string
		n                                     int
	}{
		{"Europe/Berlin", "2026-03-28 00:00", "2026-03-31 00:00", "day", "2026-03-28", "2026-03-30", 3},
		{"Europe/Berlin", "2026-10-24 00:00", "2026-10-27 00:00", "day", "2026-10-24", "2026-10-26", 3},
		{"America/Sao_Paulo", "2018-11-03 00:00", "2018-11-06 00:00", "day", "2018-11-03", "2018-11-05", 3}, // midnight is left out of the 4th
		{"Pacific/Apia", "2011-12-28 00:00", "2012-01-02 00:00", "day", "2011-12-28", "2012-01-01", 5},      // without a 30th
		{"UTC", "2026-03-02 10:00", "2026-03-02 10:01", "day", "2026-03-02", "2026-03-02", 1},
		{"UTC", "2026-01-01 00:00", "2026-02-15 00:00", "day", "2026-01-01", "2026-02-14", 45},
		{"UTC", "2026-01-01 00:00", "2026-02-16 00:00", "week", "2025-12-29", "2026-02-09", 7},
		{"UTC", "2026-01-01 00:00", "2027-01-01 00:00", "month", "2026-01-01", "2026-12-01", 12},
		{"UTC", "2010-01-01 00:00", "2026-01-01 00:00", "year", "2010-01-01", "2025-01-01", 16},
		{"UTC", "1970-01-02 00:00", "9000-01-01 00:00", "year", "8955-01-01", "8999-01-01", 45},
	} {
		z := zone(t, c.zone)
		call := audit.Call{Seq: 1, Time: at(z, c.until) - 1, Decision: policy.Run, Subject: 1, Judged: 1}
		o := options(audit.Filter{Since: at(z, c.since), Until: at(z, c.until)}, z)
		r := made(t, fake{calls: []audit.Call{call}}, o)
		if r.Period.Step != c.step || len(r.Slots) != c.n || r.Slots[0].Start != c.first || r.Slots[c.n-1].Start != c.last {
			t.Errorf("%s to %s in %s: %d of a %s from %s to %s, want %d of a %s from %s to %s", c.since, c.until, c.zone,
				len(r.Slots), r.Period.Step, r.Slots[0].Start, r.Slots[len(r.Slots)-1].Start, c.n, c.step, c.first, c.last)
		}
		if last := r.Slots[len(r.Slots)-1]; last.Calls != 1 {
			t.Errorf("%s to %s in %s: the last call is not in %+v", c.since, c.until, c.zone, last)
		}
	}
}
