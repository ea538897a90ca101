package tidy

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/report/suggest"
)

// fewest is how many exact rules a pattern must take the place of.
const fewest = 3

// many finds exact rules for commands and files that one pattern covers. Only a
// pattern that `suggest` would draft from such calls is offered: it is never one
// that lets a known dangerous call run.
func (t *tidier) many() {
	groups, order := map[string][]*rule.Rule{}, []string{}
	for _, r := range t.own() {
		key, ok := kin(r)
		if !ok {
			continue
		}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], r)
	}
	for _, key := range order {
		if len(groups[key]) >= fewest {
			t.patterns(groups[key])
		}
	}
}

// kin is what the rules that one pattern may cover have in common: the program,
// or the scope of files. ok is false for a rule that is not exact.
func kin(r *rule.Rule) (key string, ok bool) {
	if r.Whole || r.Pattern.Wild() || r.Scope != rule.Shell && r.Scope != rule.Edit {
		return "", false
	}
	text, _ := r.Pattern.Literal()
	if r.Scope == rule.Edit {
		return rule.Edit, true
	}
	program, _, _ := strings.Cut(text, " ")
	return rule.Shell + ":" + program, true
}

// patterns offers the pattern that covers most of some exact rules, and goes on
// with the rest.
func (t *tidier) patterns(list []*rule.Rule) {
	covered := map[string][]*rule.Rule{}
	for _, r := range list {
		for _, text := range t.wildcards(r) {
			covered[text] = append(covered[text], r)
		}
	}
	texts := make([]string, 0, len(covered))
	for text, rules := range covered {
		if len(rules) >= fewest {
			texts = append(texts, text)
		}
	}
	slices.SortFunc(texts, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(covered[b]), len(covered[a])), cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	for _, text := range texts {
		f := Finding{Kind: Many, Add: []string{text}}
		for _, r := range covered[text] {
			if !t.taken[placeOf(r)] {
				f.Remove = append(f.Remove, placeOf(r))
			}
		}
		if len(f.Remove) < fewest {
			continue
		}
		f.Text = fmt.Sprintf("one pattern covers %d exact rules, and allows more than they do", len(f.Remove))
		t.offer(f)
	}
}

// wildcards are the patterns that `suggest` finds safe enough for what an exact
// rule names.
func (t *tidier) wildcards(r *rule.Rule) (list []string) {
	text, ok := r.Pattern.Literal()
	if !ok {
		return nil
	}
	field, tool := "command", "bash"
	if r.Scope == rule.Edit {
		field, tool = "path", "edit"
	}
	req := t.Place
	req.Tool = tool
	var err error
	if req.Input, err = json.Marshal(map[string]string{field: text}); err != nil {
		return nil
	}
	var stays []rule.Rule // what denies and asks counts as ever
	for i := range t.policy.Rules {
		if t.policy.Rules[i].Effect != rule.Allow {
			stays = append(stays, t.policy.Rules[i])
		}
	}
	bare := policy.New(t.policy.Settings, stays)
	for _, w := range suggest.Wider(bare, bare.Derive(req), nil, []string{r.Text}) {
		if w.But == "" {
			list = append(list, w.Rule)
		}
	}
	return list
}
