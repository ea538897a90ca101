package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// answer is what a binary says to one call.
type answer struct {
	Verdict   string            `json:"verdict"`
	Resources []json.RawMessage `json:"resources"`
	Reasons   []json.RawMessage `json:"reasons"`
}

// difference says what two answers do not share, a line each.
func difference(before, after json.RawMessage) string {
	var a, b answer
	if json.Unmarshal(before, &a) != nil || json.Unmarshal(after, &b) != nil {
		return fmt.Sprintf("  %s\n  %s\n", before, after)
	}
	var out strings.Builder
	if a.Verdict != b.Verdict {
		fmt.Fprintf(&out, "  %s -> %s\n", a.Verdict, b.Verdict)
	}
	list(&out, "-", missing(a.Reasons, b.Reasons))
	list(&out, "+", missing(b.Reasons, a.Reasons))
	list(&out, "- unit", missing(a.Resources, b.Resources))
	list(&out, "+ unit", missing(b.Resources, a.Resources))
	if out.Len() == 0 {
		out.WriteString("  the order\n")
	}
	return out.String()
}

// missing lists what is in all and not in other, counting repetitions.
func missing(all, other []json.RawMessage) (left []string) {
	count := map[string]int{}
	for _, item := range other {
		count[string(item)]++
	}
	for _, item := range all {
		if count[string(item)]--; count[string(item)] < 0 {
			left = append(left, string(item))
		}
	}
	return left
}

func list(out *strings.Builder, sign string, items []string) {
	for _, item := range items {
		fmt.Fprintf(out, "  %s %s\n", sign, item)
	}
}
