package wire

import (
	"runtime"
	"sync"
	"testing"
)

func TestAlongsideGivesTheProcessorBack(t *testing.T) {
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			Alongside(func() {
				if n := runtime.GOMAXPROCS(0); n != 2 {
					t.Errorf("%d processors while it works, want 2", n)
				}
			})
		})
	}
	all.Wait()
	if n := runtime.GOMAXPROCS(0); n != 1 {
		t.Errorf("%d processors afterwards, want the one that was left", n)
	}
}
