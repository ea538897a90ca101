package chart_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/report/chart"
)

func days(n int) (labels []string) {
	for i := range n {
		labels = append(labels, fmt.Sprint("d", i))
	}
	return labels
}

func values(n int) (list []float64) {
	for i := range n {
		list = append(list, float64(i%7))
	}
	return list
}

// charts are all that can be drawn, empty and full.
func charts() (list []chart.Chart) {
	for _, shape := range []chart.Shape{chart.Columns, chart.Bars, chart.Line} {
		for _, n := range []int{0, 1, 2, 24, 45} {
			list = append(list, chart.Chart{Name: "c", Title: "T", Summary: "S", Shape: shape, Labels: days(n),
				Series: []chart.Series{{Name: "one", Class: "first", Values: values(n)}, {Name: "two", Class: "second", Values: values(n)}}})
		}
	}
	return list
}

// allowed is what a drawing may hold.
var allowed = regexp.MustCompile(`^(svg|title|desc|path|circle|text) ?(viewBox|role|aria-labelledby|id|class|d|cx|cy|r|x|y|transform| )*$`)

func TestDrawingHoldsNothingAPolicyRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range charts() {
		svg, err := c.SVG()
		if err != nil {
			t.Fatalf("%d of shape %d: %v", len(c.Labels), c.Shape, err)
		}
		d := xml.NewDecoder(strings.NewReader(svg))
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", svg, err)
			}
			if start, ok := token.(xml.StartElement); ok {
				look := start.Name.Local
				for _, a := range start.Attr {
					look += " " + a.Name.Local
				}
				if !allowed.MatchString(look) {
					t.Errorf("an element %q in %s", look, svg)
				}
			}
		}
	}
}

func TestDrawingShowsTextsAsTheyAre(t *testing.T) {
	t.Parallel()
	const hostile = `<script>alert(1)</script>"'&`
	c := chart.Chart{Name: "c", Title: hostile, Summary: hostile, Shape: chart.Bars, Labels: []string{hostile},
		Series: []chart.Series{{Class: "first", Values: []float64{1}}}}
	svg, err := c.SVG()
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Title string   `xml:"title"`
		Desc  string   `xml:"desc"`
		Texts []string `xml:"text"`
	}
	if err := xml.Unmarshal([]byte(svg), &read); err != nil {
		t.Fatal(err)
	}
	if read.Title != hostile || read.Desc != hostile || !strings.Contains(strings.Join(read.Texts, "\n"), hostile) {
		t.Errorf("%q", read)
	}
}

// Each value of columns is one area in the class of its series.
func TestDrawingOfColumns(t *testing.T) {
	t.Parallel()
	c := chart.Chart{Name: "c", Labels: days(3), Series: []chart.Series{
		{Class: "first", Values: []float64{1, 2, 3}}, {Class: "second", Values: []float64{3, 2, 1}}}}
	svg, err := c.SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, class := range []string{"first", "second"} {
		if n := strings.Count(svg, `<path class="fill `+class+`"`); n != 3 {
			t.Errorf("%d areas of %s, want 3: %s", n, class, svg)
		}
	}
}

func TestDrawingWantsAValueForEachLabel(t *testing.T) {
	t.Parallel()
	c := chart.Chart{Name: "c", Labels: days(3), Series: []chart.Series{{Values: []float64{1}}}}
	if _, err := c.SVG(); err == nil || !strings.Contains(err.Error(), "draw c: 1 values for 3 labels") {
		t.Error(err)
	}
}
