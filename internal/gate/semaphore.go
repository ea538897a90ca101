package gate

import (
	"context"
	"sync"
)

// semaphore lets one dialog be open at a time. Its zero value is free.
type semaphore struct {
	once sync.Once
	slot chan struct{}
}

func (s *semaphore) acquire(ctx context.Context) bool {
	s.once.Do(func() { s.slot = make(chan struct{}, 1) })
	select {
	case s.slot <- struct{}{}:
		if ctx.Err() != nil {
			<-s.slot
			return false
		}
		return true
	case <-ctx.Done():
		return false
	}
}

func (s *semaphore) release() { <-s.slot }
