package catalog

import "testing"

// BenchmarkDecode reads all files, as the first look-up does.
func BenchmarkDecode(b *testing.B) {
	files := Embedded()
	for b.Loop() {
		if _, err := read(files); err != nil {
			b.Fatal(err)
		}
	}
}
