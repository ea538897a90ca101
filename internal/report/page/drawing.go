package page

import (
	"cmp"
	"fmt"
	"html/template"
	"strings"
	"time"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report/chart"
)

// drawing is a chart in the page with its legend and its numbers.
type drawing struct {
	ID, Title, Summary string
	SVG                template.HTML
	Legend             []chart.Series
	// Heads and Rows are the numbers as a table.
	Heads []string
	Rows  [][]string
	// Empty is said in place of a chart of nothing.
	Empty string
}

// drawings are the charts of a report, in the order of the page.
func drawings(r *Report) ([]drawing, error) {
	var list []drawing
	for _, d := range []struct {
		chart chart.Chart
		head  string
		empty string
		value func(float64) string
	}{
		{decisionsChart(r), r.Period.Step, "No calls in this period.", nil},
		{promptsChart(r), r.Period.Step, "No prompts in this period.", nil},
		{programsChart(r), "program", "No prompts in this period.", nil},
		{waitsChart(r), "time", "No prompts in this period.", nil},
		{hoursChart(r), "hour", "No calls in this period.", nil},
		{silentChart(r), r.Period.Step, "No calls in this period.", func(v float64) string {
			if v == chart.Missing {
				return "no calls"
			}
			return fmt.Sprintf("%.0f %%", v)
		}},
	} {
		drawn, err := draw(d.chart, d.head, d.empty, d.value)
		if err != nil {
			return nil, err
		}
		list = append(list, drawn)
	}
	return list, nil
}

func draw(c chart.Chart, head, empty string, value func(float64) string) (drawing, error) {
	d := drawing{ID: c.Name, Title: c.Title, Summary: c.Summary, Heads: []string{head}}
	if value == nil {
		value = func(v float64) string { return number(int(v)) }
	}
	some := false
	for _, s := range c.Series {
		d.Heads = append(d.Heads, s.Name)
		for _, v := range s.Values {
			some = some || v != chart.Missing && (v != 0 || c.Shape == chart.Line)
		}
	}
	if !some {
		d.Empty = empty
		return d, nil
	}
	for i, label := range c.Labels {
		row := []string{label}
		for _, s := range c.Series {
			row = append(row, value(s.Values[i]))
		}
		d.Rows = append(d.Rows, row)
	}
	if len(c.Series) > 1 {
		d.Legend = c.Series
	}
	svg, err := c.SVG()
	// Package chart writes nothing of the text it is given but as text.
	d.SVG = template.HTML(svg)
	return d, err
}

// slotLabel is the name of a slot below a chart.
func slotLabel(start, step string) string {
	at, err := time.Parse(time.DateOnly, start)
	if err != nil {
		return start
	}
	switch step {
	case StepMonth:
		return at.Format("Jan 06")
	case StepYear:
		return at.Format("2006")
	}
	return at.Format("2 Jan")
}

func slotLabels(r *Report) (labels []string) {
	for _, s := range r.Slots {
		labels = append(labels, slotLabel(s.Start, r.Period.Step))
	}
	return labels
}

// perSlot makes a series of the slots.
func perSlot(r *Report, name, class string, value func(*Slot) float64) chart.Series {
	s := chart.Series{Name: name, Class: class}
	for i := range r.Slots {
		s.Values = append(s.Values, value(&r.Slots[i]))
	}
	return s
}

func decisionsChart(r *Report) chart.Chart {
	c := chart.Chart{Name: "decisions", Title: "Calls a " + r.Period.Step + ", by verdict", Labels: slotLabels(r)}
	names := map[policy.Effect]string{policy.Allow: "allowed by a rule", policy.Pass: "passed (only reads)", policy.Ask: "asked about", policy.Deny: "denied by a rule"}
	var parts []string
	for _, v := range verdicts {
		s := perSlot(r, names[v], "verdict-"+string(v), func(s *Slot) float64 { return float64(s.Verdicts[v]) })
		c.Series = append(c.Series, s)
		parts = append(parts, fmt.Sprintf("%s %s", number(int(sum(s.Values))), names[v]))
	}
	c.Summary = strings.Join(parts, ", ") + "."
	return c
}

