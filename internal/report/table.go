// Package report shows what the journal holds: it turns rows into tables and
// other formats. It reads the journal through package audit and never writes.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
)

// widest is how many characters of a call a table shows.
const widest = 56

// Table writes decisions as a table for people, oldest first: times in the
// zone, and nothing in it that a terminal would act on. Other entries are left
// out. It returns how many rows it wrote, and the first error of the rows or
// the writer.
func Table(w io.Writer, rows iter.Seq2[audit.Row, error], zone *time.Location) (n int, err error) {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	line := func(cells ...string) {
		if err == nil {
			_, err = fmt.Fprintln(t, strings.Join(cells, "\t"))
		}
	}
	for row, rowErr := range rows {
		if rowErr != nil {
			err = rowErr
			break
		}
		if row.Kind != gate.KindDecision {
			continue
		}
		if n++; n == 1 {
			line("SEQ", "TIME", "TOOL", "WHAT", "VERDICT", "DECISION", "BASIS", "OUTCOME")
		}
		line(strconv.FormatInt(row.Seq, 10), row.Time.Time().In(zone).Format("01-02 15:04:05"), cell(row.Tool, 24),
			cell(row.What(), widest), string(row.Verdict), string(row.Decision), basis(row), outcome(row))
	}
	if flushErr := t.Flush(); err == nil {
		err = flushErr
	}
	return n, err
}

// basis says by what the decision was made; the person's answer says more than
// that it was the person's.
func basis(row audit.Row) string {
	if row.Answer != "" && row.Basis == gate.BasisUser {
		return string(row.Basis) + ": " + string(row.Answer)
	}
	return string(row.Basis)
}

func outcome(row audit.Row) string {
	text := row.Outcome
	if row.ExitCode != nil && *row.ExitCode != 0 {
		text += " " + strconv.Itoa(*row.ExitCode)
	}
	if row.Mismatch {
		text += " (other input ran)"
	}
	if text == "" {
		return "-"
	}
	return text
}

// cell is hostile text as one harmless line of at most width characters.
func cell(s string, width int) string {
	s = gate.Visible(s)
	if runes := []rune(s); len(runes) > width {
		return string(runes[:width-1]) + "…"
	}
	return s
}

// JSONLines writes one JSON object a line.
func JSONLines(w io.Writer, rows iter.Seq2[audit.Row, error]) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for row, err := range rows {
		if err != nil {
			return err
		}
		if err := e.Encode(row); err != nil {
			return err
		}
	}
	return nil
}
