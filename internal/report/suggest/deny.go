package suggest

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// refusal gathers what people refused of one shape.
type refusal struct {
	texts    []string
	list     [][]string
	least    int
	denials  int
	sessions map[int32]bool
	days     map[int64]bool
	first    int64
	last     int64
}

// denyDrafts asks about shapes that a person refused again and again and never
// approved.
func (m *miner) denyDrafts() []Draft {
	shapes := map[string]*refusal{}
	for _, e := range m.history.events {
		if e.word != Denied {
			continue
		}
		shape, text, least := m.shapeOf(e.subject)
		if shape == "" {
			continue
		}
		r := shapes[shape]
		if r == nil {
			r = &refusal{sessions: map[int32]bool{}, days: map[int64]bool{}, first: e.time, least: least}
			shapes[shape] = r
		}
		r.denials++
		r.sessions[e.session], r.days[e.time/day] = true, true
		r.first, r.last = min(r.first, e.time), max(r.last, e.time)
		r.least = max(r.least, least)
		if !slices.Contains(r.texts, text) {
			r.texts, r.list = append(r.texts, text), append(r.list, words(text))
		}
	}
	var drafts []Draft
	for _, shape := range slices.Sorted(maps.Keys(shapes)) {
		r := shapes[shape]
		if r.denials < m.options.MinDenials || len(r.sessions) < m.options.MinDenialSessions {
			continue
		}
		if d, ok := m.denyDraft(shape, r); ok {
			drafts = append(drafts, d)
		}
	}
	return drafts
}

// shapeOf is the shape of what was refused, when the call leaves no doubt what
// that was: it asks about one piece only. text is the piece, least how many of
// its words tell the shape.
func (m *miner) shapeOf(subject int32) (shape, text string, least int) {
	s := &m.history.subjects[subject]
	if s.Masked {
		return "", "", 0
	}
	call := m.policy.Derive(s.Request)
	v := policy.Evaluate(m.policy, call, s.Links)
	if v.Effect != policy.Ask || len(v.Reasons) != 1 || v.Reasons[0].Resource == "" {
		return "", "", 0
	}
	r := v.Reasons[0]
	switch {
	case call.Analysis != nil:
		for i := range call.Analysis.Units {
			u := &call.Analysis.Units[i]
			if u.Text == r.Resource && u.Shape() != "" && draftable(u.Bare) && writable(u.Bare) {
				return rule.Shell + ":" + u.Shape(), u.Bare, shapeEnd(words(u.Bare), u.Shape())
			}
		}
		return "", "", 0
	case len(call.Resources) > 0 && call.Resources[0].Kind == policy.EditPath:
		if file := call.Resources[0].Text; !strings.ContainsAny(file, "*?\\\n\r") {
			return rule.Edit + ":" + file, file, 0
		}
		return "", "", 0
	case len(call.Resources) > 0:
		return rule.MCP + ":" + call.Resources[0].Text, call.Resources[0].Text, 0
	}
	return s.Request.Tool, s.Request.Tool, 0
}

// text is the deny rule for a shape: the whole command when it was always the
// same, else what the refused ones begin with, the shape at least.
func (r *refusal) text(shape string) string {
	if !strings.HasPrefix(shape, rule.Shell+":") {
		return shape
	}
	if len(r.texts) == 1 {
		return rule.Shell + ":" + glob.Escape(r.texts[0])
	}
	first, n := r.list[0], len(r.list[0])
	for _, other := range r.list[1:] {
		n = min(n, len(other))
		for i := range n {
			if other[i] != first[i] {
				n = i
				break
			}
		}
	}
	if n < r.least {
		return "" // the same program by several names
	}
	return rule.Shell + ":" + glob.Escape(strings.Join(first[:n], " ")) + " *"
}

func (m *miner) denyDraft(shape string, r *refusal) (Draft, bool) {
	text := r.text(shape)
	parsed, err := parse(text, rule.Deny)
	if err != nil || m.options.rejected(text, policy.Deny, r.denials) {
		return Draft{}, false
	}
	runs, ok := m.harmless(parsed)
	if !ok {
		return Draft{}, false
	}
	d := Draft{Rule: parsed.Text, Effect: policy.Deny, Question: true,
		Evidence: Evidence{Denials: r.denials, Runs: runs, Kinds: len(r.texts), Sessions: len(r.sessions), Days: len(r.days),
			First: audit.Micros(r.first), Last: audit.Micros(r.last)},
		RiskWords: []string{"would block it from now on without a question"}, Score: wilson(float64(r.denials), float64(r.denials+runs)),
		Examples: r.texts[:min(len(r.texts), examplesShown)], Narrower: []string{}, Wider: []string{}}
	return d, true
}

// harmless reports that a deny rule would block nothing that a person ever
// approved, and how many plain runs it would have blocked.
func (m *miner) harmless(r rule.Rule) (runs int, ok bool) {
	p := policy.New(m.policy.Settings, append(m.policy.Rules[:len(m.policy.Rules):len(m.policy.Rules)], r))
	blocked := map[int32]bool{}
	for _, e := range m.history.events {
		if e.word != Approved && e.word != Granted && e.word != Ran && e.word != Failed {
			continue
		}
		hit, tried := blocked[e.subject]
		if !tried {
			s := &m.history.subjects[e.subject]
			hit = m.needs[e.subject].state != silent && names(s, &r) && policy.Evaluate(p, p.Derive(s.Request), s.Links).Effect == policy.Deny
			blocked[e.subject] = hit
		}
		if !hit {
			continue
		}
		if e.word == Approved || e.word == Granted {
			return 0, false
		}
		runs++
	}
	return runs, true
}

// names reports that a call may be of the shape that a rule denies: it names the
// program, the file or the tool, however it goes on. It saves looking at all the
// others.
func names(s *Subject, r *rule.Rule) bool {
	switch r.Scope {
	case rule.Shell:
		word, ok := r.FirstWord(false)
		return !ok || bytes.Contains(s.Request.Input, []byte(base(word)))
	case rule.Edit:
		return bytes.Contains(s.Request.Input, []byte(base(r.Pattern.String())))
	case rule.MCP:
		return strings.HasPrefix(s.Request.Tool, "mcp__")
	}
	return s.Request.Tool == r.Scope
}
