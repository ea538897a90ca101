package glob

import (
	"strings"
	"unicode/utf8"
)

// pieces are what stands between the stars of a pattern; none is the empty
// pattern.
type pieces []piece

// piece is literal text in which anyChar marks the places of `?`.
type piece struct {
	text    string
	anyChar []bool // for each byte of text: it stands for a `?`; nil when there is none
}

func split(source string) pieces {
	var list pieces
	var text []byte
	var anyChar []bool
	hasAny := false
	end := func() {
		q := piece{text: string(text)}
		if hasAny {
			q.anyChar = anyChar
		}
		list = append(list, q)
		text, anyChar, hasAny = nil, nil, false
	}
	for source != "" {
		char, wild, rest := Next(source)
		source = rest
		if wild && char == "*" {
			end()
			continue
		}
		hasAny = hasAny || wild
		text = append(text, char...)
		for range len(char) {
			anyChar = append(anyChar, wild)
		}
	}
	end()
	return list
}

func (list pieces) wild() bool {
	return len(list) > 1 || len(list) == 1 && list[0].anyChar != nil
}

// endsInBlankStar reports that the pattern ends in a literal blank and a star.
func (list pieces) endsInBlankStar() bool {
	n := len(list)
	return n > 1 && list[n-1].text == "" && strings.HasSuffix(list[n-2].text, " ")
}

func (list pieces) match(text string) bool {
	if len(list) == 0 {
		return text == ""
	}
	n, ok := list[0].prefix(text)
	if len(list) == 1 || !ok {
		return ok && n == len(text)
	}
	text = text[n:]
	for _, q := range list[1 : len(list)-1] {
		at, n := q.index(text)
		if at < 0 {
			return false
		}
		text = text[at+n:]
	}
	return list[len(list)-1].suffix(text)
}

// prefix reports whether text begins with the piece, and how many bytes of
// text it takes.
func (q piece) prefix(text string) (int, bool) {
	if q.anyChar == nil {
		return len(q.text), strings.HasPrefix(text, q.text)
	}
	at := 0
	for i := range len(q.text) {
		if at >= len(text) {
			return 0, false
		}
		if q.anyChar[i] {
			_, size := utf8.DecodeRuneInString(text[at:])
			at += size
			continue
		}
		if text[at] != q.text[i] {
			return 0, false
		}
		at++
	}
	return at, true
}

// index finds the first place of the piece in text and how many bytes it takes
// there, or -1.
func (q piece) index(text string) (at, n int) {
	if q.anyChar == nil {
		return strings.Index(text, q.text), len(q.text)
	}
	for {
		if n, ok := q.prefix(text[at:]); ok {
			return at, n
		}
		if at == len(text) {
			return -1, 0
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
}

// suffix reports whether text ends with the piece. Each `?` takes one
// character, so it walks back that many.
func (q piece) suffix(text string) bool {
	if q.anyChar == nil {
		return strings.HasSuffix(text, q.text)
	}
	at := len(text)
	for i := len(q.text) - 1; i >= 0; i-- {
		if at == 0 {
			return false
		}
		if q.anyChar[i] {
			_, size := utf8.DecodeLastRuneInString(text[:at])
			at -= size
			continue
		}
		at--
		if text[at] != q.text[i] {
			return false
		}
	}
	return true
}

// runs are the literal texts between the `?` of the piece, of which only text,
// a part from its start, counts.
func (q piece) runs(text string) []string {
	var list []string
	from := 0
	for i := range q.anyChar {
		if q.anyChar[i] {
			list, from = append(list, text[from:i]), i+1
		}
	}
	return append(list, text[from:])
}
