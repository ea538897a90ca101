package report

import (
	"io"
	"strings"
	"unicode/utf8"
)

// page is after how many rows a grid decides anew how wide its columns are, so
// that it need not hold them all.
const page = 1000

// painted is a harmless text and how it is shown.
type painted struct {
	text string
	as   shade
}

// grid lays out rows of cells in columns, which only ever get wider. Shades do
// not count for the width. Its zero value but for screen is ready for use.
type grid struct {
	screen Screen
	widths []int
	rows   [][]painted
}

func (g *grid) add(row []painted) { g.rows = append(g.rows, row) }

// full reports that it is time to write.
func (g *grid) full() bool { return len(g.rows) >= page }

// flush writes the rows that were added.
func (g *grid) flush(w io.Writer) error {
	for _, row := range g.rows {
		for i, c := range row {
			if i == len(g.widths) {
				g.widths = append(g.widths, 0)
			}
			g.widths[i] = max(g.widths[i], utf8.RuneCountInString(c.text))
		}
	}
	var out strings.Builder
	for _, row := range g.rows {
		for i, c := range row {
			out.WriteString(g.screen.paint(c.text, c.as))
			if i < len(row)-1 {
				out.WriteString(strings.Repeat(" ", g.widths[i]-utf8.RuneCountInString(c.text)+2))
			}
		}
		out.WriteByte('\n')
	}
	g.rows = g.rows[:0]
	_, err := io.WriteString(w, out.String())
	return err
}
