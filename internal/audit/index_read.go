package audit

import (
	"context"
	"runtime"
	"sync"
)

// chunkEntries is how many entries are taken apart at a time, by one of several
// goroutines.
const chunkEntries = 512

// chunk is a run of entries on their way into an index.
type chunk struct {
	links []link
	facts []*facts
	ready chan struct{}
}

func (c *chunk) read(t *templates) {
	c.facts = make([]*facts, len(c.links))
	for i := range c.links {
		c.facts[i] = t.facts(&c.links[i])
	}
	close(c.ready)
}

// eachFacts reads the entries from one number to another, of all files, in order,
// and hands each with its hash to f until that returns an error. Taking them
// apart is what costs most, and is done by all processors.
func (r *Reader) eachFacts(ctx context.Context, from, to int64, t *templates, f func(*facts, []byte) error) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	chunks := make(chan *chunk, runtime.GOMAXPROCS(0))
	var failed error
	var reading sync.WaitGroup
	reading.Go(func() {
		defer close(chunks)
		failed = r.eachChunk(ctx, from, to, func(c *chunk) bool {
			go c.read(t)
			select {
			case chunks <- c:
				return true
			case <-ctx.Done():
				return false
			}
		})
	})
	defer func() {
		cancel()
		reading.Wait()
		if err == nil {
			err = failed
		}
	}()
	for c := range chunks {
		<-c.ready
		for i, facts := range c.facts {
			if err := f(facts, c.links[i].hash); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// eachChunk reads the entries in chunks, until f returns false.
func (r *Reader) eachChunk(ctx context.Context, from, to int64, f func(*chunk) bool) error {
	now := &chunk{ready: make(chan struct{})}
	flush := func() bool {
		if len(now.links) == 0 {
			return true
		}
		full := now
		now = &chunk{ready: make(chan struct{})}
		return f(full)
	}
	more := true
	for _, file := range r.files {
		if !more || file.first > to {
			break
		}
		err := (&database{file.db}).each(ctx, from, func(l *link) bool {
			if l.seq > to {
				return false
			}
			now.links = append(now.links, *l)
			if len(now.links) == chunkEntries {
				more = flush()
			}
			return more
		})
		if err != nil {
			return err
		}
	}
	if more {
		flush()
	}
	return ctx.Err()
}
