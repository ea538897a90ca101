package main

import "testing"

// What the agent may have written is offered to no shell that could act on it.
func TestShellSafe(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"shell:git push *": true, "mcp:github:get_*": true, "edit:src/a-b.go": true, "0199a1b2-7c44": true,
		"": false, "-rf": false, "x$(touch y)": false, "`x`": false, "a;b": false, "a|b": false, "a&b": false, "a>b": false, "a<b": false,
		"a\nb": false, "a\tb": false, "a'b": false, `a"b`: false, `a\b`: false, "a!b": false, "~x": false, "a{b,c}": false, "#x": false, "a\x1b[31m": false, "é": false,
	} {
		if shellSafe(text) != want {
			t.Errorf("shellSafe(%q) = %v", text, !want)
		}
	}
}
