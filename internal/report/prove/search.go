package prove

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// maxTried bounds how many texts one pair of patterns puts to the gate.
const maxTried = 300

// search is one question on its way.
type search struct {
	runs    *policy.Policy
	place   Place
	differs func(policy.Request) (against string, is bool)
	result  *Result
	best    *Witness // the shortest of the pairs before
	names   []string // the arguments that tools without patterns are called with
	values  []string
	left    int  // calls that the pair of now may try still
	exact   bool // only allow rules are compared: case counts but on Windows
	aside   bool // the patterns do not share what is tried: it is no part of the proof
}

func (s *search) done() *Result {
	s.keep()
	s.result.Witness = s.best
	s.result.Proven = s.result.Proven && !s.found() && s.result.Tried == 0
	return s.result
}

func (s *search) found() bool { return s.result.Witness != nil }

// keep ends the search of one pair: what the next ones find must be shorter.
func (s *search) keep() {
	if s.found() {
		s.best, s.result.Witness = s.result.Witness, nil
	}
}

// longer reports that a shorter witness than text is known.
func (s *search) longer(text string) bool { return s.best != nil && len(text) >= len(s.best.Text) }

// try puts a call to the gate, and reports whether to go on.
func (s *search) try(tool, text string) (more bool) {
	if s.longer(text) {
		return s.aside
	}
	if s.left--; !s.aside {
		s.result.Tried++
	}
	req := s.request(tool, text)
	v := policy.Evaluate(s.runs, s.runs.Derive(req), nil)
	switch against, differs := s.differs(req); {
	case runs(v) && differs:
		w := &Witness{Tool: tool, Text: text, Against: against}
		if server, name, ok := rule.SplitMCP(tool); ok {
			w.Text = server + ":" + name
		}
		if args, ok := rule.WriteArgs(s.names, s.values); ok && len(s.names) > 0 && !judged(tool) {
			w.Text += args
		}
		for _, reason := range v.Reasons {
			if w.Rule == "" {
				w.Rule = reason.Rule
			}
		}
		s.result.Witness = w
		return false
	case !runs(v) && len(v.Reasons) > 0 && !s.aside:
		s.doubt(Doubt{text, v.Reasons[0].Cause, v.Reasons[0].Detail})
	}
	return s.left > 0
}

// judged reports a tool whose calls rules judge by a command or a path.
func judged(tool string) bool {
	return slices.Contains([]string{"bash", "powershell", "write", "edit", "read"}, tool)
}

// once tries a tool without a resource.
func (s *search) once(tool string) {
	s.left = 1
	s.try(tool, tool)
}

// doubt keeps the first call that asks for a reason.
func (s *search) doubt(d Doubt) {
	known := slices.ContainsFunc(s.result.Doubts, func(o Doubt) bool { return o.Cause == d.Cause && o.Why == d.Why })
	if !known && len(s.result.Doubts) < maxDoubts {
		s.result.Doubts = append(s.result.Doubts, d)
	}
}

func (s *search) request(tool, text string) policy.Request {
	req := s.place
	req.Tool, req.Trusted, req.HasUI = tool, true, true
	input := map[string]string{}
	switch tool {
	case "bash", "powershell":
		input["command"] = text
	case "write":
		input["path"], input["content"] = text, ""
	case "edit", "read":
		input["path"] = text
	default:
		for i, name := range s.names {
			input[name] = s.values[i]
		}
	}
	req.Input, _ = json.Marshal(input) // texts always encode
	return req
}

// shortest puts texts to the gate that all of some patterns match and none of
// others.
func (s *search) shortest(tool string, all, none []glob.Pattern) {
	s.left = maxTried
	command := tool == "bash" || tool == "powershell"
	if !glob.Shortest(s.folded(tool, all), s.folded(tool, none), func(text string) bool {
		return !s.longer(text) && (command && !plain(text) || s.try(tool, text))
	}) && !s.found() {
		s.result.Proven = false
	}
}

// plain reports a command as rules see it, with one blank between words.
func plain(text string) bool { return strings.Join(strings.Fields(text), " ") == text }

// folded are the patterns in lower case where a rule that stops takes no notice of
// case: no text is missed so, and the gate judges each.
func (s *search) folded(tool string, patterns []glob.Pattern) []glob.Pattern {
	onFiles := tool == "edit" || tool == "write" || tool == "read"
	stops := s.place.OS == "darwin" && onFiles || tool == "powershell"
	if s.place.OS != "windows" && (s.exact || !stops) {
		return patterns
	}
	var list []glob.Pattern
	for _, p := range patterns {
		list = append(list, glob.CompileRule(strings.ToLower(p.String())))
	}
	return list
}

// bases are the beginnings by which a path of the project may be spelled.
func (s *search) bases() []string {
	root, home := s.place.ProjectRoot(), s.place.Home
	list := []string{"", glob.Escape(path.Join(root, "x"))}
	if rest, in := strings.CutPrefix(root, home+"/"); in && home != "" {
		list = append(list, "~/"+glob.Escape(rest+"/x"))
	}
	for i := range list {
		list[i] = strings.TrimSuffix(list[i], "x")
	}
	return list
}
