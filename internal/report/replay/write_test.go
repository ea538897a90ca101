package replay_test

import (
	"encoding/csv"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/report"
	"github.com/pigate/pigate/internal/report/replay"
)

// hostile texts try to be more than text.
var hostile = []string{"=cmd|' /C calc'!A0", "<script>alert(1)</script>", "a | b \\| c", "[x](javascript:x) ![y](http://e)", "@everyone `x` #1",
	"\x1b[31mred\x07", "\u202eevil\u200b", "x\r\n\n| y | z |\n\n# heading"}

// What the journal holds is text in every format, and does nothing.
func TestHostileTextIsHarmless(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, text := range hostile {
		s.bash("echo "+text, gate.OptionOnce)
		s.edit(text, gate.OptionOnce)
		s.call(text, map[string]string{"x": text}, gate.OptionOnce)
	}
	s.imported("bash", `{"command":"echo <b>\u001b[0m"}`, gate.ResultRefused)
	var sheet strings.Builder
	var result *replay.Result
	rows := func(yield func([]any, error) bool) {
		var changes []replay.Change
		result, changes = s.replay(replay.Options{New: replay.Fixed(policyOf(t, "+shell", "+edit", "-shell:echo a *"))}, audit.Filter{Imported: true})
		for _, c := range changes {
			if !yield(c.Cells(), nil) {
				return
			}
		}
	}
	if n, err := report.WriteSheet(&sheet, "csv", replay.Columns, rows, report.Screen{}); err != nil || n < len(hostile) {
		t.Fatal(n, err)
	}
	result.Old, result.New = "<b>\x1b[1m", "=1+1"
	var table, md, object strings.Builder
	for _, err := range []error{result.Write(&table, false, report.Screen{}), result.Write(&md, true, report.Screen{}), replay.WriteJSON(&object, result)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"table": table.String(), "csv": sheet.String(), "md": md.String()} {
		if found := regexp.MustCompile(`[\x00-\x09\x0b-\x1f\x7f\x{202e}\x{200b}]`).FindString(text); found != "" {
			t.Errorf("%s holds %q:\n%s", name, found, text)
		}
	}
	records, err := csv.NewReader(strings.NewReader(sheet.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records {
		for _, cell := range record {
			if start := strings.TrimLeft(cell, ` "`); start != "" && strings.ContainsAny(start[:1], "=+-@") {
				t.Errorf("csv begins a formula: %q", cell)
			}
		}
	}
	for line := range strings.Lines(md.String()) {
		inner := strings.NewReplacer("<code>", "", "</code>", "").Replace(line)
		cells := strings.Trim(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(inner), "|"), "|"), " ")
		if strings.HasPrefix(inner, "|") && strings.ContainsAny(strings.ReplaceAll(cells, " | ", ""), "<>|[]`@*_\\") || strings.HasPrefix(inner, "# ") {
			t.Errorf("md: %q", line)
		}
	}
	var back replay.Result
	if err := json.Unmarshal([]byte(object.String()), &back); err != nil || strings.Count(object.String(), "\n") != 1 {
		t.Errorf("%v: %s", err, &object)
	}
}
