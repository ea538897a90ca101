package redact

import (
	"github.com/pigate/pigate/internal/audit/redact/clue"
	"sort"
	"strings"
)

// relate looks for secrets that what stands beside a string makes of it,
// until there are no more.
func (w *jsonWalk) relate() {
	for _, p := range w.pairs {
		if w.err != nil {
			return
		}
		if n := clue.ReadName(blind(p.name.masked()).text); n.Strength > p.value.name.Strength {
			p.value.name = n
			w.search(p.value, nil)
		}
	}
	for _, list := range w.lists {
		for n := 0; w.err == nil && w.command(list); n++ {
			if n == rounds {
				w.err = errUnsettled
			}
		}
	}
}

// masked is the text with masks that have no digest.
func (t *jsonText) masked() string { return newLayout(t.text, t.spans).text }

// command looks at a list of strings as the words of a command line, and tells
// whether it found more.
func (w *jsonWalk) command(list []*jsonText) bool {
	var all strings.Builder
	var layouts []layout
	for _, t := range list {
		l := newLayout(t.text, t.spans)
		layouts = append(layouts, l)
		all.WriteString(l.text)
		all.WriteByte(' ')
	}
	b := blind(all.String())
	var c command
	start := 0
	for _, l := range layouts {
		end := start + len(l.text)
		c.words = append(c.words, word{start: start, end: end, text: b.text[start:end]})
		start = end + 1
	}
	more := false
	for _, found := range clue.Merge(b.outside(c.secrets(b.text))) {
		first := sort.Search(len(list), func(i int) bool { return c.words[i].end > found.Start })
		for i := first; i < len(list) && c.words[i].start < found.End; i++ {
			at := c.words[i]
			part := clue.Span{Start: max(found.Start-at.start, 0), End: min(found.End, at.end) - at.start, Kind: found.Kind, Rank: found.Rank}
			w.search(list[i], layouts[i].original([]clue.Span{part}))
			more = true
		}
	}
	return more
}

// pair is a name and a value that are the values of two members:
// {"name": "Authorization", "value": "Bearer …"}.
type pair struct {
	name, value *jsonText
}

func (p *pair) note(key string, t *jsonText) {
	switch strings.ToLower(key) {
	case "name", "key", "header", "variable", "field":
		p.name = t
	case "value", "val":
		p.value = t
	}
}
