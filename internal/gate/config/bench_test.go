package config

import (
	"testing"

	"github.com/pigate/pigate/internal/gate/policy"
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
			loader.Load(root, policy.TrustedByPerson)
		}
	})
	// By the host's word it must also look whether somebody stands for the file.
	b.Run("vouched", func(b *testing.B) {
		for b.Loop() {
			loader.Load(root, policy.TrustedByHost)
		}
	})
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			NewLoader(agent).Load(root, policy.TrustedByPerson)
		}
	})
}
