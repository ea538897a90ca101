// Package prove looks for the shortest call that rules let run and that another
// rule would stop, or other rules would not let run.
//
// The patterns of rules are regular, so whether two of them share a text is
// decided exactly (package glob). Each text that they share is then put to the
// gate itself, which may ask about it for a reason that no pattern tells: an
// option that only a rule with its name covers, a redirection, a path outside. Such
// a text is no witness, and the next one is tried.
package prove

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// maxTried bounds how many texts one pair of patterns puts to the gate.
const maxTried = 300

// Witness is a call that answers the question.
type Witness struct {
	// Tool and Text are the call: a command, a path, SERVER:TOOL, or the name of
	// a tool.
	Tool string `json:"tool"`
	Text string `json:"text"`
	// Rule lets it run.
	Rule string `json:"rule"`
	// Against is the rule that stops it, "" where none allows it.
	Against string `json:"against,omitempty"`
}

// Doubt is a call that the patterns share, and that asks for another reason.
type Doubt struct {
	Text  string       `json:"text"`
	Cause policy.Cause `json:"cause"`
	Why   string       `json:"why,omitempty"`
}

// Result is the answer to one question.
type Result struct {
	// Witness is nil when none was found.
	Witness *Witness `json:"witness"`
	// Proven reports that there is none as far as patterns match texts. Deny rules
	// also stop what they mean: of that some is tried.
	Proven bool `json:"proven"`
	// Tried is how many calls were put to the gate, Doubts the first of those that
	// ask for another reason.
	Tried  int     `json:"tried"`
	Doubts []Doubt `json:"doubts,omitempty"`
}

// maxDoubts is how many are kept, one for each reason.
const maxDoubts = 5

// Place is where calls are made: a request without a tool.
type Place = policy.Request

// Never asks for a call that runs under allow rules, by the settings, although a
// rule in the deny list would stop it.
func Never(settings policy.Settings, allow []rule.Rule, never rule.Rule, place Place) *Result {
	for i := range allow {
		allow[i].Effect = rule.Allow
	}
	never.Effect = rule.Deny
	stops := policy.New(settings, []rule.Rule{never})
	s := search{runs: policy.New(settings, allow), place: place, result: &Result{Proven: true},
		differs: func(req policy.Request) (string, bool) {
			return never.Text, policy.Evaluate(stops, stops.Derive(req), nil).Effect == policy.Deny
		}}
	for i := range allow {
		if s.pair(&allow[i], &never); s.result.Witness != nil {
			break
		}
	}
	return s.done()
}

// Diff asks for a call that runs under one policy without a question, and not
// under another.
func Diff(before, after *policy.Policy, place Place) *Result {
	s := search{runs: after, place: place, result: &Result{Proven: true},
		differs: func(req policy.Request) (string, bool) {
			v := policy.Evaluate(before, before.Derive(req), nil)
			against := ""
			for _, reason := range v.Reasons {
				if reason.Rule != "" {
					against = reason.Rule
				}
			}
			return against, v.Effect != policy.Allow && v.Effect != policy.Pass
		}}
	allowed := ofEffect(before.Rules, rule.Allow)
	for i := range after.Rules {
		r := &after.Rules[i]
		if r.Effect != rule.Allow {
			continue
		}
		s.without(r, allowed)
		for j := range before.Rules {
			if other := &before.Rules[j]; other.Effect != rule.Allow && s.result.Witness == nil {
				s.pair(r, other)
			}
		}
		if s.result.Witness != nil {
			break
		}
	}
	return s.done()
}

func ofEffect(rules []rule.Rule, e rule.Effect) (list []rule.Rule) {
	for _, r := range rules {
		if r.Effect == e {
			list = append(list, r)
		}
	}
	return list
}

// search is one question on its way.
type search struct {
	runs    *policy.Policy
	place   Place
	differs func(policy.Request) (against string, is bool)
	result  *Result
	left    int  // calls that the pair of now may try still
	aside   bool // the patterns do not share what is tried: it is no part of the proof
}

func (s *search) done() *Result {
	s.result.Proven = s.result.Proven && s.result.Witness == nil && s.result.Tried == 0
	return s.result
}

// try puts a call to the gate, and reports whether to go on.
func (s *search) try(r *rule.Rule, tool, text string) (more bool) {
	if s.left--; !s.aside {
		s.result.Tried++
	}
	req := s.request(tool, text)
	v := policy.Evaluate(s.runs, s.runs.Derive(req), nil)
	switch against, differs := s.differs(req); {
	case v.Effect == policy.Allow && differs:
		s.result.Witness = &Witness{Tool: tool, Text: text, Rule: r.Text, Against: against}
		return false
	case v.Effect != policy.Allow && len(v.Reasons) > 0 && !s.aside:
		s.doubt(Doubt{text, v.Reasons[0].Cause, v.Reasons[0].Detail})
	}
	return s.left > 0
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
	case "bash":
		input["command"] = text
	case "write":
		input["path"], input["content"] = text, ""
	}
	req.Input, _ = json.Marshal(input) // texts always encode
	return req
}

// shortest puts texts to the gate that all of some patterns match and none of
// others.
func (s *search) shortest(r *rule.Rule, tool string, all, none []glob.Pattern) {
	s.left = maxTried
	if !glob.Shortest(all, none, func(text string) bool {
		return tool == "bash" && strings.Join(strings.Fields(text), " ") != text || s.try(r, tool, text)
	}) && s.result.Witness == nil {
		s.result.Proven = false
	}
}

