package catalog_test

import (
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/catalog"
)

func TestSomeCovers(t *testing.T) {
	for _, c := range []struct {
		some  catalog.Some
		words string
		want  bool
	}{
		{catalog.Some{}, "-l", false},
		{catalog.Some{All: true}, "", true},
		{catalog.Some{All: true, Not: []string{"-l"}}, "-a x", true},
		{catalog.Some{All: true, Not: []string{"-l"}}, "-al x", false},
		{catalog.Some{Words: []string{"-l", "--files"}}, "-rl x", true},
		{catalog.Some{Words: []string{"-l", "--files"}}, "--files", true},
		{catalog.Some{Words: []string{"-l", "--files"}}, "--files-not --l l", false},
		{catalog.Some{Words: []string{"--*"}}, "-x --", false},
		{catalog.Some{Words: []string{"--*"}}, "--any", true},
		{catalog.Some{Words: []string{"push"}}, "push", true},
	} {
		if got := c.some.Covers(strings.Fields(c.words)...); got != c.want {
			t.Errorf("%+v covers %q: %v, want %v", c.some, c.words, got, c.want)
		}
	}
}