func promptsChart(r *Report) chart.Chart {
	c := chart.Chart{Name: "prompts", Title: "Prompts a " + r.Period.Step + ", by answer", Labels: slotLabels(r)}
	var parts []string
	for _, a := range answers {
		s := perSlot(r, answerWords[a], "answer-"+string(a), func(s *Slot) float64 { return float64(s.Answers[a]) })
		if n := int(sum(s.Values)); n > 0 {
			c.Series = append(c.Series, s)
			parts = append(parts, fmt.Sprintf("%s %s", number(n), answerWords[a]))
		}
	}
	c.Summary = plural(r.Total.Prompts, "prompt", "prompts") + ": " + cmp.Or(strings.Join(parts, ", "), "none") + "."
	return c
}

func programsChart(r *Report) chart.Chart {
	c := chart.Chart{Name: "programs", Title: "Programs that cost most prompts", Shape: chart.Bars}
	ran, not := chart.Series{Name: "allowed", Class: "answer-once"}, chart.Series{Name: "not allowed", Class: "answer-deny"}
	var parts []string
	for i, p := range r.Programs.Rows {
		name := cut(15, p.Name)
		c.Labels = append(c.Labels, name)
		ran.Values, not.Values = append(ran.Values, float64(p.Approved)), append(not.Values, float64(p.Prompts-p.Approved))
		if i < 3 {
			parts = append(parts, fmt.Sprintf("%s %s", name, number(p.Prompts)))
		}
	}
	c.Series = []chart.Series{ran, not}
	c.Summary = "Most prompts: " + cmp.Or(strings.Join(parts, ", "), "none") + "."
	return c
}

func waitsChart(r *Report) chart.Chart {
	c := chart.Chart{Name: "waits", Title: "How long people took to answer", Series: []chart.Series{{Name: "prompts", Class: "answer-once"}},
		Summary: fmt.Sprintf("Half within %s, nine of ten within %s.", took(r.Total.WaitedMedian), took(r.Total.WaitedP90))}
	if r.Total.WaitedMedian == 0 {
		c.Summary = "Nobody was asked."
	}
	before := ""
	for _, w := range r.Waits {
		bound := span(w.Under)
		switch {
		case before == "":
			c.Labels = append(c.Labels, "< "+bound)
		case w.Under == 0:
			c.Labels = append(c.Labels, "> "+before)
		default:
			c.Labels = append(c.Labels, "to "+bound)
		}
		before = bound
		c.Series[0].Values = append(c.Series[0].Values, float64(w.Prompts))
	}
	return c
}

func span(us int64) string {
	if us >= time.Minute.Microseconds() {
		return fmt.Sprintf("%d min", us/time.Minute.Microseconds())
	}
	return fmt.Sprintf("%d s", us/time.Second.Microseconds())
}

func hoursChart(r *Report) chart.Chart {
	c := chart.Chart{Name: "hours", Title: "Hours of the day", Series: []chart.Series{{Name: "without a question", Class: "verdict-allow"}, {Name: "prompts", Class: "verdict-ask"}}}
	busiest := Hour{}
	for _, h := range r.Hours {
		c.Labels = append(c.Labels, fmt.Sprintf("%02d", h.Hour))
		c.Series[0].Values = append(c.Series[0].Values, float64(h.Calls-h.Prompts))
		c.Series[1].Values = append(c.Series[1].Values, float64(h.Prompts))
		if h.Calls > busiest.Calls {
			busiest = h
		}
	}
	c.Summary = fmt.Sprintf("Busiest from %02d:00 to %02d:00 with %s, %s among them.", busiest.Hour, busiest.Hour+1, plural(busiest.Calls, "call", "calls"), plural(busiest.Prompts, "prompt", "prompts"))
	return c
}

func silentChart(r *Report) chart.Chart {
	c := chart.Chart{Name: "silent", Title: "Share that ran without a question", Shape: chart.Line, Labels: slotLabels(r), Max: 100,
		Format:  func(v float64) string { return fmt.Sprintf("%.0f %%", v) },
		Summary: fmt.Sprintf("%s of all calls in the period.", percent(r.Total.SilentShare))}
	c.Series = []chart.Series{perSlot(r, "ran silently", "verdict-allow", func(s *Slot) float64 {
		if s.Calls == 0 {
			return chart.Missing
		}
		return float64(100 * s.Silent / s.Calls)
	})}
	return c
}

func sum(values []float64) (total float64) {
	for _, v := range values {
		total += v
	}
	return total
}
