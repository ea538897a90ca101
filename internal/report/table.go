// Package report shows what the journal holds: it turns rows into tables and
// other formats. It reads the journal through package audit and never writes.
// All text of the journal is hostile, and leaves here so that what shows it does
// nothing but show it.
package report

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/text"
)

// Table writes rows as a table for people, and nothing in it that a terminal
// would act on but the screen's own colours. It returns how many rows it wrote,
// and the first error of the rows or the writer.
func Table(w io.Writer, rows iter.Seq2[audit.Row, error], columns []Column, screen Screen) (n int, err error) {
	t := NewRolling(columns, screen)
	for row, rowErr := range rows {
		if rowErr != nil {
			err = rowErr
			break
		}
		t.add(&row)
		n++
		if t.grid.full() {
			if err = t.grid.flush(w); err != nil {
				return n, err
			}
		}
	}
	if flushErr := t.grid.flush(w); err == nil {
		err = flushErr
	}
	return n, err
}

// Rolling is a table that goes on: its columns keep their widths from one batch
// of rows to the next, and its headings come once.
type Rolling struct {
	columns []Column
	grid    grid
	begun   bool
}

// NewRolling returns a table without rows.
func NewRolling(columns []Column, screen Screen) *Rolling {
	what := slices.IndexFunc(columns, func(c Column) bool { return c.Name == "what" })
	return &Rolling{columns: columns, grid: grid{screen: screen, flexible: what + 1}}
}

// Write adds rows to the table.
func (t *Rolling) Write(w io.Writer, rows ...audit.Row) error {
	for i := range rows {
		t.add(&rows[i])
	}
	return t.grid.flush(w)
}

func (t *Rolling) add(row *audit.Row) {
	if !t.begun {
		t.grid.add(headings(t.columns))
		t.begun = true
	}
	t.grid.add(t.cells(row))
}

func headings(columns []Column) []gridCell {
	var cells []gridCell
	for _, c := range columns {
		cells = append(cells, gridCell{strings.ToUpper(c.Name), heading})
	}
	return cells
}

func (t *Rolling) cells(row *audit.Row) []gridCell {
	cells := make([]gridCell, len(t.columns))
	for i, c := range t.columns {
		switch text := c.text(row); {
		case c.Name == "time":
			cells[i].text = row.Time.Time().In(t.grid.screen.Zone).Format("01-02 15:04:05")
		case text == "":
			cells[i].text = "-"
		case t.grid.screen.narrow():
			cells[i].text = cell(text, c.narrow)
		default:
			cells[i].text = cell(text, c.width)
		}
		cells[i].as = shadeOf(c.Name, row)
	}
	return cells
}

// shadeOf marks what a person should not miss.
func shadeOf(column string, row *audit.Row) shade {
	switch column {
	case "verdict":
		return verdictShade(row)
	case "decision":
		return decisionShade(row)
	case "outcome":
		return outcomeShade(row)
	}
	return plain
}

func verdictShade(row *audit.Row) shade {
	switch row.Verdict {
	case policy.Deny:
		return alarm
	case policy.Ask:
		return warning
	case policy.Allow, policy.Pass:
	}
	return plain
}

func decisionShade(row *audit.Row) shade {
	if row.Decision == policy.Block {
		return alarm
	}
	return plain
}

func outcomeShade(row *audit.Row) shade {
	if row.Outcome == audit.OutcomeError || row.Mismatch {
		return alarm
	}
	return plain
}

func line(w io.Writer, cells []string) error {
	_, err := fmt.Fprintln(w, strings.Join(cells, "\t"))
	return err
}

// cell is hostile text as one harmless line of at most width characters; 0 is
// no bound.
func cell(s string, width int) string {
	return text.Cut(text.Visible(s), width)
}
