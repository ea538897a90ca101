package suggest

import (
	"strings"
	"testing"
	"time"
)

// The table is read where it is printed; its widest line is not broken there.
func TestTheTableFitsTheScreen(t *testing.T) {
	d := newDiary()
	d.days(6, Approved, "npm run build", "npm run test", "npm run lint", "go test ./internal/report/suggest/with/a/long/path/that/goes/on/and/on")
	r := NewStudy(d.History, policyOf(t, nil, nil), Options{}).Result()
	for width, heads := range map[int]string{0: "SAVES/WEEK", 180: "SAVES/WEEK", 80: "SAVES  APPROVED", 70: "SAVES  APPROVED"} {
		var b strings.Builder
		if err := Write(&b, r, nil, time.UTC, width); err != nil {
			t.Fatal(err)
		}
		_, table, _ := strings.Cut(b.String(), "\n\n")
		table, _, _ = strings.Cut(table, "\n\n")
		if !strings.Contains(table, heads) {
			t.Errorf("at %d there is no %q:\n%s", width, heads, table)
		}
		for _, line := range strings.Split(table, "\n") {
			if n := len([]rune(line)); width > 0 && n > width {
				t.Errorf("at %d a line is %d wide:\n%s", width, n, line)
			}
		}
	}
}
