package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/text"
)

// JSONLines writes one JSON object a line.
func JSONLines(w io.Writer, rows iter.Seq2[audit.Row, error]) error {
	e := text.NewEncoder(w)
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

// JSON writes one array. When the rows end in an error it is not closed.
func JSON(w io.Writer, rows iter.Seq2[audit.Row, error]) error {
	e := text.NewEncoder(w)
	before := "["
	for row, err := range rows {
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, before); err != nil {
			return err
		}
		if err := e.Encode(row); err != nil {
			return err
		}
		before = ","
	}
	if before == "[" {
		_, err := io.WriteString(w, "[]\n")
		return err
	}
	_, err := io.WriteString(w, "]\n")
	return err
}

// CSV writes a heading and one record a row. Texts are whole, on one line, and
// begin with an apostrophe where a spreadsheet would take them for a formula.
func CSV(w io.Writer, rows iter.Seq2[audit.Row, error], columns []Column) error {
	c := csv.NewWriter(w)
	var names []string
	for _, column := range columns {
		names = append(names, column.Name)
	}
	if err := c.Write(names); err != nil {
		return err
	}
	for row, err := range rows {
		if err != nil {
			c.Flush() // the rows before it
			return err
		}
		if err := c.Write(cells(&row, columns, harmlessInSheet)); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

func cells(row *audit.Row, columns []Column, harmless func(string) string) []string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = harmless(c.text(row))
	}
	return list
}

func harmlessInSheet(s string) string {
	s = text.Visible(s)
	if start := strings.TrimLeft(s, " '\""); start != "" && strings.ContainsRune("=+-@|%＝＋－＠", []rune(start)[0]) {
		return "'" + s
	}
	return s
}

// Markdown writes a table as GitHub's Markdown has it, in which no text is
// anything but text: no link, mention, image or HTML.
func Markdown(w io.Writer, rows iter.Seq2[audit.Row, error], columns []Column) error {
	write := func(cells []string) error {
		_, err := fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
		return err
	}
	var names, rule []string
	for _, c := range columns {
		names, rule = append(names, c.Name), append(rule, "---")
	}
	if err := write(names); err != nil {
		return err
	}
	if err := write(rule); err != nil {
		return err
	}
	for row, err := range rows {
		if err != nil {
			return err
		}
		if err := write(cells(&row, columns, HarmlessInMarkdown)); err != nil {
			return err
		}
	}
	return nil
}

// HarmlessInMarkdown is hostile text as GitHub's Markdown shows it and does
// nothing else with it, in a cell of a table or elsewhere. What has a meaning in
// Markdown or HTML is written as the number of the character, which is taken for
// the character alone. Text with any goes into a code element, where GitHub
// looks for no mentions either.
func HarmlessInMarkdown(s string) string {
	s = text.Visible(s)
	const bare = " -/,"
	var b strings.Builder
	special := false
	for _, r := range s {
		if r > '~' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || strings.ContainsRune(bare, r) {
			b.WriteRune(r)
			continue
		}
		special = true
		fmt.Fprintf(&b, "&#%d;", r)
	}
	if special {
		return "<code>" + b.String() + "</code>"
	}
	return b.String()
}
