package policy

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/pigate/pigate/internal/gate/rule"
)

// arguments are the top-level arguments of a call, in the order of the input;
// none where it is no object.
type arguments []argument

// argument is one of them. Texts are the ways to write its value, more than one
// for some numbers, none for a value that is no text, number or boolean.
type argument struct {
	name  string
	texts []string
	null  bool
}

// readArguments takes an input apart. A name that stands there twice is there
// twice.
func readArguments(input json.RawMessage) (list arguments) {
	if !json.Valid(input) {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(input))
	decoder.UseNumber()
	if open, err := decoder.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil
		}
		var value any
		if decoder.Decode(&value) != nil {
			return nil
		}
		text, _ := name.(string)
		a := argument{name: text, null: value == nil}
		switch v := value.(type) {
		case string:
			a.texts = []string{v}
		case bool:
			a.texts = []string{strconv.FormatBool(v)}
		case json.Number:
			a.texts = numberTexts(v)
		}
		list = append(list, a)
	}
	return list
}

// numberTexts are a number as it is written and, where that differs, as
// JavaScript writes it.
func numberTexts(n json.Number) []string {
	list := []string{n.String()}
	if f, err := n.Float64(); err == nil {
		if short, err := json.Marshal(f); err == nil && string(short) != list[0] {
			list = append(list, string(short))
		}
	}
	return list
}

// allowed reports that each argument that the rule names is there, once, and its
// value matches in every way to write it, letter case counting.
func (list arguments) allowed(r *rule.Rule) bool {
	for _, want := range r.Args {
		var found []argument
		for _, a := range list {
			if strings.EqualFold(a.name, want.Name) {
				found = append(found, a)
			}
		}
		if len(found) != 1 || found[0].name != want.Name || len(found[0].texts) == 0 {
			return false
		}
		for _, text := range found[0].texts {
			if !want.Value.Match(text, false) {
				return false
			}
		}
	}
	return true
}

// denied reports that for each argument that the rule names `*` is asked for, or
// one of that name matches in some way to write it; letter case does not count.
// With maybe one is a list or an object, of which a pattern says nothing.
func (list arguments) denied(r *rule.Rule) (yes, maybe bool) {
	yes, maybe = true, true
	for _, want := range r.Args {
		match, open := want.Any(), want.Any()
		for _, a := range list {
			if !strings.EqualFold(a.name, want.Name) {
				continue
			}
			open = open || len(a.texts) == 0 && !a.null
			for _, text := range a.texts {
				match = match || want.Value.Match(text, true)
			}
		}
		yes, maybe = yes && match, maybe && (match || open)
	}
	return yes, maybe && !yes
}

// arguments are those of the call.
func (e *evaluation) arguments() arguments {
	if e.input == nil {
		list := readArguments(e.call.Request.Input)
		e.input = &list
	}
	return *e.input
}

// denyArgs tries the deny rules that name arguments.
func (e *evaluation) denyArgs() {
	tool := e.call.Request.Tool
	for _, r := range e.policy.deny.args {
		if !r.Names(tool, e.fold) {
			continue
		}
		res := Resource{Text: tool}
		if e.call.Scope == rule.MCP {
			res = e.call.Resources[0]
		}
		switch yes, maybe := e.arguments().denied(r); {
		case yes:
			e.denied = append(e.denied, ruleReason(r, res))
		case maybe:
			reason := ruleReason(r, res)
			reason.Cause, reason.Detail = CauseCouldBeDenied, "an argument is a list or an object"
			e.fixed = append(e.fixed, reason)
		}
	}
}

// byArgs lets an allow rule that names arguments cover the call, or asks.
func (e *evaluation) byArgs(res Resource) {
	for _, r := range e.policy.allow.args {
		if r.Names(e.call.Request.Tool, e.fold) && e.arguments().allowed(r) {
			e.allowed = append(e.allowed, ruleReason(r, res))
			return
		}
	}
	e.asks = append(e.asks, Reason{Cause: CauseNoRule, Resource: res.Text})
}

// LooksAtArguments reports that the verdict of a call may depend on arguments
// beside those that its resources are derived from: a rule names some.
func (p *Policy) LooksAtArguments(c *Call) bool {
	if p == nil {
		return false
	}
	named := slices.ContainsFunc(p.Rules, func(r rule.Rule) bool {
		return r.Args != nil && r.Names(c.Request.Tool, c.Request.fold())
	})
	return named || p.ceiling.LooksAtArguments(c)
}

// Coverage is what an approval of the call for a session covers: what the setting
// says, and no more than the very arguments where a rule names some of the tool's.
func (p *Policy) Coverage(c *Call) Coverage {
	if p.LooksAtArguments(c) {
		return CoverExact
	}
	return p.Settings.SessionApprovals
}

// Arguments are the arguments of a call whose values are a text, a number or a
// boolean and stand there once and in one spelling, in the order of the input.
// They are not safe to show. Of a tool whose rules have patterns there are none.
func (c *Call) Arguments() (names, values []string) {
	if c.Scope != "" && c.Scope != rule.MCP {
		return nil, nil
	}
	list := readArguments(c.Request.Input)
	for _, a := range list {
		same := 0
		for _, other := range list {
			if strings.EqualFold(a.name, other.name) {
				same++
			}
		}
		if same == 1 && len(a.texts) == 1 {
			names, values = append(names, a.name), append(values, a.texts[0])
		}
	}
	return names, values
}
