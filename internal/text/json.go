package text

import (
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// NewEncoder returns an encoder of JSON for a terminal or a program. What would
// not show as itself (see Visible) is written as \u…, which means the same; what
// only HTML gives a meaning stays as it is.
func NewEncoder(w io.Writer) *json.Encoder {
	e := json.NewEncoder(escaper{w})
	e.SetEscapeHTML(false)
	return e
}

// escaper writes JSON. Beside ASCII there is nothing in it but the text of
// strings, and an encoder writes whole characters.
type escaper struct{ w io.Writer }

func (e escaper) Write(p []byte) (int, error) {
	if _, err := e.w.Write(EscapeJSON(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// EscapeJSON returns JSON that means the same, with \u… in place of what would not
// show as itself.
func EscapeJSON(p []byte) []byte {
	var out []byte // nil while nothing was escaped
	from := 0
	for i := 0; i < len(p); {
		r, size := rune(p[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(p[i:])
		}
		if r >= 0x7f && hidden(r) {
			out = append(out, p[from:i]...)
			from = i + size
			if r > 0xffff {
				high, low := utf16.EncodeRune(r)
				out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
			} else {
				out = fmt.Appendf(out, `\u%04x`, r)
			}
		}
		i += size
	}
	if out == nil {
		return p
	}
	return append(out, p[from:]...)
}
