package risk

import (
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
	for name := range catalog.Tests {
		if testOf(catalog.Default(), name) == nil {
			t.Errorf("no code for the test %q", name)
		}
	}
}
