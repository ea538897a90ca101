package redact

import (
	"context"
	"errors"
	"fmt"
	"github.com/pigate/pigate/internal/audit/redact/clue"
	"runtime"
	"slices"
)

// MaxText is the length in bytes of the longest text that is searched.
const MaxText = 8 << 20

// ErrTooLong is returned for a text longer than MaxText.
var ErrTooLong = errors.New("mask secrets: the text is too long")

var (
	errNoKey     = errors.New("mask secrets: no key for the digests")
	errUnsettled = errors.New("mask secrets: the masked text still holds some")
)

// rounds bounds how often a masked text is searched again. One round finds
// nothing in nearly every text; more are needed when a mask brings to light
// what it stood beside.
const rounds = 10

// Masker finds secrets in text and replaces them. It may be used by several
// goroutines at once.
type Masker struct {
	key       []byte
	detectors []clue.Detector

	loaded  chan struct{} // closed when the two below are set
	leaks   *leaks
	loadErr error
}

// Mask tells of one replaced secret.
type Mask struct {
	// Kind says what it is: an identifier of a gitleaks rule, or one of this
	// package's own, such as "password", "token" or "private-key".
	Kind string `json:"kind"`
	// Digest is the keyed digest, eight hexadecimal digits.
	Digest string `json:"digest"`
	// Field is the JSON pointer (RFC 6901) of the value or of the name that held
	// it, with secrets in names masked; "" for plain text and for a JSON text
	// that is one string.
	Field string `json:"field,omitempty"`
	// Start and End are the bytes of the original that were replaced.
	Start int `json:"start"`
	End   int `json:"end"`
}

// New returns a masker whose digests are made with key, which must not be
// empty and should hold 32 random bytes: without one every call fails. It
// loads the rules of gitleaks in the background; calls wait for them.
func New(key []byte) *Masker {
	m := &Masker{key: slices.Clone(key), detectors: shapes, loaded: make(chan struct{})}
	go func() {
		defer close(m.loaded)
		m.leaks, m.loadErr = loadLeaks()
	}()
	return m
}

// Knowing lets the masker go by what p has learned and will learn. It is called
// before the first use.
func (m *Masker) Knowing(p *Programs) *Masker {
	if p != nil {
		m.detectors = append(slices.Clone(m.detectors), p.arguments)
	}
	return m
}

// Text returns s with every secret replaced by its mask, and what was
// replaced, in order. All other bytes are as they were, and masking the result
// changes nothing. On an error (the context is over, s is too long, a fault
// while searching) it returns "" and the caller must drop the text. Errors
// hold nothing of s.
func (m *Masker) Text(ctx context.Context, s string) (masked string, found []Mask, err error) {
	spans, err := m.search(ctx, s, nil, nil)
	if err != nil {
		return "", nil, err
	}
	masked, found = m.render(s, spans)
	return masked, found, nil
}

// Holds tells whether s holds a secret. Its errors are those of Text.
func (m *Masker) Holds(ctx context.Context, s string) (bool, error) {
	spans, err := m.search(ctx, s, nil, nil)
	return len(spans) > 0, err
}

// search returns the secrets in s, disjoint and in order: the known ones, and
// what the detectors and more, if not nil, find. The text that the masks would
// leave is searched again until nothing more is found, so that masking is
// final.
func (m *Masker) search(ctx context.Context, s string, known []clue.Span, more clue.Detector) (spans []clue.Span, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			spans, err = nil, faultError(fault)
		}
	}()
	if len(m.key) == 0 {
		return nil, errNoKey
	}
	if len(s) > MaxText {
		return nil, ErrTooLong
	}
	l, err := m.rules(ctx)
	if err != nil {
		return nil, err
	}
	spans = clue.Merge(slices.Clone(known))
	for range rounds {
		layout := newLayout(s, spans)
		fresh, err := m.detect(ctx, l, layout.text, more)
		if err != nil {
			return nil, err
		}
		if len(fresh) == 0 {
			return spans, nil
		}
		spans = clue.Merge(append(spans, layout.original(fresh)...))
	}
	return nil, errUnsettled
}

// detect runs every detector once over s, whose masks it leaves alone.
func (m *Masker) detect(ctx context.Context, l *leaks, s string, more clue.Detector) ([]clue.Span, error) {
	b := blind(s)
	spans, err := l.find(ctx, b.text)
	if err != nil {
		return nil, fmt.Errorf("mask secrets: %w", err)
	}
	for _, d := range m.detectors {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("mask secrets: %w", err)
		}
		spans = append(spans, d(ctx, b.text)...)
	}
	if more != nil {
		spans = append(spans, more(ctx, b.text)...)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("mask secrets: %w", err)
	}
	return b.outside(spans), nil
}

// rules returns the rules of gitleaks once they are loaded.
func (m *Masker) rules(ctx context.Context) (*leaks, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("mask secrets: %w", err)
	}
	select {
	case <-ctx.Done():
		return nil, fmt.Errorf("mask secrets: %w", ctx.Err())
	case <-m.loaded:
		if m.loadErr != nil {
			return nil, fmt.Errorf("mask secrets: %w", m.loadErr)
		}
		return m.leaks, nil
	}
}

// faultError tells of a fault without its text, which could hold the secret;
// the words of the runtime hold numbers alone.
func faultError(fault any) error {
	if err, ok := fault.(runtime.Error); ok {
		return fmt.Errorf("mask secrets: fault while searching: %w", err)
	}
	return errors.New("mask secrets: fault while searching")
}
