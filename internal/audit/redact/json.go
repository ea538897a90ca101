package redact

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

var errNotJSON = errors.New("mask secrets: not JSON")

// JSON returns raw with every secret in it replaced: in strings, in the names
// of members, and values that the names of their members call secret, numbers
// under the name of a password too. It looks at each string as Text does, and
// at a list of strings also as the words of a command line. What it returns is
// JSON of the same form, all bytes that are no secret are as they were, and
// masking it again changes nothing. Start and End of the masks are bytes of
// raw. Errors are those of Text, and one for a raw that is not JSON.
func (m *Masker) JSON(ctx context.Context, raw json.RawMessage) (masked json.RawMessage, found []Mask, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			masked, found, err = nil, nil, faultError(fault)
		}
	}()
	if len(raw) > MaxText {
		return nil, nil, ErrTooLong
	}
	if !json.Valid(raw) {
		return nil, nil, errNotJSON
	}
	w := jsonWalk{ctx: ctx, masker: m, raw: string(raw)}
	if w.value(0, "", name{}); w.err == nil {
		w.relate()
	}
	if w.err != nil {
		return nil, nil, w.err
	}
	masked, found = w.render()
	return masked, found, nil
}

// jsonText is a string, or a number that may be a secret: its bytes in the JSON
// text, without quotes, what it says, and the secrets in that.
type jsonText struct {
	start, end int
	text       string
	pointer    string
	name       name // that announces it
	number     bool
	spans      []span
}

// jsonWalk goes through JSON text that is valid, and searches its strings on
// the way.
type jsonWalk struct {
	ctx    context.Context
	masker *Masker
	raw    string
	texts  []*jsonText
	lists  [][]*jsonText
	pairs  []pair
	err    error
}

// value reads the value at raw[i:], which the name n announces, and returns
// the offset after it.
func (w *jsonWalk) value(i int, pointer string, n name) int {
	i = w.blanks(i)
	switch w.raw[i] {
	case '"':
		_, end := w.string(i, pointer, n)
		return end
	case '{':
		return w.object(i, pointer)
	case '[':
		return w.array(i, pointer, n)
	}
	end := i
	for end < len(w.raw) && strings.IndexByte(",]} \t\r\n", w.raw[end]) < 0 {
		end++
	}
	if v := w.raw[i:end]; n.strength == strong && n.kind == "password" && isNumber(v) && len(v) >= 4 {
		secret := span{0, len(v), n.kind, byPlace}
		w.texts = append(w.texts, &jsonText{start: i, end: end, text: v, pointer: pointer, number: true, spans: []span{secret}})
	}
	return end
}

func (w *jsonWalk) object(i int, pointer string) int {
	var p pair
	for i = w.blanks(i + 1); w.raw[i] != '}'; i = w.comma(i) {
		key, end := w.string(i, pointer, name{})
		shown, _ := w.masker.render(key.text, key.spans)
		at := pointer + "/" + pointerEscapes.Replace(shown)
		// The words of a mask are no name.
		n := readName(blind(shown).text)
		i = w.blanks(w.blanks(end) + 1) // past the colon
		if w.raw[i] != '"' {
			i = w.value(i, at, n)
			continue
		}
		var s *jsonText
		s, i = w.string(i, at, n)
		p.note(key.text, s)
	}
	if p.name != nil && p.value != nil {
		w.pairs = append(w.pairs, p)
	}
	return i + 1
}

func (w *jsonWalk) array(i int, pointer string, n name) int {
	var list []*jsonText
	i = w.blanks(i + 1)
	for count := 0; w.raw[i] != ']'; count++ {
		at := pointer + "/" + strconv.Itoa(count)
		if w.raw[i] == '"' {
			var s *jsonText
			s, i = w.string(i, at, n)
			list = append(list, s)
		} else {
			i = w.value(i, at, n)
		}
		i = w.comma(i)
	}
	if len(list) > 1 {
		w.lists = append(w.lists, list)
	}
	return i + 1
}

// comma returns the offset of the next member, or of the closing bracket.
func (w *jsonWalk) comma(i int) int {
	if i = w.blanks(i); w.raw[i] == ',' {
		i = w.blanks(i + 1)
	}
	return i
}

func (w *jsonWalk) blanks(i int) int {
	for i < len(w.raw) && isSpace(w.raw[i]) {
		i++
	}
	return i
}

// string reads and searches the string whose quote stands at raw[i].
func (w *jsonWalk) string(i int, pointer string, n name) (t *jsonText, end int) {
	t = &jsonText{start: i + 1, pointer: pointer, name: n}
	escaped := false
	for i++; w.raw[i] != '"'; i++ {
		if w.raw[i] == '\\' {
			escaped = true
			i++
		}
	}
	t.end = i
	if t.text = w.raw[t.start:t.end]; escaped || !utf8.ValidString(t.text) {
		t.text, _ = unescape(t.text)
	}
	w.texts = append(w.texts, t)
	w.search(t, nil)
	return t, i + 1
}

// search looks for the secrets in a string, with the ones that are known.
func (w *jsonWalk) search(t *jsonText, known []span) {
	if w.err != nil {
		return
	}
	t.spans, w.err = w.masker.search(w.ctx, t.text, append(t.spans, known...), announced(t.name))
}

// announced finds the whole of a text to be a secret if its name says so.
func announced(n name) detector {
	if n.strength == mute || n.kind == "authorization" || n.kind == "cookie" {
		return nil
	}
	return func(_ context.Context, s string) []span {
		if a := (assignment{name: n, value: value{quote: '"'}, loose: true}); a.secret(s) {
			return []span{{0, len(s), n.kind, byPlace}}
		}
		return nil
	}
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// render returns the JSON text with masks, and the masks in order.
func (w *jsonWalk) render() (json.RawMessage, []Mask) {
	var b strings.Builder
	var found []Mask
	done := 0
	slices.SortFunc(w.texts, func(a, b *jsonText) int { return a.start - b.start })
	for _, t := range w.texts {
		if len(t.spans) == 0 {
			continue
		}
		_, at := unescape(w.raw[t.start:t.end])
		for _, s := range t.spans {
			mask := Mask{Kind: s.kind, Digest: w.masker.digest(t.text[s.start:s.end]), Field: t.pointer, Start: t.start + at[s.start], End: t.start + at[s.end]}
			text := mask.text()
			if t.number {
				text = `"` + text + `"`
			}
			found = append(found, mask)
			b.WriteString(w.raw[done:mask.Start])
			b.WriteString(text)
			done = mask.End
		}
	}
	b.WriteString(w.raw[done:])
	return json.RawMessage(b.String()), found
}
