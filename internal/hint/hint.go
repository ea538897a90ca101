// Package hint lets an error say what to do about it.
package hint

import "errors"

// Hinter is an error that knows what the user can do: a short sentence, or ""
// for nothing.
type Hinter interface {
	error
	Hint() string
}

// Of returns the hint of the outermost error in err that has one, else "".
func Of(err error) string {
	var h Hinter
	if !errors.As(err, &h) {
		return ""
	}
	if text := h.Hint(); text != "" {
		return text
	}
	return Of(errors.Unwrap(h))
}

// With returns err with a hint; its message and what it wraps stay.
func With(err error, hint string) error { return &hinter{err, hint} }

type hinter struct {
	error
	hint string
}

func (h *hinter) Hint() string  { return h.hint }
func (h *hinter) Unwrap() error { return h.error }
