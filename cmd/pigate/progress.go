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
	// text says how far it is.
	text func(done, total int64) string
}

// newProgress returns a bar for w, which draws only when w is a terminal.
func newProgress(w io.Writer) *progress {
	p := &progress{start: time.Now(), text: func(done, total int64) string { return fmt.Sprintf("%d of %d", done, total) }}
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
	fmt.Fprintf(p.w, "\r[%s%s] %s", strings.Repeat("=", filled), strings.Repeat(" ", barWidth-filled), p.text(done, total))
	p.drawn = true
}

func (p *progress) clear() {
	if p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// count says how many were read so far, when their number is not known.
func (p *progress) count(done int) {
	if p.w == nil || time.Since(p.start) < barDelay {
		return
	}
	fmt.Fprintf(p.w, "\rread %d calls", done)
	p.drawn = true
}
