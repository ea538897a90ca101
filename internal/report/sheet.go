package report

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pigate/pigate/internal/text"
)

// SheetFormats are the formats that WriteSheet writes.
var SheetFormats = []string{"table", "json", "jsonl", "csv", "md"}

// widest is how many characters of a value a table shows.
const widest = 100

// WriteSheet writes rows of values under columns, in one of SheetFormats, as
// they come, and returns how many it wrote. A value is nil, a number, a text or
// bytes (which are shown in hex); all text is hostile. In JSON a row is an
// object, columns of the same name are numbered, and what is no number is a
// text. The first error of the rows or the writer ends it; what came before is
// written, but an array of JSON is not closed then. Only a table heeds the
// screen.
func WriteSheet(w io.Writer, format string, columns []string, rows iter.Seq2[[]any, error], screen Screen) (n int, err error) {
	var s sheet
	switch format {
	case "json", "jsonl":
		s = &jsonSheet{w: w, names: distinct(columns), array: format == "json"}
	case "csv":
		s = &csvSheet{csv.NewWriter(w)}
	case "md":
		s = &markdownSheet{w}
	case "table":
		s = &tableSheet{w: w, grid: grid{screen: screen}}
	default:
		return 0, fmt.Errorf("format is %q, must be one of %s", format, strings.Join(SheetFormats, ", "))
	}
	if err := s.head(columns); err != nil {
		return 0, err
	}
	for row, rowErr := range rows {
		if err = rowErr; err == nil {
			err = s.row(row)
		}
		if err != nil {
			break
		}
		n++
	}
	if endErr := s.end(err == nil); err == nil {
		err = endErr
	}
	return n, err
}

// sheet is a format of WriteSheet.
type sheet interface {
	head(columns []string) error
	row(values []any) error
	// end writes what is left; whole tells that there was no error.
	end(whole bool) error
}

// valueText is a value as it is shown; nothing is "".
func valueText(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case []byte:
		return hex.EncodeToString(v)
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(value)
}

type tableSheet struct {
	w    io.Writer
	grid grid
}

func (s *tableSheet) head(columns []string) error {
	cells := make([]gridCell, len(columns))
	for i, c := range columns {
		cells[i] = gridCell{cell(strings.ToUpper(c), widest), heading}
	}
	s.grid.add(cells)
	return nil
}

func (s *tableSheet) row(values []any) error {
	cells := make([]gridCell, len(values))
	for i, v := range values {
		cells[i] = gridCell{cmp.Or(cell(valueText(v), widest), "-"), plain}
	}
	if s.grid.add(cells); s.grid.full() {
		return s.grid.flush(s.w)
	}
	return nil
}

func (s *tableSheet) end(bool) error { return s.grid.flush(s.w) }

type csvSheet struct{ w *csv.Writer }

func (s *csvSheet) head(columns []string) error {
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = harmlessInSheet(c)
	}
	return s.w.Write(cells)
}

func (s *csvSheet) row(values []any) error {
	cells := make([]string, len(values))
	for i, v := range values {
		if cells[i] = valueText(v); !number(v) { // a spreadsheet may know a negative number
			cells[i] = harmlessInSheet(cells[i])
		}
	}
	return s.w.Write(cells)
}

func (s *csvSheet) end(bool) error {
	s.w.Flush()
	return s.w.Error()
}

func number(value any) bool {
	switch value.(type) {
	case int64, int, float64:
		return true
	}
	return false
}

type markdownSheet struct{ w io.Writer }

func (s *markdownSheet) head(columns []string) error {
	cells, rule := make([]any, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		cells[i], rule[i] = c, "---"
	}
	if err := s.row(cells); err != nil {
		return err
	}
	return s.line(rule)
}

func (s *markdownSheet) row(values []any) error {
	cells := make([]string, len(values))
	for i, v := range values {
		cells[i] = HarmlessInMarkdown(valueText(v))
	}
	return s.line(cells)
}

func (s *markdownSheet) line(cells []string) error {
	_, err := fmt.Fprintf(s.w, "| %s |\n", strings.Join(cells, " | "))
	return err
}

func (s *markdownSheet) end(bool) error { return nil }

type jsonSheet struct {
	w     io.Writer
	names []string
	array bool
	n     int
}

func (s *jsonSheet) head([]string) error { return nil }

func (s *jsonSheet) row(values []any) error {
	var b bytes.Buffer
	if s.array {
		b.WriteByte("[,"[min(s.n, 1)])
	}
	s.n++
	b.WriteByte('{')
	for i, v := range values {
		if i > 0 {
			b.WriteByte(',')
		}
		if f, ok := v.(float64); ok && (math.IsInf(f, 0) || math.IsNaN(f)) || isBytes(v) {
			v = valueText(v)
		}
		for j, part := range []any{s.names[i], v} {
			e := text.NewEncoder(&b)
			if err := e.Encode(part); err != nil {
				return err
			}
			b.Truncate(b.Len() - 1) // the line end
			if j == 0 {
				b.WriteByte(':')
			}
		}
	}
	b.WriteString("}\n")
	_, err := s.w.Write(b.Bytes())
	return err
}

func isBytes(v any) bool { _, is := v.([]byte); return is }

func (s *jsonSheet) end(whole bool) error {
	if !s.array || !whole {
		return nil
	}
	end := "]\n"
	if s.n == 0 {
		end = "[]\n"
	}
	_, err := io.WriteString(s.w, end)
	return err
}

// distinct numbers names that come again.
func distinct(names []string) []string {
	list := make([]string, 0, len(names))
	for _, name := range names {
		next := name
		for i := 2; slices.Contains(list, next); i++ {
			next = fmt.Sprint(name, "_", i)
		}
		list = append(list, next)
	}
	return list
}
