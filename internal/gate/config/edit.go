package config

import (
	"bytes"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/pigate/pigate/internal/gate/rule"
)

// layout is how the text of a file is set out.
type layout struct {
	// newline is "\n" or "\r\n".
	newline string
	// indent stands before a member of the outermost object; broken says that each
	// member has its own line.
	indent string
	broken bool
	// space stands after a colon, and after a comma on one line.
	space string
}

// defaultLayout is that of a file written from nothing.
var defaultLayout = layout{newline: "\n", indent: "  ", broken: true, space: " "}

// layoutOf takes the layout from the last member of the outermost object.
func layoutOf(d *document) layout {
	l := defaultLayout
	if bytes.Contains(d.body, []byte("\r\n")) {
		l.newline = "\r\n"
	}
	members := d.root.Members
	if len(members) == 0 {
		return l
	}
	last := members[len(members)-1]
	before := string(last.Name.BeforeExtra)
	i := strings.LastIndexByte(before, '\n')
	l.broken, l.indent = i >= 0, before[i+1:]
	l.space = string(last.Value.BeforeExtra)
	if strings.ContainsAny(l.space, "\r\n") {
		l.space = " "
	}
	return l
}

// list renders a list of rules that stands in a member of the outermost object.
func (l layout) list(rules []rule.Rule) string {
	switch {
	case len(rules) == 0:
		return "[]"
	case !l.broken:
		return "[" + strings.Join(entries(rules), ","+l.space) + "]"
	}
	line := l.newline + l.indent
	return "[" + line + l.indent + strings.Join(entries(rules), ","+line+l.indent) + line + "]"
}

// render writes a whole file. A key whose value is nil is left out.
func render(enabled *bool, allow, deny, ask []rule.Rule) []byte {
	l := defaultLayout
	var members []string
	if enabled != nil {
		members = append(members, l.member(keyEnabled, string(hujson.Bool(*enabled))))
	}
	if allow != nil {
		members = append(members, l.member(keyAllow, l.list(allow)))
	}
	if deny != nil {
		members = append(members, l.member(keyDeny, l.list(deny)))
	}
	if ask != nil {
		members = append(members, l.member(keyAsk, l.list(ask)))
	}
	line := l.newline + l.indent
	return []byte("{" + line + strings.Join(members, ","+line) + l.newline + "}" + l.newline)
}

func (l layout) member(name, value string) string {
	return string(hujson.String(name)) + ":" + l.space + value
}

// addRules returns the text of a valid file with rules appended to its list of
// one effect. A file without one gets inherit and then the rules. Every other byte
// of the file stays as it is.
func addRules(p *fileValues, effect rule.Effect, inherit, rules []rule.Rule) []byte {
	key, own := string(effect), p.of(effect)
	d, l := p.doc, layoutOf(p.doc)
	var out []byte
	if d.bom {
		out = append(out, byteOrderMark...)
	}
	splice := func(from, to int, text string) []byte {
		out = append(out, d.body[:from]...)
		out = append(out, text...)
		return append(out, d.body[to:]...)
	}
	switch {
	case own == nil:
		from, to, lead, tail := l.newMember(d)
		return splice(from, to, lead+l.member(key, l.list(append(inherit[:len(inherit):len(inherit)], rules...)))+tail)
	case len(own.array.Elements) == 0:
		return splice(own.value.StartOffset, own.value.EndOffset, l.list(rules))
	}
	elements := own.array.Elements
	last := elements[len(elements)-1]
	between := string(last.BeforeExtra)
	if len(elements) == 1 && between == "" {
		between = l.space
	}
	return splice(last.EndOffset, last.EndOffset, ","+between+strings.Join(entries(rules), ","+between))
}

// newMember says which part of the text a new last member takes, and what
// stands around it.
func (l layout) newMember(d *document) (from, to int, lead, tail string) {
	members := d.root.Members
	if len(members) == 0 {
		// The braces are the first and the last byte that are not blank.
		from = bytes.IndexByte(d.body, '{') + 1
		to = bytes.LastIndexByte(d.body, '}')
		return from, to, l.newline + l.indent, l.newline
	}
	last := members[len(members)-1]
	lead = string(last.Name.BeforeExtra)
	if len(members) == 1 && !l.broken {
		lead = l.space
	}
	return last.Value.EndOffset, last.Value.EndOffset, "," + lead, ""
}
