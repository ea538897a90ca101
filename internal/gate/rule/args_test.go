package rule_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate/rule"
)

func TestParseArgs(t *testing.T) {
	for text, want := range map[string][]string{
		"my_tool(path=docs/*)":           {"path", "docs/*"},
		"my_tool:*(path=docs/*)":         {"path", "docs/*"},
		"mcp:a:b(x=1, y = (2) )":         {"x", "1", "y", "(2)"},
		`mcp:a(x=a\,b,y\=\,z=\*)`:        {"x", "a,b", "y=,z", `\*`},
		`my_tool(x=a\\,y=b)`:             {"x", `a\\`, "y", "b"},
		"my_tool(x=)":                    {"x", ""},
		"MyTool(path=docs/*)":            {"path", "docs/*"},
		"shell:awk f(x=1)":               nil,
		"edit:a(b=c)/*":                  nil,
		"my_tool":                        nil,
		"mcp__slack__send(channel=a=b )": {"channel", "a=b"},
	} {
		r, err := rule.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var got []string
		for _, a := range r.Args {
			got = append(got, a.Name, a.Value.String())
		}
		if len(got) != len(want) {
			t.Errorf("%s has the arguments %q, want %q", text, got, want)
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s has the arguments %q, want %q", text, got, want)
			}
		}
		if r.Args != nil && (r.Whole || r.Idle() != "") {
			t.Errorf("%s is whole: %v, idle: %q", text, r.Whole, r.Idle())
		}
	}
	for _, text := range []string{"my_tool()", "my_tool(x)", "my_tool(x=1", "my_tool(=1)", "my_tool(x=1,)", "my_tool(x=1,X=2)", "my_tool(x*=1)",
		"bash(command=git *)", "shell(x=1)", "edit(path=x)", "read(path=x)", "my_tool(x=1)y"} {
		if r, err := rule.Parse(text); !errors.Is(err, rule.ErrArgs) {
			t.Errorf("%s gives %+v, %v", text, r, err)
		}
	}
}

// TestWriteArgs holds that what is written is read back as the value alone.
func TestWriteArgs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune(`ab\*?,=() é`)))
		name, value, other := text.Draw(t, "name"), text.Draw(t, "value"), text.Draw(t, "other")
		args, ok := rule.WriteArgs([]string{name}, []string{value})
		if !ok {
			return
		}
		r, err := rule.Parse("my_tool" + args)
		if err != nil || len(r.Args) != 1 || r.Args[0].Name != name {
			t.Fatalf("%s gives %+v, %v", args, r.Args, err)
		}
		if v := r.Args[0].Value; !v.Match(value, false) || other != value && v.Match(other, false) {
			t.Fatalf("%s does not match %q alone", args, value)
		}
	})
}
