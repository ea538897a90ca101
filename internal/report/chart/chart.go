// Package chart draws numbers as SVG that stands inside a page: small enough
// for a telephone, in the colours of the page's own style sheet, and with
// nothing in it that a strict Content-Security-Policy would refuse.
package chart

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/go-analyze/charts"
)

// Series are the numbers of one colour, one for each label of the chart.
type Series struct {
	// Name is what the legend says.
	Name string
	// Class is the CSS class of everything that is drawn for the series.
	Class  string
	Values []float64
}

// Missing as a value draws nothing.
var Missing = charts.GetNullValue()

// Shape is how numbers are drawn.
type Shape int

// The shapes.
const (
	// Columns stand on the labels; series are stacked.
	Columns Shape = iota
	// Bars lie beside the labels, the first at the top; series are stacked.
	Bars
	// Line joins the values of each series.
	Line
)

// Chart is what is drawn. Its texts are shown as they are given: who asks for a
// chart makes them harmless and short.
type Chart struct {
	// Name is the first part of the ids in the drawing: unique in the page, a
	// letter and then letters, digits and hyphens.
	Name string
	// Title and Summary are what a screen reader says of the drawing.
	Title, Summary string
	Shape          Shape
	Labels         []string
	Series         []Series
	// Max is the value that the axis reaches at least, 0 for the highest stack.
	Max float64
	// Format writes a value on the axis; nil writes whole numbers, large ones in
	// thousands.
	Format func(float64) string
}

// The size of a drawing in its own units. Drawn so wide a letter is as large as
// the page's small print; a narrower or wider page scales it.
const (
	width  = 400
	height = 220
	// perBar is how much higher a chart of bars is for each of them.
	perBar   = 22
	aroundBy = 44
	letter   = 8.6 // points
)

// SVG draws the chart as one svg element. A series with another number of values
// than there are labels is an error.
func (c Chart) SVG() (string, error) {
	data := make([][]float64, len(c.Series))
	for i, s := range c.Series {
		if len(s.Values) != len(c.Labels) {
			return "", fmt.Errorf("draw %s: %d values for %d labels", c.Name, len(s.Values), len(c.Labels))
		}
		data[i] = c.drawable(s.Values)
	}
	high := height
	if c.Shape == Bars {
		high = aroundBy + perBar*len(c.Labels)
	}
	p := charts.NewPainter(charts.PainterOptions{OutputFormat: charts.ChartOutputSVG, Width: width, Height: high, Theme: theme})
	if err := c.draw(p, data); err != nil {
		return "", fmt.Errorf("draw %s: %w", c.Name, err)
	}
	drawn, err := p.Bytes()
	if err != nil {
		return "", fmt.Errorf("draw %s: %w", c.Name, err)
	}
	return c.repaint(drawn, high)
}

// drawable are the values in the order in which the library wants them, which
// draws bars from the bottom up, and without areas of no size, which it would
// draw the edges of.
func (c Chart) drawable(values []float64) []float64 {
	list := slices.Clone(values)
	if c.Shape != Line {
		for i, v := range list {
			if v == 0 {
				list[i] = Missing
			}
		}
	}
	if c.Shape == Bars {
		slices.Reverse(list)
	}
	return list
}

func (c Chart) draw(p *charts.Painter, data [][]float64) error {
	font := charts.FontStyle{FontSize: letter}
	padding := charts.NewBox(4, 10, 12, 4)
	most, steps := c.scale()
	value := charts.ValueAxisOption{LabelFontStyle: font, Min: charts.Ptr(0.0), Max: charts.Ptr(most), LabelCount: steps + 1, ValueFormatter: c.format}
	category := charts.CategoryAxisOption{LabelFontStyle: font, Labels: c.labels(), LabelCount: len(c.Labels)}
	if c.Shape == Line {
		opt := charts.NewLineChartOptionWithData(data)
		opt.Theme, opt.Padding, opt.Legend.Show = theme, padding, charts.Ptr(false)
		opt.YAxis, opt.XAxis, opt.LineStrokeWidth = []charts.YAxisOption{value}, category, 2
		opt.Symbol = charts.Symbol{Shape: charts.SymbolDot, Size: 2.5}
		return p.LineChart(opt)
	}
	opt := charts.NewBarChartOptionWithData(data)
	opt.Theme, opt.Padding, opt.Legend.Show = theme, padding, charts.Ptr(false)
	opt.StackSeries, opt.Horizontal = charts.Ptr(true), c.Shape == Bars
	opt.ValueAxis, opt.CategoryAxis = []charts.ValueAxisOption{value}, category
	return p.BarChart(opt)
}

// mostLabels is how many labels stand below a drawing without touching.
const mostLabels = 8

// labels are those of the axis, of which only each so-manieth is written.
func (c Chart) labels() []string {
	list := slices.Clone(c.Labels)
	if c.Shape == Bars {
		slices.Reverse(list)
		return list
	}
	each := (len(list) + mostLabels - 1) / mostLabels
	for i := range list {
		if i%each != 0 {
			list[i] = " "
		}
	}
	return list
}

// scale is where the axis of values ends, and in how many steps, each of which
// is 1, 2 or 5 times a power of ten.
func (c Chart) scale() (most float64, steps int) {
	most = c.Max
	if most == 0 {
		most = max(c.most(), 1)
	}
	for power := 1.0; ; power *= 10 {
		for _, step := range []float64{1, 2, 5} {
			if n := math.Ceil(most / (step * power)); n <= 5 {
				return n * step * power, int(n)
			}
		}
	}
}

// most is the highest stack of values.
func (c Chart) most() (most float64) {
	for i := range c.Labels {
		sum := 0.0
		for _, s := range c.Series {
			if s.Values[i] != Missing {
				sum += s.Values[i]
			}
		}
		most = max(most, sum)
	}
	return most
}

func (c Chart) format(v float64) string {
	if c.Format != nil {
		return c.Format(v)
	}
	if v >= 1000 && c.most() >= 10_000 {
		return strconv.FormatFloat(v/1000, 'f', -1, 64) + "k"
	}
	return fmt.Sprintf("%.0f", v)
}
