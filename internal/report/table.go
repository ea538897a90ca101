// Package report shows what the journal holds: it turns rows into tables and
// other formats. It reads the journal through package audit and never writes.
// All text of the journal is hostile, and leaves here so that what shows it does
// nothing but show it.
package report

import (
	"fmt"
	"io"
	"iter"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
)

// page is after how many rows a table decides anew how wide its columns are, so
// that it need not hold them all.
const page = 1000

// Table writes rows as a table for people: times in the zone, and nothing in it
// that a terminal would act on. It returns how many rows it wrote, and the first
// error of the rows or the writer.
func Table(w io.Writer, rows iter.Seq2[audit.Row, error], columns []Column, zone *time.Location) (n int, err error) {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for row, rowErr := range rows {
		if rowErr != nil {
			err = rowErr
			break
		}
		if n == 0 {
			err = line(t, headings(columns))
		} else if n%page == 0 {
			err = t.Flush()
		}
		if err == nil {
			err = line(t, tableCells(&row, columns, zone))
		}
		if err != nil {
			break
		}
		n++
	}
	if flushErr := t.Flush(); err == nil {
		err = flushErr
	}
	return n, err
}

func headings(columns []Column) []string {
	var cells []string
	for _, c := range columns {
		cells = append(cells, strings.ToUpper(c.Name))
	}
	return cells
}

func tableCells(row *audit.Row, columns []Column, zone *time.Location) []string {
	cells := make([]string, len(columns))
	for i, c := range columns {
		switch text := c.text(row); {
		case c.Name == "time":
			cells[i] = row.Time.Time().In(zone).Format("01-02 15:04:05")
		case text == "":
			cells[i] = "-"
		default:
			cells[i] = cell(text, c.width)
		}
	}
	return cells
}

func line(w io.Writer, cells []string) error {
	_, err := fmt.Fprintln(w, strings.Join(cells, "\t"))
	return err
}

// cell is hostile text as one harmless line of at most width characters; 0 is
// no bound.
func cell(s string, width int) string {
	s = gate.Visible(s)
	if runes := []rune(s); width > 0 && len(runes) > width {
		return string(runes[:width-1]) + "…"
	}
	return s
}
