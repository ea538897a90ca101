package catalog_test

import (
	"testing"

	"github.com/pigate/pigate/internal/gate/catalog"
)

// TestEmbedded: every program that this binary knows can be read.
func TestEmbedded(t *testing.T) {
	if _, err := catalog.New(catalog.Embedded()); err != nil {
		t.Fatal(err)
	}
	if n := len(catalog.Default().Programs()); n < 500 {
		t.Errorf("%d programs", n)
	}
}

func BenchmarkRead(b *testing.B) {
	files := catalog.Embedded()
	for b.Loop() {
		if _, err := catalog.New(files); err != nil {
			b.Fatal(err)
		}
	}
}
