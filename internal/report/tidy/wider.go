package tidy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/report/lint"
)

const (
	// most is how many narrower rules may take the place of one.
	most = 3
	// settled is how many recorded calls a rule must have let run before its use says
	// what it is for.
	settled = 5
)

// wider finds rules that were in force for lint.IdleAfter, so that their use says
// what they are for, and were used for a few of the subcommands, tools or folders
// that they cover.
func (t *tidier) wider() {
	from := audit.Micros(t.Now.Add(-lint.IdleAfter).UnixMicro())
	for _, r := range t.own() {
		u, since := t.used[placeOf(r)], t.Since(r)
		if u == nil || u.count < settled || r.Args != nil || since == 0 || since > from {
			continue
		}
		var narrow []string
		switch {
		case r.Scope == rule.Shell:
			narrow = shapes(u)
		case r.Scope == rule.MCP:
			narrow = tools(u)
		case r.Scope == rule.Edit && !t.record.beneath:
			narrow = folders(u)
		}
		if len(narrow) == 0 || len(narrow) > most || !narrower(r, narrow) {
			continue
		}
		t.offer(Finding{Kind: Wider, Remove: []Place{placeOf(r)}, Add: narrow,
			Text: fmt.Sprintf("it was only ever used for what %s allow%s", strings.Join(narrow, " and "), map[bool]string{true: "s"}[len(narrow) == 1])})
	}
}

// exact are rules for the very commands or files that a rule with a wildcard was
// used for, nil when they are many.
func exact(r *rule.Rule, u *use) (list []string) {
	if len(u.pieces) > most || r.Whole || r.Scope != rule.Shell && r.Scope != rule.Edit || !r.Pattern.Wild() {
		return nil
	}
	for piece := range u.pieces {
		if strings.ContainsAny(piece, "\n\r") || r.Scope == rule.Edit && strings.ContainsAny(piece, `*?\`) {
			return nil
		}
		text := piece
		if r.Scope == rule.Shell {
			text = glob.Escape(piece)
		}
		list = append(list, r.Scope+":"+text)
	}
	slices.Sort(list)
	return list
}

// narrower reports whether each of the texts is a rule that allows less than r.
func narrower(r *rule.Rule, texts []string) bool {
	return !slices.ContainsFunc(texts, func(text string) bool {
		n, err := rule.Parse(text)
		switch {
		case err != nil || n.Scope != r.Scope || n.Whole:
			return true
		case r.Whole:
			return false
		case !r.Pattern.Covers(n.Pattern):
			return true
		case r.Tool == nil && n.Tool != nil:
			return false
		}
		return n.Pattern.Covers(r.Pattern)
	})
}

// shapes are rules for the programs with their subcommands that a rule was used
// for, nil when one of its commands has no such name.
func shapes(u *use) (list []string) {
	for piece, c := range u.pieces {
		shape := ""
		if c.call.Analysis != nil {
			for i := range c.call.Analysis.Units {
				if unit := &c.call.Analysis.Units[i]; unit.Text == piece {
					shape = unit.Shape()
				}
			}
		}
		if shape == "" || !strings.HasPrefix(piece+" ", shape+" ") {
			return nil
		}
		if text := rule.Shell + ":" + glob.Escape(shape) + " *"; !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	slices.Sort(list)
	return list
}

// tools are rules for the tools of MCP servers that a rule was used for.
func tools(u *use) (list []string) {
	for piece := range u.pieces {
		if text := rule.MCP + ":" + piece; !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	slices.Sort(list)
	return list
}

// folders are rules for the uppermost folders of the files that a rule was used
// for, nil when one lies in the project's own folder.
func folders(u *use) (list []string) {
	for piece := range u.pieces {
		top, _, ok := strings.Cut(piece, "/")
		if !ok || top == "" || top == ".." || top == "." || strings.ContainsAny(top, `*?\:`) {
			return nil
		}
		if text := rule.Edit + ":" + top + "/*"; !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	slices.Sort(list)
	return list
}
