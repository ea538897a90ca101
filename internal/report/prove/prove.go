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
	"slices"

	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/report/dangerous"
)

// Witness is a call that answers the question.
type Witness struct {
	// Tool and Text are the call: a command, a path, SERVER:TOOL, or the name of
	// a tool.
	Tool string `json:"tool"`
	Text string `json:"text"`
	// Rule lets it run, "" for a call that runs without a rule.
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

// Never asks for a call that runs under allow rules, by the settings of a gate that
// is switched on, although a rule in the deny list would stop it.
func Never(settings policy.Settings, allow []rule.Rule, never rule.Rule, place Place) *Result {
	settings.Enabled = true
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
		s.pair(&allow[i], &never, nil)
		s.keep()
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
			return against, !runs(v)
		}}
	if !before.Settings.Enabled { // it lets everything run
		return s.done()
	}
	allowed, stopped := split(before.Rules)
	mine, stopping := split(after.Rules)
	for i := range mine {
		s.without(&mine[i], allowed)
		s.keep()
		for j := range stopped {
			s.pair(&mine[i], &stopped[j], stopping)
			s.keep()
		}
	}
	for i := range stopped {
		s.passing(&stopped[i], stopping)
		s.keep()
	}
	if s.best == nil {
		s.lines(dangerous.Hits(after))
	}
	if looser(before.Settings, after.Settings) {
		s.result.Proven = false
	}
	return s.done()
}

// runs reports that a call with the verdict runs without a question.
func runs(v policy.Verdict) bool { return v.Effect == policy.Allow || v.Effect == policy.Pass }

// looser reports settings that may let a call run by the same rules.
func looser(before, after policy.Settings) bool {
	return !after.Enabled || before.Redirections != after.Redirections || before.GuardedFlags && !after.GuardedFlags ||
		before.Outside != after.Outside || !before.InsideWorktrees && after.InsideWorktrees || before.Ceiling != nil || before.Broken != ""
}

// split takes the allow rules apart from those that stop or ask.
func split(rules []rule.Rule) (allow, stop []rule.Rule) {
	for _, r := range rules {
		if r.Effect == rule.Allow {
			allow = append(allow, r)
		} else {
			stop = append(stop, r)
		}
	}
	return allow, stop
}

// without looks for what a rule covers and none of others does.
func (s *search) without(r *rule.Rule, others []rule.Rule) {
	k := kindOf(r)
	s.names, s.values, _ = arguments(r, nil)
	same := slices.ContainsFunc(others, func(o rule.Rule) bool { return o.Text == r.Text })
	for _, tool := range k.tools {
		if same {
			break
		}
		var none []glob.Pattern
		covered := false
		for i := range others {
			o := kindOf(&others[i])
			if o.name != k.name || o.args || !slices.Contains(o.tools, tool) {
				continue
			}
			covered = covered || covers(o, k)
			if k.name == mcp || len(k.patterns) > 0 && meet(k.patterns[0], o.patterns[0]) {
				none = append(none, o.patterns...)
			}
		}
		if covered {
			continue
		}
		s.exact = true
		switch k.name {
		case shell, edit:
			s.shortest(tool, k.patterns, none)
		case mcp:
			s.servers(k, none)
		case other:
			s.once(tool)
		}
		if s.exact = false; s.found() {
			return
		}
	}
	if k.name == "" && !same && r.Idle() == "" {
		s.result.Proven = false
	}
	s.samples(k, r)
}

// pair looks for what an allow rule shares with one that stops, but for what
// others stop too.
func (s *search) pair(r, stop *rule.Rule, others []rule.Rule) {
	if r.Idle() != "" || stop.Idle() != "" {
		return // it matches nothing
	}
	k, o := kindOf(r), kindOf(stop)
	if k.args || o.args {
		s.result.Proven = false // which values count is for the gate to say
	}
	var share bool
	if s.names, s.values, share = arguments(r, stop); !share {
		return
	}
	var none []glob.Pattern
	for i := range others {
		if others[i].Text == stop.Text {
			return
		}
		if n := kindOf(&others[i]); n.name == k.name && n.name != mcp && !n.args && sameTools(n, k) {
			none = append(none, n.patterns...)
		}
	}
	switch {
	case k.name == "" || o.name == "":
		s.result.Proven = false
	case k.name == mcp && o.name == mcp:
		s.servers(k, nil, o.patterns...)
	case k.name == shell && (o.name == edit && !stop.Whole || o.name == read):
		s.result.Proven = false // it goes by what the command touches
		// Those that name the path are tried.
		named := glob.Compile("*" + glob.Escape(stop.Pattern.LongestLiteral()) + "*")
		for _, tool := range k.tools {
			if s.shortest(tool, []glob.Pattern{k.patterns[0], named}, none); s.found() {
				return
			}
			if s.touching(tool, k.patterns[0], stop); s.found() {
				return
			}
		}
	case k.name == o.name:
		for _, tool := range k.tools {
			if slices.Contains(o.tools, tool) && !s.found() {
				s.shared(tool, k, o, none, stop)
			}
		}
	}
}

// shared looks for what two rules of one kind share in calls of a tool.
func (s *search) shared(tool string, k, o kind, none []glob.Pattern, stop *rule.Rule) {
	switch k.name {
	case other:
		s.once(tool)
	case shell:
		if s.shortest(tool, []glob.Pattern{k.patterns[0], o.patterns[0]}, none); !s.found() {
			s.meant(tool, k.patterns[0], stop)
		}
	case edit: // a rule that stops may spell the path in another way
		for _, base := range s.bases() {
			mine := glob.CompileRule(base + k.patterns[0].String())
			if s.shortest(tool, []glob.Pattern{mine, o.patterns[0]}, none); s.found() {
				return
			}
		}
	}
}

// passing looks for what a rule stops of tools that run without one.
func (s *search) passing(stop *rule.Rule, others []rule.Rule) {
	o := kindOf(stop)
	if s.names, s.values, _ = arguments(stop, nil); o.args && o.name == other {
		s.result.Proven = false
	}
	var none []glob.Pattern
	for i := range others {
		n := kindOf(&others[i])
		if others[i].Text == stop.Text || n.name == other && o.name == other && !n.args && n.tools[0] == o.tools[0] {
			return
		}
		if n.name == read {
			none = append(none, n.patterns...)
		}
	}
	switch o.name {
	case other:
		s.aside = true
		s.once(o.tools[0])
		s.aside = false
	case read:
		s.shortest("read", o.patterns, none)
	case "":
		s.result.Proven = s.result.Proven && stop.Idle() != ""
	}
}
