package bash

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// AssignsNext reports an assignment, an increment or a decrement.
func AssignsNext(rest string) bool {
	rest = strings.TrimLeft(rest, " ")
	if strings.HasPrefix(rest, "++") || strings.HasPrefix(rest, "--") {
		return true
	}
	rest = strings.TrimLeft(rest, "+-*/%&|^<>")
	return strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==")
}

// EachName calls f with each name in text and what stands behind it.
func EachName(text string, f func(name, rest string)) {
	for i := 0; i < len(text); {
		if !argv.IsNameByte(text[i]) {
			i++
			continue
		}
		start := i
		for i < len(text) && argv.IsNameByte(text[i]) {
			i++
		}
		if c := text[start]; c < '0' || c > '9' {
			f(text[start:i], text[i:])
		}
	}
}
