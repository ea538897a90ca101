package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tailscale/hujson"

	"github.com/pigate/pigate/internal/gate/rule"
)

// entry is one entry of a list of rules.
type entry struct {
	text, reason string
	until        time.Time // the zero time for one that does not end
}

// entry reads a text, or an object with the keys rule, reason and until. What
// an object says of its rule besides must be right, or the file is invalid; its
// rule counts for denying and asking all the same, and then has no end.
func (p *parser) entry(v hujson.Value, effect rule.Effect) (e entry, ok bool) {
	if v.Value.Kind() == '"' {
		return entry{text: v.Value.(hujson.Literal).String()}, true
	}
	object, isObject := v.Value.(*hujson.Object)
	if !isObject {
		p.refuse(v.StartOffset, fmt.Sprintf("%q must hold texts and objects with a %q, not %s", effect, keyRule, kindName(v)))
		return e, false
	}
	for _, m := range p.last(object, "") {
		name := m.Name.Value.(hujson.Literal).String()
		if name != keyRule && name != keyReason && name != keyUntil {
			p.unknown(m, string(effect)+"[]."+name)
			continue
		}
		if m.Value.Value.Kind() != '"' {
			p.refuse(m.Value.StartOffset, fmt.Sprintf("%q must be a text, not %s", name, kindName(m.Value)))
			continue
		}
		text := m.Value.Value.(hujson.Literal).String()
		switch name {
		case keyRule:
			e.text, ok = text, true
		case keyReason:
			e.reason = text
		case keyUntil:
			var err error
			if e.until, err = ParseUntil(text, time.Local); err != nil {
				p.refuse(m.Value.StartOffset, fmt.Sprintf("%q: %v", keyUntil, err))
			}
		}
	}
	if !ok {
		p.refuse(v.StartOffset, fmt.Sprintf("this entry of %q has no %q", effect, keyRule))
	}
	return e, ok
}

// ParseUntil reads the end of a rule: RFC 3339, or the same without seconds,
// without a zone, or both. Without a zone it is the given one's.
func ParseUntil(text string, zone *time.Location) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no time such as 2026-12-01T18:00 or 2026-12-01T18:00:00Z", text)
}

// entryJSON renders a rule as an entry of a list.
func entryJSON(r rule.Rule) string {
	if r.Reason == "" && r.Until.IsZero() {
		return string(hujson.String(r.Text))
	}
	e := struct {
		Rule   string `json:"rule"`
		Reason string `json:"reason,omitempty"`
		Until  string `json:"until,omitempty"`
	}{Rule: r.Text, Reason: r.Reason}
	if !r.Until.IsZero() {
		e.Until = r.Until.Format(time.RFC3339)
	}
	raw, err := json.Marshal(e)
	if err != nil {
		panic(err) // texts always encode
	}
	return string(raw)
}

func entries(rules []rule.Rule) []string {
	list := make([]string, len(rules))
	for i, r := range rules {
		list[i] = entryJSON(r)
	}
	return list
}

// inForce returns the rules that have not ended at a moment, and when the next
// of them ends; the zero time if none does.
func inForce(rules []rule.Rule, now time.Time) (list []rule.Rule, next time.Time) {
	list = make([]rule.Rule, 0, len(rules))
	for _, r := range rules {
		if !r.Until.IsZero() {
			if !now.Before(r.Until) {
				continue
			}
			if next.IsZero() || r.Until.Before(next) {
				next = r.Until
			}
		}
		list = append(list, r)
	}
	return list, next
}

// ParseRules reads a list of rules that stands alone, as a file's list of that
// effect: texts, and objects with the keys rule, reason and until. Rules that have
// ended at the given moment are left out. Empty text and null are no rules. Their
// File is "-". Any entry that is not right is an error.
func ParseRules(raw json.RawMessage, effect rule.Effect, now time.Time) ([]rule.Rule, error) {
	if text := bytes.TrimSpace(raw); len(text) == 0 || string(text) == "null" {
		return nil, nil
	}
	p := &parser{file: "-", global: true, strict: true, doc: readDocument(slices.Concat([]byte(`{"`+string(effect)+`":`), raw, []byte("}")))}
	p.out = &fileValues{doc: p.doc}
	if p.doc.err != "" {
		return nil, fmt.Errorf("%q: %s", effect, p.doc.err)
	}
	list := p.rules(p.doc.root.Members[0], effect)
	if p.out.invalid {
		return nil, errors.New(p.out.why.Text)
	}
	for i := range list.rules {
		list.rules[i].Line = 0
	}
	current, _ := inForce(list.rules, now)
	return current, nil
}
