package clue

import (
	"regexp"
	"sync"
)

// Pattern is an expression that is compiled when it is first used: most
// processes need few of them.
func Pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
