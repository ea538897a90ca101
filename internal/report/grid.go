package report

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/pigate/pigate/internal/text"
)

// page is after how many rows a grid decides anew how wide its columns are, so
// that it need not hold them all.
const page = 1000

// gridCell is a harmless text and how it is shown.
type gridCell struct {
	text string
	as   shade
}

// grid lays out rows of cells in columns, which only ever get wider. Shades do
// not count for the width. Its zero value but for screen is ready for use.
type grid struct {
	screen Screen
	// flexible is the number, from 1, of the column that is shortened where the
	// screen is narrow; 0 is none.
	flexible int
	widths   []int
	rows     [][]gridCell
}

func (g *grid) add(row []gridCell) { g.rows = append(g.rows, row) }

// full reports that it is time to write.
func (g *grid) full() bool { return len(g.rows) >= page }

// flush writes the rows that were added.
func (g *grid) flush(w io.Writer) error {
	for i := range g.rows {
		for len(g.widths) < len(g.rows[i]) {
			g.widths = append(g.widths, 0)
		}
		for j, c := range g.rows[i] {
			if j+1 != g.flexible {
				g.widths[j] = max(g.widths[j], utf8.RuneCountInString(c.text))
			}
		}
	}
	g.fit()
	var out strings.Builder
	for _, row := range g.rows {
		for i, c := range row {
			out.WriteString(g.screen.paint(c.text, c.as))
			if i < len(row)-1 {
				out.WriteString(strings.Repeat(" ", g.widths[i]-utf8.RuneCountInString(c.text)+gap))
			}
		}
		out.WriteByte('\n')
	}
	g.rows = g.rows[:0]
	_, err := io.WriteString(w, out.String())
	return err
}

// gap is how far columns are apart, readable how many characters of a column are
// shown at least.
const gap, readable = 2, 12

// fit settles the flexible column: it takes what the others leave of the screen.
func (g *grid) fit() {
	at := g.flexible - 1
	if at < 0 || at >= len(g.widths) {
		return
	}
	most := 0
	if g.screen.Width > 0 {
		most = g.screen.Width - gap*(len(g.widths)-1) + g.widths[at]
		for _, width := range g.widths {
			most -= width
		}
		most = max(most, readable)
		g.widths[at] = min(g.widths[at], most)
	}
	for _, row := range g.rows {
		if at < len(row) {
			row[at].text = text.Cut(row[at].text, most)
			g.widths[at] = max(g.widths[at], utf8.RuneCountInString(row[at].text))
		}
	}
}
