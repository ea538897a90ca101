package gate

import (
	"fmt"
	"sync"
)

// queue counts the calls that wait for the dialog. The zero value is empty.
type queue struct {
	mu      sync.Mutex
	waiting int
	asked   int // questions put since somebody waited first
	denials int // how often all that waited were denied
}

// enter counts a call in. What it returns is for leave.
func (q *queue) enter() (denials int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting++
	return q.denials
}

// leave counts a call out, in its turn or because it waits no more, and reports
// whether all that waited were denied meanwhile.
func (q *queue) leave(denials int) (denied bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting--
	return q.denials != denials
}

// turn says which of how many questions the one is that is put now, "2 of 3", ""
// when it is the only one, and whether others wait behind it.
func (q *queue) turn() (words string, behind bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.asked == 0 && q.waiting == 0 {
		return "", false
	}
	return fmt.Sprintf("%d of %d", q.asked+1, q.asked+1+q.waiting), q.waiting > 0
}

// answered counts a question. The count begins anew when nobody waits.
func (q *queue) answered() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.asked++; q.waiting == 0 {
		q.asked = 0
	}
}

// denyAll denies all calls that wait now.
func (q *queue) denyAll() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.denials++
}
