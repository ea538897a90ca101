package report_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"iter"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report"
)

// hostile are commands that try to be more than text.
var hostile = []string{
	"=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "\r\n=1", `"=1`, "＝1", "a,\"b\"\nc",
	"<script>alert(1)</script>", "a | b \\| c", "[x](javascript:x)", "![x](http://e)", "@everyone #1 www.example.org `x`",
	"\x1b[31mred\x07", "\u202eevil\u200b", "\xff\xfe",
}

func call(command string) audit.Row {
	input, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		panic(err) // a map of strings always encodes
	}
	return audit.Row{Seq: 1, Kind: gate.KindDecision, Tool: "bash", Input: input}
}

func one(row audit.Row) iter.Seq2[audit.Row, error] {
	return func(yield func(audit.Row, error) bool) { yield(row, nil) }
}

func what(t *testing.T) []report.Column {
	t.Helper()
	columns, err := report.ParseColumns("what")
	if err != nil {
		t.Fatal(err)
	}
	return columns
}

func TestHostileTextIsHarmless(t *testing.T) {
	t.Parallel()
	unseen := regexp.MustCompile(`[\x00-\x09\x0b-\x1f\x7f\x{202e}\x{200b}]`)
	for _, command := range hostile {
		var sheet, md, table strings.Builder
		if err := report.CSV(&sheet, one(call(command)), what(t)); err != nil {
			t.Fatal(err)
		}
		if err := report.Markdown(&md, one(call(command)), what(t)); err != nil {
			t.Fatal(err)
		}
		if _, err := report.Table(&table, one(call(command)), what(t), report.Screen{Zone: time.UTC}); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"csv": sheet.String(), "md": md.String(), "table": table.String()} {
			if unseen.MatchString(text) {
				t.Errorf("%s of %q: %q", name, command, text)
			}
		}
		records, err := csv.NewReader(strings.NewReader(sheet.String())).ReadAll()
		if err != nil || len(records) != 2 || len(records[1]) != 1 {
			t.Fatalf("csv of %q: %q, %v", command, &sheet, err)
		}
		if cell := records[1][0]; strings.ContainsAny(strings.Trim(cell, ` "`)[:1], "=+-@＝") {
			t.Errorf("csv of %q begins a formula: %q", command, cell)
		}
		lines := strings.Split(md.String(), "\n")
		inner := strings.NewReplacer("<code>", "", "</code>", "").Replace(strings.TrimSuffix(strings.TrimPrefix(lines[2], "| "), " |"))
		if len(lines) != 4 || strings.ContainsAny(inner, "<>|[]`@*_\\.:!") {
			t.Errorf("md of %q: %q", command, lines)
		}
	}
}

// Long tables come out whole.
func TestTableOfManyRows(t *testing.T) {
	t.Parallel()
	const many = 2500
	var b strings.Builder
	n, err := report.Table(&b, func(yield func(audit.Row, error) bool) {
		for i := range many {
			if !yield(call(fmt.Sprint("echo ", i)), nil) {
				return
			}
		}
	}, what(t), report.Screen{Zone: time.UTC})
	if err != nil || n != many || strings.Count(b.String(), "\n") != many+1 || !strings.Contains(b.String(), "echo 2499") {
		t.Errorf("%d rows, %d lines, %v", n, strings.Count(b.String(), "\n"), err)
	}
}

// A table fits a narrow screen, also where later rows are wider than those
// before, as long as something of the call can be read.
func TestTableFitsTheScreen(t *testing.T) {
	t.Parallel()
	columns, err := report.ParseColumns("seq,what,tool,verdict")
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{40, 60, 100, 10, 0} {
		rows := []audit.Row{call("short"), call(strings.Repeat("long ", 20))}
		table := report.NewRolling(columns, report.Screen{Zone: time.UTC, Width: width})
		var b strings.Builder
		if err := table.Write(&b, rows...); err != nil {
			t.Fatal(err)
		}
		rows[1].Tool = "a_tool_with_a_name"
		if err := table.Write(&b, rows...); err != nil {
			t.Fatal(err)
		}
		widest := 0
		for line := range strings.SplitSeq(b.String(), "\n") {
			widest = max(widest, len([]rune(line)))
		}
		switch least := 3 + 2 + 16 + 2 + 18 + 2 + 7; {
		case width == 0 && !strings.Contains(b.String(), strings.TrimSpace(strings.Repeat("long ", 11))):
			t.Errorf("no bound, and yet: %s", b.String())
		case width > 0 && widest > max(width, least):
			t.Errorf("%d characters on a screen of %d:\n%s", widest, width, b.String())
		case width == 40 && !strings.Contains(b.String(), "long long"):
			t.Errorf("nothing can be read:\n%s", b.String())
		}
	}
}

// The list's own table fits a terminal of 80 characters, and leaves the call
// most of the room.
func TestDefaultTableFitsATerminal(t *testing.T) {
	t.Parallel()
	for _, width := range []int{80, 100, 119} {
		screen := report.Screen{Zone: time.UTC, Width: width}
		columns, err := report.ParseColumns(screen.Columns())
		if err != nil {
			t.Fatal(err)
		}
		row := call(strings.Repeat("long ", 20))
		row.Seq, row.Tool, row.Verdict, row.Decision, row.Basis, row.Answer = 12_345, "mcp__tracker__read_issue", policy.Ask, policy.Block, policy.BasisUser, gate.AnswerDismissed
		row.Outcome = audit.OutcomeError
		var b strings.Builder
		if _, err := report.Table(&b, func(yield func(audit.Row, error) bool) { yield(row, nil) }, columns, screen); err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(b.String(), "\n") {
			if n := len([]rune(line)); n > width {
				t.Errorf("%d characters on a screen of %d:\n%s", n, width, b.String())
			}
		}
		if !strings.Contains(b.String(), "long long long") {
			t.Errorf("nothing can be read of the call:\n%s", b.String())
		}
	}
}
