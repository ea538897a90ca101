package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// progress draws a bar on a terminal, and nothing elsewhere.
type progress struct {
	w     io.Writer
	start time.Time
	drawn bool
}

// newProgress returns a bar for w, which draws only when w is a terminal.
func newProgress(w io.Writer) *progress {
	p := &progress{start: time.Now()}
	if isTerminal(w) {
		p.w = w
	}
	return p
}

const (
	barWidth = 30
	// barDelay is how long something takes before a bar says how far it is.
	barDelay = 300 * time.Millisecond
)

func (p *progress) show(done, total int64) {
	if p.w == nil || total <= 0 || time.Since(p.start) < barDelay {
		return
	}
	filled := int(min(done, total) * barWidth / total)
	fmt.Fprintf(p.w, "\r[%s%s] %d of %d", strings.Repeat("=", filled), strings.Repeat(" ", barWidth-filled), done, total)
	p.drawn = true
}

func (p *progress) clear() {
	if p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
