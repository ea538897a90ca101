package redact

import (
	"context"
	"encoding/json"
	"errors"
	"github.com/pigate/pigate/internal/audit/redact/clue"
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
	if w.value(0, "", clue.Name{}); w.err == nil {
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
	name       clue.Name // that announces it
	number     bool
	spans      []clue.Span
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
func (w *jsonWalk) value(i int, pointer string, n clue.Name) int {
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
	if v := w.raw[i:end]; n.Kind == clue.PIN && clue.IsPIN(v) || n.Strength == clue.Strong && n.Kind == "password" && clue.IsNumber(v) && len(v) >= 4 {
		secret := clue.Span{Start: 0, End: len(v), Kind: n.Kind, Rank: clue.ByPlace}
		w.texts = append(w.texts, &jsonText{start: i, end: end, text: v, pointer: pointer, number: true, spans: []clue.Span{secret}})
	}
	return end
}

func (w *jsonWalk) object(i int, pointer string) int {
	var p pair
	for i = w.blanks(i + 1); w.raw[i] != '}'; i = w.comma(i) {
		key, end := w.string(i, pointer, clue.Name{})
		shown, _ := w.masker.render(key.text, key.spans)
		at := pointer + "/" + pointerEscapes.Replace(shown)
		// The words of a mask are no name.
		n := clue.ReadName(blind(shown).text)
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

func (w *jsonWalk) array(i int, pointer string, n clue.Name) int {
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
	for i < len(w.raw) && clue.IsSpace(w.raw[i]) {
		i++
	}
	return i
}

// string reads and searches the string whose quote stands at raw[i].
func (w *jsonWalk) string(i int, pointer string, n clue.Name) (t *jsonText, end int) {
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
func (w *jsonWalk) search(t *jsonText, known []clue.Span) {
	if w.err != nil {
		return
	}
	t.spans, w.err = w.masker.search(w.ctx, t.text, append(t.spans, known...), announced(t.name))
}

// announced finds the whole of a text to be a secret if its name says so.
func announced(n clue.Name) clue.Detector {
	if n.Strength == clue.Mute || n.Kind == "authorization" || n.Kind == "cookie" {
		return nil
	}
	return func(_ context.Context, s string) []clue.Span {
		if a := (assignment{name: n, value: clue.Value{Quote: '"'}, loose: true}); a.secret(s) {
			return []clue.Span{{Start: 0, End: len(s), Kind: n.Kind, Rank: clue.ByPlace}}
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
			mask := Mask{Kind: s.Kind, Digest: w.masker.digest(t.text[s.Start:s.End]), Field: t.pointer, Start: t.start + at[s.Start], End: t.start + at[s.End]}
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
