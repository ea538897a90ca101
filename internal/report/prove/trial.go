package prove

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/report/dangerous"
)

// maxNames is how many names of servers, and of tools, are tried for a pair.
const maxNames = 4

// servers tries names of servers with names of tools. What is not found so is not
// proven.
func (s *search) servers(k kind, none []glob.Pattern, with ...glob.Pattern) {
	some := [2]bool{}
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
			glob.Shortest(s.folded("", all), s.folded("", none), func(text string) bool {
				some[i] = true
				if text == "" || rule.NormaliseMCP(text) != text {
					return true
				}
				n++
				list = append(list, text)
				return n < maxNames
			})
		}
		return list
	}
	servers, tools := part(0), part(1)
	if some[0] && some[1] {
		s.result.Proven = false
	}
	s.left = maxTried
	for _, server := range servers {
		for _, name := range tools {
			tool := "mcp__" + server + "__" + name
			if a, b, ok := rule.SplitMCP(tool); ok && a == server && b == name && !s.try(tool, server+":"+name) {
				return
			}
		}
	}
}

// maxBesides bounds the trials for one pair.
const maxBesides = 40

// besides runs trials that the patterns do not promise anything of.
func (s *search) besides(trials func()) {
	s.aside, s.left = true, maxBesides
	trials()
	s.aside = false
}

// samples tries calls that a rule covers, also such as only this rule lets run
// though another covers its text: it may name an option, or spell a command.
func (s *search) samples(k kind, r *rule.Rule) {
	s.besides(func() {
		switch k.name {
		case shell:
			for _, tool := range k.tools {
				for _, more := range []string{"", " > x", " ../x", " ~/x", " 2>&1"} {
					for _, star := range []string{"", "x", "x y"} {
						text := strings.Join(strings.Fields(k.patterns[0].Sample(star, "x")+more), " ")
						if text != "" && !s.try(tool, text) {
							return
						}
					}
				}
			}
		case other:
			s.once(k.tools[0])
		}
	})
	if s.found() || s.best != nil || k.name != shell {
		return
	}
	s.lines(dangerous.Behind(s.runs, *r))
}

// lines tries dangerous calls.
func (s *search) lines(list []dangerous.Line) {
	s.besides(func() {
		for _, l := range list {
			if s.try(l.Tool, l.Text); s.found() {
				return
			}
		}
	})
}

// touching tries plain commands that read, write or delete what a rule names.
func (s *search) touching(tool string, pattern glob.Pattern, stop *rule.Rule) {
	path := strings.TrimSuffix(stop.Pattern.Sample("x", "x"), "/")
	s.left = maxTried
	for _, command := range []string{"cat ", "head ", "grep x ", "cp x ", "mv x ", "tee ", "touch ", "rm ", "sed -i s/x/y/ ", "cp %s x"} {
		text := command + path
		if before, after, in := strings.Cut(command, "%s"); in {
			text = before + path + after
		}
		if pattern.Match(text, false) && !s.try(tool, text) {
			return
		}
	}
}

// meant tries commands that a deny rule means though its pattern does not match
// them: with its words behind those of the allow rule, with more words between its
// own, and with its options by other names.
func (s *search) meant(tool string, pattern glob.Pattern, stop *rule.Rule) {
	words := strings.Fields(stop.Pattern.Sample("", "x"))
	if len(words) == 0 {
		return
	}
	s.besides(func() {
		for from := len(words); from >= 0; from-- {
			text := strings.Join(strings.Fields(pattern.Sample(strings.Join(words[from:], " "), "x")), " ")
			if text != "" && !s.try(tool, text) {
				return
			}
		}
		if !s.spelled(tool, words, pattern) {
			return
		}
		loose := glob.Compile(strings.ReplaceAll(stop.Pattern.String(), " ", "*") + "*")
		glob.Shortest([]glob.Pattern{pattern, loose}, nil, func(text string) bool {
			return !s.longer(text) && (!plain(text) || s.try(tool, text))
		})
	})
}

// spelled tries the options by other names, and reports whether to go on.
func (s *search) spelled(tool string, words []string, pattern glob.Pattern) (more bool) {
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
			if text := strings.Join(again, " "); name != word && pattern.Match(text, false) && !s.try(tool, text) {
				return false
			}
		}
	}
	return true
}
