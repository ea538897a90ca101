package config

import (
	"encoding/json"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/pigate/pigate/internal/gate/rule"
)

// FuzzParse holds, for any bytes: reading ends without a panic, a file counts
// as valid only if encoding/json takes it for an object, an invalid one says
// why, and a rule saved to a valid one is there afterwards and the file still
// valid.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "{}", seeded, `{"allow":["shell:a"],"deny":["shell:b",1]}`, "\xef\xbb\xbf{\r\n\t\"allow\": []\r\n}", `{"allow":["a"],"allow":[]}`,
		`{"journal":{"record":"all","durability":"process","onError":"warn"},"guardedFlags":true}`, "{// x\n\"deny\":[\"shell:b\",],}",
		`{"redirections":"precise","enabled":false,"x":{"y":[[[]]]}}`, `[`, "{\"\xff\":1}", `{"a":1}}`, ` { } `,
	} {
		f.Add([]byte(seed), "shell:new")
	}
	f.Fuzz(func(t *testing.T, raw []byte, line string) {
		p := parse(raw, "file", true)
		body := p.doc.body
		var object map[string]json.RawMessage
		isObject := utf8.Valid(body) && json.Unmarshal(body, &object) == nil && object != nil
		if !p.invalid && !isObject {
			t.Fatalf("%q counts as valid", raw)
		}
		if p.invalid && len(p.warnings) == 0 {
			t.Fatalf("%q is invalid and does not say why", raw)
		}
		for _, w := range p.warnings {
			if w.Line > len(p.doc.newlines)+1 || (w.Line > 0) != (w.Column > 0) {
				t.Fatalf("%q: a warning at line %d, column %d", raw, w.Line, w.Column)
			}
		}
		rules, err := Addition{Lines: []string{line}}.rules()
		if p.invalid || err != nil || len(rules) == 0 {
			return
		}
		for key, effect := range map[string]rule.Effect{keyAllow: rule.Allow, keyDeny: rule.Deny, keyAsk: rule.Ask} {
			addOne(t, raw, p, object, key, effect, rules)
		}
	})
}

// addOne adds rules to one list, and wants every other key as it was.
func addOne(t *testing.T, raw []byte, p *fileValues, object map[string]json.RawMessage, key string, effect rule.Effect, rules []rule.Rule) {
	var present []string
	if own := p.of(effect); own != nil {
		present = trimmed(own.texts)
	}
	out := addRules(p, effect, nil, rules)
	if err := confirm(out, "file", true, effect, append(present, lasting(rules)...)); err != nil {
		t.Fatalf("%q became %q: %v", raw, out, err)
	}
	var after map[string]json.RawMessage
	if err := json.Unmarshal(parse(out, "file", true).doc.body, &after); err != nil {
		t.Fatalf("%q became %q: %v", raw, out, err)
	}
	for name, value := range object {
		if name != key && !slices.Equal(after[name], value) {
			t.Fatalf("%q became %q: %q changed", raw, out, name)
		}
	}
}
