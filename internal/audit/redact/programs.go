package redact

import (
	"context"
	"slices"
	"sync"

	"github.com/pigate/pigate/internal/audit/redact/clue"
	"github.com/pigate/pigate/internal/gate/catalog"
)

// Programs is where programs take secrets that files of the person or of a project
// tell of. What it has learned once it keeps, so that a file which is taken away
// uncovers nothing. It may be used by several goroutines, and nil knows none.
type Programs struct {
	mu         sync.RWMutex
	learned    []*catalog.Catalog
	generation int
}

// maxLearned bounds how many catalogues are kept; the oldest goes first.
const maxLearned = 64

// Learn adds what the layers say.
func (p *Programs) Learn(l *catalog.Layers) {
	if p == nil || l == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	full := l.Full() // what the other steps say of secrets is in it
	if slices.Contains(p.learned, full) {
		return
	}
	if p.learned = append(p.learned, full); len(p.learned) > maxLearned {
		p.learned = slices.Delete(p.learned, 0, 1)
	}
	p.generation++
}

// Generation is another number each time that something was learned.
func (p *Programs) Generation() int {
	if p == nil {
		return 0
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.generation
}

// arguments finds the secrets that programs are given, as files tell of them.
func (p *Programs) arguments(ctx context.Context, s string) (found []clue.Span) {
	p.mu.RLock()
	known := p.learned
	p.mu.RUnlock()
	if len(known) == 0 {
		return nil
	}
	for _, c := range commands(s) {
		if ctx.Err() != nil {
			return nil
		}
		for _, catalogue := range known {
			scan := wordScan{command: c, s: s}
			for i, w := range c.words {
				if w.op || w.text == "" {
					continue
				}
				if program := catalogue.Exact(clue.LowerASCII(base(w.text))); program != nil && program.Secrets != nil && w.text[0] != '-' {
					scan.program = &invocation{places: program.Secrets, from: i}
				} else if scan.program != nil {
					scan.program.word(c, i, scan.add)
				}
			}
			found = append(found, scan.found...)
		}
	}
	return found
}
