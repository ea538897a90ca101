package page

import (
	"crypto/sha256"
	_ "embed" // the page's parts
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"github.com/pigate/pigate/internal/audit"
)

//go:embed assets/page.html
var pageText string

//go:embed assets/page.css
var styleText string

//go:embed assets/page.js
var scriptText string

// pageTemplate escapes each text for the place it stands in.
var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"number": number, "percent": percent, "took": took, "cut": cut, "tail": tail, "by": by, "commands": commands,
	"flag": func(name string) string { return flagWords[name] },
	"list": func(id, title, lead, empty string, rows, more int) heading {
		return heading{id, title, lead, empty, rows > 0, more}
	},
	"clock": func(m audit.Micros, zone *time.Location) string { return clock(m, zone) },
	"hour":  func(m audit.Micros, zone *time.Location) string { return m.Time().In(zone).Format("15:04") },
	"iso":   func(m audit.Micros) string { return m.Time().Format(time.RFC3339) },
	"lasted": func(s Session) string {
		if s.Lasted() < time.Minute.Microseconds() {
			return "under a minute"
		}
		return took(s.Lasted())
	},
}).Parse(pageText))

// heading is the head of a section with a table.
type heading struct {
	ID, Title, Lead, Empty string
	Filled                 bool
	More                   int
}

// view is what the template is given: a report in which every text is visible.
type view struct {
	*Report
	Policy        string
	Style         template.CSS
	Script        template.JS
	Location      *time.Location
	Scope, Span   string
	Headlines     []change
	Drawings      []drawing
	TimelineCount int
	FindingsLead  string
	NoFindings    string
}

// WriteHTML writes a report as one page that needs nothing else: it loads
// nothing, and its Content-Security-Policy lets it load or run nothing but its
// own style sheet and script. Times are those of the zone.
func WriteHTML(w io.Writer, r *Report, zone *time.Location) error {
	r = visible(r)
	drawn, err := drawings(r)
	if err != nil {
		return err
	}
	// Style and script are this package's own; no other text is of these types.
	v := view{Report: r, Style: template.CSS(styleText), Script: template.JS(scriptText), Location: zone, Scope: r.scope(), Span: r.span(zone),
		Headlines: r.headlines(), Drawings: drawn, TimelineCount: len(r.Timelines), NoFindings: r.noFindings()}
	v.FindingsLead = "Rules that never match, are not used, are covered by others, or allow more than they seem to."
	if r.RulesOf != "" {
		v.FindingsLead = "Of those in force in " + tail(80, r.RulesOf) + ": rules that never match, are not used, are covered by others, or allow more than they seem to."
	}
	v.Policy = fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'", source(styleText), source(scriptText))
	if err := pageTemplate.Execute(w, v); err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	return nil
}

// source names a text in a Content-Security-Policy.
func source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// commands marks what stands in backquotes as code.
func commands(text string) template.HTML {
	var b strings.Builder
	for i, part := range strings.Split(text, "`") {
		part = template.HTMLEscapeString(part)
		if i%2 == 1 {
			part = "<code>" + part + "</code>"
		}
		b.WriteString(part)
	}
	return template.HTML(b.String())
}
