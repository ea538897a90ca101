package transcript

import (
	"slices"

	"github.com/pigate/pigate/internal/gate"
)

// maxPending is how many calls wait for their results at most. No agent makes
// so many at once; a file that never answers any must not fill the memory.
const maxPending = 4096

// pending are the calls of a file whose results are not known yet.
type pending struct {
	waiting map[string][]Call // by the id that the result will name
	order   []string          // of the ids; those that were answered stay until they are the first
	done    []Call
}

// add notes calls that are answered by one result. An older call of the same id
// is not answered any more.
func (p *pending) add(id string, calls ...Call) {
	if p.waiting == nil {
		p.waiting = map[string][]Call{}
	}
	if old, ok := p.waiting[id]; ok {
		p.done = append(p.done, old...)
	}
	p.waiting[id] = calls
	p.order = append(p.order, id)
	for len(p.order) > 0 && (len(p.waiting) > maxPending || p.waiting[p.order[0]] == nil) {
		p.give(p.order[0])
		p.order = p.order[1:]
	}
	if len(p.order) > 2*maxPending {
		p.order = slices.DeleteFunc(p.order, func(id string) bool { return p.waiting[id] == nil })
	}
}

// change lets f change the calls that wait under an id.
func (p *pending) change(id string, f func(*Call)) {
	calls := p.waiting[id]
	for i := range calls {
		f(&calls[i])
	}
}

// answer ends the wait of the calls under an id, with a result unless it is "".
func (p *pending) answer(id string, result gate.Result) {
	p.change(id, func(c *Call) {
		if result != "" {
			c.Result = result
		}
	})
	p.give(id)
}

// give hands out the calls under an id.
func (p *pending) give(id string) {
	p.done = append(p.done, p.waiting[id]...)
	delete(p.waiting, id)
}

// end hands out what was never answered.
func (p *pending) end() {
	for _, id := range p.order {
		p.give(id)
	}
	p.order = nil
}

func (p *pending) ready() []Call {
	done := p.done
	p.done = nil
	return done
}
