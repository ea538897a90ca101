package config

import (
	"testing"
)

// BenchmarkLoad is what every call of the agent pays for reading both files
// again: while they stay the same, and when one of them changes each time.
func BenchmarkLoad(b *testing.B) {
	agent, root := b.TempDir(), b.TempDir()
	loader := NewLoader(agent)
	if _, err := loader.Save(root, []string{"shell:npm test *", "edit:docs/*"}); err != nil {
		b.Fatal(err)
	}
	b.Run("same", func(b *testing.B) {
		for b.Loop() {
			loader.Load(root, true)
		}
	})
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			NewLoader(agent).Load(root, true)
		}
	})
}
