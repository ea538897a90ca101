// Package dangerous holds calls that no rule made from habit should let run:
// deletions, forced pushes, options by which a harmless program runs others,
// downloads into shells, installations, deploys, edits of hooks and of pigate's
// own files. A rule is tried on them through the gate itself; one that lets any
// of them run is too wide, however often its calls were approved.
//
// The list is not a list of everything dangerous. Reading a file is not on it,
// since the gate does not ask about reading.
package dangerous

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

//go:embed lines.txt
var source string

// Line is one dangerous call.
type Line struct {
	// Kind is the title it stands under in the list, such as "deletes".
	Kind string `json:"kind"`
	// Tool is Pi's name of the tool; Text the command, the path, or "" for a tool
	// of an MCP server.
	Tool string `json:"tool"`
	Text string `json:"text"`

	call *policy.Call
}

// String is the line as a person reads it: the command, or the tool with its
// path.
func (l Line) String() string {
	if l.Tool == "bash" {
		return l.Text
	}
	return strings.TrimSpace(l.Tool + " " + l.Text)
}

// Lines returns the whole list, in its order. It must not be changed.
func Lines() []Line { return lines() }

// lines reads the list once; what a call is does not depend on the policy.
var lines = sync.OnceValue(func() []Line { return parse(source) })

func parse(text string) []Line {
	var list []Line
	kind := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if title, ok := strings.CutPrefix(line, "== "); ok {
			kind = title
			continue
		}
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		l := Line{Kind: kind, Tool: "bash", Text: line}
		if rest, ok := strings.CutPrefix(line, "@"); ok {
			l.Tool, l.Text, _ = strings.Cut(rest, " ")
		}
		l.call = policy.Derive(l.request())
		list = append(list, l)
	}
	return list
}

// request is the call as it would be made in some trusted project.
func (l Line) request() policy.Request {
	field := "command"
	switch l.Tool {
	case "edit", "write":
		field = "path"
	}
	input, err := json.Marshal(map[string]string{field: l.Text})
	if err != nil {
		input = []byte("null") // a map of strings always encodes
	}
	const home = "/home/canary"
	return policy.Request{Tool: l.Tool, Input: input, Cwd: home + "/project", Root: home + "/project", Trusted: true, HasUI: true,
		OS: "linux", Home: home,
		Installation: policy.Installation{AgentDir: home + "/.pi/agent", Journal: home + "/.pi/agent/pigate/journal.db"}}
}

// Hits returns the lines that the policy lets run without a question, in the
// order of the list. A policy that is switched off lets all of them run.
func Hits(p *policy.Policy) []Line {
	var hits []Line
	for _, l := range lines() {
		if runs(p, &l) {
			hits = append(hits, l)
		}
	}
	return hits
}

// Behind returns the lines that the policy lets run once their arguments stand
// behind what an allow rule with a wildcard names; see after.
func Behind(p *policy.Policy, r rule.Rule) []Line {
	var hits []Line
	for _, l := range after(&r) {
		if runs(p, &l) {
			hits = append(hits, l)
		}
	}
	return hits
}

func runs(p *policy.Policy, l *Line) bool {
	switch policy.Evaluate(p, l.call, nil).Effect {
	case policy.Allow, policy.Pass:
		return true
	case policy.Ask, policy.Deny:
	}
	return false
}

// Added returns the lines that the policy lets run only with the rule, which
// must be an allow rule: those that the rule lets run with no other beside it,
// and those that it lets run together with the policy's own rules. Lines that
// run without it are not among them. Behind what a rule with a wildcard names the
// arguments of the lines are tried too; see after.
func Added(p *policy.Policy, r rule.Rule) []Line {
	alone := policy.New(p.Settings, []rule.Rule{r})
	with := policy.New(p.Settings, append(p.Rules[:len(p.Rules):len(p.Rules)], r))
	var hits []Line
	for _, l := range append(lines()[:len(lines()):len(lines())], after(&r)...) {
		if l.concerns(&r) && (runs(alone, &l) || runs(with, &l)) && !runs(p, &l) {
			hits = append(hits, l)
		}
	}
	return hits
}

// concerns reports that the rule could play a part in the line's verdict. It only
// saves work: a rule for a program has nothing to say where that is not named.
func (l *Line) concerns(r *rule.Rule) bool {
	if r.Whole || r.Scope != rule.Shell {
		return true
	}
	word, ok := r.FirstWord(false)
	if !ok {
		return true
	}
	return slices.ContainsFunc(l.call.Resources, func(res policy.Resource) bool { return strings.Contains(res.Text, word) })
}
