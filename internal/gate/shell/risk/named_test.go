package risk

import (
	"testing"

	"github.com/pigate/pigate/internal/gate/catalog"
)

func TestNamedByReadsAnyText(t *testing.T) {
	h := Find(catalog.Default(), "curl", literalArgs("-o", "x"))[0]
	for _, pattern := range []string{"", "*", "curl", "curl -o", `curl -o '`, `curl "`, `curl \`, "curl -", "curl --", "curl -o\\", "\x00", "curl --\x00="} {
		if got, want := h.NamedBy(pattern), pattern == "curl -o"; got != want {
			t.Errorf("%q: %v", pattern, got)
		}
	}
}
