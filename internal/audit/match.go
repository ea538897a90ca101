package audit

import (
	"encoding/json"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/policy"
)

// What names the target of a call in one line: the command, the path, the MCP
// server and tool, or the input; "" for what has none.
func (r Row) What() string {
	if r.Erased {
		return "(erased)"
	}
	var input struct {
		Command string `json:"command"`
		Path    string `json:"path"`
	}
	_ = json.Unmarshal(r.Input, &input) // an input of another shape has neither
	switch {
	case input.Command != "":
		return input.Command
	case input.Path != "" && len(r.Resources) == 0:
		return input.Path
	case len(r.Resources) > 0:
		return r.Resources[0].Text
	case string(r.Input) == "null":
		return ""
	}
	return string(r.Input)
}

// matcher is a filter made ready for the rows of a journal.
type matcher struct {
	Filter
	textPattern glob.Pattern // Match, compiled
	rulePattern glob.Pattern // Rule, compiled
	home        homes
	reviewed    spans // loaded when Unreviewed asks for it
}

func newMatcher(f Filter) matcher {
	return matcher{Filter: f, textPattern: glob.CompileRule(f.Match), rulePattern: glob.CompileRule(f.Rule)}
}

// homes are what of a journal belongs to the projects of a filter without
// saying so by their folder.
type homes struct {
	sessions map[string]bool
	digests  map[string]bool
}

// row reports whether the filter chooses a row.
func (m *matcher) row(r *Row) bool {
	return (m.Since == 0 || r.Time >= m.Since) && (m.Until == 0 || r.Time < m.Until) &&
		(m.After == 0 || r.Seq > m.After) &&
		(m.Session == "" || r.Session == m.Session) && (m.Kind == "" || r.Kind == m.Kind) &&
		(!m.Calls || r.Kind == gate.KindDecision || r.Kind == gate.KindImport) &&
		(m.Imported || m.Kind == gate.KindImport || r.Kind != gate.KindImport) &&
		(m.Tool == "" || r.Tool == m.Tool) && (m.Verdict == "" || r.Verdict == m.Verdict) &&
		(m.Decision == "" || r.Decision == m.Decision) && (m.Basis == "" || r.Basis == m.Basis) &&
		(m.Answer == "" || r.Answer == m.Answer) && m.outcome(r) && m.rule(r) && m.call(r) && m.project(r) && m.unreviewed(r)
}

func (m *matcher) outcome(r *Row) bool {
	if m.Outcome == OutcomeNone {
		return (r.Kind == gate.KindDecision || r.Kind == gate.KindImport) && r.Outcome == ""
	}
	return m.Outcome == "" || r.Outcome == m.Outcome
}

func (m *matcher) rule(r *Row) bool {
	return m.Rule == "" || r.Kind == gate.KindDecision && slices.ContainsFunc(r.Rules(), func(rule string) bool { return m.rulePattern.Match(rule, false) })
}

// call applies the filters on what the call was.
func (m *matcher) call(r *Row) bool {
	if m.Match == "" && m.Regex == nil && !m.Outside {
		return true
	}
	if !slices.Contains(callKinds, r.Kind) {
		return false
	}
	return (!m.Outside || outside(r)) && m.texts(r)
}

// texts applies the filters on the text of a call.
func (m *matcher) texts(r *Row) bool {
	return m.text(r, func(s string) bool { return m.Match == "" || m.textPattern.Match(s, false) }) &&
		m.text(r, func(s string) bool { return m.Regex == nil || m.Regex.MatchString(s) })
}

// text reports whether what the call was, or one of its resources, is so.
func (m *matcher) text(r *Row, is func(string) bool) bool {
	return is(r.What()) || !r.Erased && slices.ContainsFunc(r.Resources, func(res policy.Resource) bool { return is(res.Text) })
}

// outside reports whether a call reaches outside its project, be it that this
// was a reason to ask or that a rule allows it: the path of an edit is absolute
// there.
func outside(r *Row) bool {
	return slices.ContainsFunc(r.Reasons, func(reason policy.Reason) bool { return reason.Cause == policy.CauseOutside }) ||
		slices.ContainsFunc(r.Resources, func(res policy.Resource) bool {
			return res.Kind == policy.EditPath && (path.IsAbs(res.Text) || filepath.IsAbs(res.Text))
		})
}

func (m *matcher) unreviewed(r *Row) bool {
	return !m.Unreviewed || r.Kind == gate.KindDecision && !m.reviewed.have(r.Seq)
}

func (m *matcher) project(r *Row) bool {
	switch {
	case len(m.Projects) == 0:
		return true
	case r.Project == "":
		return r.Session != "" && m.home.sessions[r.Session]
	case r.Erased:
		return m.home.digests[r.Project]
	}
	return m.Within(r.Project)
}

// Within reports whether a folder is one of the projects or beneath one. The
// journal may come from another system, so both separators count.
func (f Filter) Within(folder string) bool {
	return slices.ContainsFunc(f.Projects, func(project string) bool {
		project = strings.TrimRight(project, `/\`)
		rest, ok := strings.CutPrefix(folder, project)
		return ok && (rest == "" || rest[0] == '/' || rest[0] == '\\')
	})
}