// without looks for what a rule covers and none of others does.
func (s *search) without(r *rule.Rule, others []rule.Rule) {
	k := kindOf(r)
	var none []glob.Pattern
	for i := range others {
		o := kindOf(&others[i])
		if o.name != k.name {
			continue
		}
		if covers(o, k) {
			return
		}
		if k.name == mcp || meet(k.patterns[0], o.patterns[0]) {
			none = append(none, o.patterns...)
		}
	}
	switch k.name {
	case shell:
		s.shortest(r, "bash", k.patterns, none)
	case edit:
		s.shortest(r, "write", k.patterns, none)
	case mcp:
		s.tools(r, k, none)
	case tool:
		s.left = 1
		s.try(r, r.Scope, r.Scope)
	case "":
		s.result.Proven = false
	}
}

// pair looks for what two rules share.
func (s *search) pair(r, other *rule.Rule) {
	k, o := kindOf(r), kindOf(other)
	switch {
	case k.name == shell && o.name == shell:
		both := append(slices.Clone(k.patterns), o.patterns...)
		if s.shortest(r, "bash", both, nil); s.result.Witness == nil {
			s.meant(k.patterns[0], r, other)
		}
	case k.name == edit && o.name == edit:
		s.shortest(r, "write", append(slices.Clone(k.patterns), o.patterns...), nil)
	case k.name == shell && (o.name == edit || o.name == read):
		// By what the command touches: those that name the path are tried.
		named := glob.Compile("*" + glob.Escape(other.Pattern.LongestLiteral()) + "*")
		if s.shortest(r, "bash", append(slices.Clone(k.patterns), named), nil); s.result.Witness == nil {
			s.touching(k.patterns[0], r, other)
		}
		s.result.Proven = false
	case k.name == mcp && o.name == mcp:
		s.tools(r, kind{mcp, k.patterns}, nil, o.patterns...)
	case k.name == tool && o.name == tool && r.Scope == other.Scope:
		s.left = 1
		s.try(r, r.Scope, r.Scope)
	case k.name == "" || o.name == "":
		s.result.Proven = false
	}
}

// tools tries names of servers with names of tools. What is not found so is not
// proven.
func (s *search) tools(r *rule.Rule, k kind, none []glob.Pattern, with ...glob.Pattern) {
	const names = 4
	part := func(i int) (list []string) {
		all := []glob.Pattern{k.patterns[i]}
		if with != nil {
			all = append(all, with[i])
		}
		var others []glob.Pattern
		for j := i; j < len(none); j += 2 {
			others = append(others, none[j])
		}
		for _, none := range [][]glob.Pattern{others, nil} {
			n := 0
			glob.Shortest(all, none, func(text string) bool {
				if text == "" || strings.Contains(text, "__") || rule.NormaliseMCP(text) != text {
					return true
				}
				n++
				list = append(list, text)
				return n < names
			})
		}
		return list
	}
	servers, tools := part(0), part(1)
	if len(servers) > 0 && len(tools) > 0 {
		s.result.Proven = false
	}
	s.left = maxTried
	for _, server := range servers {
		for _, name := range tools {
			if !s.try(r, "mcp__"+server+"__"+name, server+":"+name) {
				return
			}
		}
	}
}

// touching tries plain commands that read, write or delete what a rule names.
func (s *search) touching(pattern glob.Pattern, r, other *rule.Rule) {
	path := strings.TrimSuffix(other.Pattern.Sample("x", "x"), "/")
	s.left = maxTried
	for _, command := range []string{"cat ", "head ", "grep x ", "cp x ", "mv x ", "tee ", "touch ", "rm ", "sed -i s/x/y/ ", "cp %s x"} {
		text := command + path
		if before, after, in := strings.Cut(command, "%s"); in {
			text = before + path + after
		}
		if pattern.Match(text, false) && !s.try(r, "bash", text) {
			return
		}
	}
}

// meant tries commands that a deny rule means though its pattern does not match
// them: with more words between its own, and with its options by other names.
func (s *search) meant(pattern glob.Pattern, r, other *rule.Rule) {
	words := strings.Fields(other.Pattern.Sample("", "x"))
	if len(words) == 0 {
		return
	}
	s.aside = true
	defer func() { s.aside = false }()
	if s.left = maxTried; !s.spelled(words, pattern, r) {
		return
	}
	loose := glob.Compile(strings.ReplaceAll(other.Pattern.String(), " ", "*") + "*")
	glob.Shortest([]glob.Pattern{pattern, loose}, nil, func(text string) bool {
		return strings.Join(strings.Fields(text), " ") != text || s.try(r, "bash", text)
	})
}

// spelled tries the options by other names, and reports whether to go on.
func (s *search) spelled(words []string, pattern glob.Pattern, r *rule.Rule) (more bool) {
	p := catalog.Default().Lookup(words[0])
	if p == nil {
		return true
	}
	c, _ := p.Sub(words[1:]...)
	for i, word := range words {
		o := c.Option(word)
		if word[0] != '-' || o == nil {
			continue
		}
		for _, name := range o.Names {
			again := slices.Clone(words)
			again[i] = name
			if text := strings.Join(again, " "); name != word && pattern.Match(text, false) && !s.try(r, "bash", text) {
				return false
			}
		}
	}
	return true
}
