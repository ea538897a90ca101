package checkout_test

import (
	"os"
	"testing"

	"github.com/pigate/pigate/internal/gate/checkout"
)

// BenchmarkCheckout is the way of each call: the folders around this package.
func BenchmarkCheckout(b *testing.B) {
	dir, err := os.Getwd()
	if err != nil {
		b.Fatal(err)
	}
	f := &checkout.Finder{}
	for b.Loop() {
		f.Checkout(dir)
	}
}
