package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/go-analyze/charts"
)

// The library draws in colours that mean nothing; repaint puts a class in place
// of each, so that the page's style sheet has the last word in light and dark.
var (
	textInk  = charts.Color{R: 1, A: 255}
	axisInk  = charts.Color{R: 2, A: 255}
	gridInk  = charts.Color{R: 3, A: 255}
	paperInk = charts.Color{R: 4, A: 255}
	theme    = charts.MakeTheme(charts.ThemeOption{AxisStrokeColor: axisInk, AxisSplitLineColor: gridInk, BackgroundColor: paperInk,
		TextColor: textInk, SeriesColors: seriesInks()})
)

// maxSeries is how many colours there are.
const maxSeries = 12

func seriesInk(i int) charts.Color { return charts.Color{R: 5, G: uint8(i + 1), A: 255} }

func seriesInks() (list []charts.Color) {
	for i := range maxSeries {
		list = append(list, seriesInk(i))
	}
	return list
}

// class names what is drawn in a colour.
func (c Chart) class(ink string) string {
	switch ink {
	case textInk.String():
		return "chart-text"
	case axisInk.String():
		return "chart-axis"
	case gridInk.String():
		return "chart-grid"
	}
	for i, s := range c.Series {
		if ink == seriesInk(i).String() {
			return s.Class
		}
	}
	return ""
}

// kept are the attributes of the elements that a drawing consists of. What is
// none of these is left out.
var kept = map[string][]string{
	"path":   {"d"},
	"circle": {"cx", "cy", "r"},
	"text":   {"x", "y", "transform"},
}

// repaint writes a drawing of the library anew: without style attributes, which
// a Content-Security-Policy refuses, without the background, and with a name
// for screen readers.
func (c Chart) repaint(drawn []byte, high int) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %d %d" role="img" aria-labelledby="%[3]s-title %[3]s-summary"><title id="%[3]s-title">%[4]s</title><desc id="%[3]s-summary">%[5]s</desc>`,
		width, high, html.EscapeString(c.Name), html.EscapeString(c.Title), html.EscapeString(c.Summary))
	d := xml.NewDecoder(bytes.NewReader(drawn))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			b.WriteString("</svg>")
			return b.String(), nil
		}
		if err != nil {
			return "", fmt.Errorf("read the drawing of %s: %w", c.Name, err)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local != "svg" {
			if err := c.element(&b, d, start); err != nil {
				return "", fmt.Errorf("read the drawing of %s: %w", c.Name, err)
			}
		}
	}
}

func (c Chart) element(b *strings.Builder, d *xml.Decoder, start xml.StartElement) error {
	var content struct {
		Text string `xml:",chardata"`
	}
	if err := d.DecodeElement(&content, &start); err != nil {
		return err
	}
	look, ok := c.look(start)
	attributes, known := kept[start.Name.Local]
	if !ok || !known {
		return nil // the background
	}
	fmt.Fprintf(b, `<%s class="%s"`, start.Name.Local, html.EscapeString(look))
	for _, a := range start.Attr {
		for _, name := range attributes {
			if a.Name.Local == name {
				fmt.Fprintf(b, ` %s="%s"`, name, html.EscapeString(strings.ReplaceAll(a.Value, "\n", "")))
			}
		}
	}
	if start.Name.Local == "text" {
		fmt.Fprintf(b, ">%s</text>", html.EscapeString(content.Text))
		return nil
	}
	b.WriteString("/>")
	return nil
}

// look is the class of an element, and whether it is filled or a line.
func (c Chart) look(start xml.StartElement) (class string, ok bool) {
	style := map[string]string{}
	for _, a := range start.Attr {
		if a.Name.Local != "style" {
			continue
		}
		for part := range strings.SplitSeq(a.Value, ";") {
			name, value, _ := strings.Cut(part, ":")
			style[name] = value
		}
	}
	if class = c.class(style["fill"]); class != "" {
		return "fill " + class, true
	}
	if class = c.class(style["stroke"]); class != "" {
		return "line " + class, true
	}
	return "", false
}
