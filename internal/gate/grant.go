package gate

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"sync"
)

// Grants are the answers "for this session": exact tool, exact resources. They
// live in the memory of the process only; nothing writes or reads them.
type Grants struct {
	mu     sync.Mutex
	labels map[string]string // key → what a person is shown
	order  []string
}

// Add remembers an approved call.
func (g *Grants) Add(c *Call, links LinkFacts) {
	key := GrantKey(c, links)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.labels == nil {
		g.labels = map[string]string{}
	}
	if _, ok := g.labels[key]; !ok {
		g.order = append(g.order, key)
	}
	g.labels[key] = c.Request.Tool + " " + c.Target()
}

// Covers reports whether the same call was approved before in this session.
func (g *Grants) Covers(c *Call, links LinkFacts) bool {
	key := GrantKey(c, links)
	g.mu.Lock()
	defer g.mu.Unlock()
	_, ok := g.labels[key]
	return ok
}

// Reset forgets every grant.
func (g *Grants) Reset() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.labels, g.order = nil, nil
}

// List returns what was approved, in the order of approval.
func (g *Grants) List() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	list := make([]string, 0, len(g.order))
	for _, key := range g.order {
		list = append(list, g.labels[key])
	}
	return list
}

// GrantKey identifies a call as grants do, so that one approved for the session
// covers the calls with the same key and no others: the tool, where it runs and
// what it touches. A file counts under both sides of its links, so a link that
// is turned elsewhere needs a new answer. A call without resources is its whole
// input.
func GrantKey(c *Call, links LinkFacts) string {
	parts := []string{c.Request.Tool, c.Request.Cwd}
	switch {
	case c.Bad != "":
		parts = append(parts, "input", compact(c.Request.Input))
	case c.Analysis != nil:
		parts = append(parts, "command", c.Command)
		for _, p := range c.Paths() {
			parts = append(parts, p, links.resolve(p))
		}
	case len(c.Resources) > 0:
		for _, r := range c.Resources {
			parts = append(parts, string(r.Kind), r.Text, r.Path, links.resolve(r.Path))
		}
	default:
		parts = append(parts, "input", compact(c.Request.Input))
	}
	// A length before each part keeps two keys apart whatever the parts hold.
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(strconv.Itoa(len(p)))
		b.WriteByte(':')
		b.WriteString(p)
	}
	return b.String()
}

// maxCompact is the longest input, in bytes, whose keys are sorted; the same
// bytes again are the same call in any case.
const maxCompact = 256 << 10

// compact returns the JSON with its object keys sorted and without blanks.
func compact(input json.RawMessage) string {
	if len(input) > maxCompact {
		return string(input)
	}
	decoder := json.NewDecoder(bytes.NewReader(input))
	decoder.UseNumber() // digits stay as they were written
	var value any
	if decoder.Decode(&value) != nil {
		return string(input)
	}
	out, err := json.Marshal(value)
	if err != nil {
		return string(input)
	}
	return string(out)
}

// Target names what the call touches, for people: the command, the path, the
// MCP server and tool, or the input.
func (c *Call) Target() string {
	switch {
	case c.Bad != "":
		return compact(c.Request.Input)
	case c.Analysis != nil:
		return c.Command
	case len(c.Resources) > 0:
		return c.Resources[0].Text
	}
	return compact(c.Request.Input)
}
