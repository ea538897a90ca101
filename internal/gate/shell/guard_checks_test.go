package shell

import (
	"maps"
	"slices"
	"testing"

	"github.com/pigate/pigate/internal/gate/catalog"
)

// TestCatalogNames: the code has a function for each name that the catalogue's
// data may use.
func TestCatalogNames(t *testing.T) {
	for name := range catalog.Checks {
		if checkOf(name) == nil {
			t.Errorf("no code for the check %q", name)
		}
	}
	if told, made := slices.Sorted(maps.Keys(catalog.Tests)), slices.Sorted(maps.Keys(tests)); !slices.Equal(told, made) {
		t.Errorf("the catalogue names the tests %q, the code has %q", told, made)
	}
}
