package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// maxDepth bounds the nesting of text that is handed to the syntax tree's
// parser, which is recursive. It is the bound that encoding/json has.
const maxDepth = 10000

var byteOrderMark = []byte("\xef\xbb\xbf")

// document is the text of a file with its syntax tree.
type document struct {
	// body is the text without the byte order mark; bom says that there was one.
	body []byte
	bom  bool
	// root is the outermost object, nil when there is none to be had. It is there
	// for text with comments or trailing commas too, which err refuses, so that
	// deny rules can be read from such a file.
	root *hujson.Object
	// err says why the text is no strict JSON object, at offset at of body.
	err string
	at  int

	newlines []int // offsets of the line ends in body
}

// readDocument takes the text of a file apart. It accepts any bytes.
func readDocument(raw []byte) *document {
	d := &document{}
	d.body, d.bom = bytes.CutPrefix(raw, byteOrderMark)
	for i, c := range d.body {
		if c == '\n' {
			d.newlines = append(d.newlines, i)
		}
	}
	if at := invalidUTF8(d.body); at >= 0 {
		d.err, d.at = "the text is not UTF-8", at
		return d
	}
	if len(bytes.TrimSpace(d.body)) == 0 {
		d.err = "it is empty"
		return d
	}
	strict := d.checkJSON()
	if !strict && bytes.Count(d.body, []byte("["))+bytes.Count(d.body, []byte("{")) > maxDepth {
		return d
	}
	tree, err := hujson.Parse(d.body)
	switch {
	case err != nil && strict:
		d.err = "not valid JSON: " + err.Error()
		return d
	case err != nil:
		return d
	case !strict:
		d.err += " (comments and trailing commas are not allowed)"
	}
	root, isObject := tree.Value.(*hujson.Object)
	if !isObject && d.err == "" {
		d.err, d.at = "it must be a JSON object, not "+kindName(tree), tree.StartOffset
	}
	d.root = root
	return d
}

// checkJSON lets encoding/json decide whether the text is JSON, and notes where
// it is not.
func (d *document) checkJSON() bool {
	var whole json.RawMessage
	err := json.Unmarshal(d.body, &whole)
	if err == nil {
		return true
	}
	d.err = "not valid JSON: " + err.Error()
	// The offset counts the offending byte; for text that ends too early that is
	// the last one.
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		d.at = min(max(int(syntax.Offset)-1, 0), len(d.body)-1)
		// The package quotes one byte of a character.
		if c := d.body[d.at]; c >= utf8.RuneSelf {
			r, _ := utf8.DecodeRune(d.body[d.at:])
			d.err = strings.Replace(d.err, string(rune(c)), string(r), 1)
		}
	}
	return false
}

func invalidUTF8(b []byte) int {
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// line returns the line, from 1, of an offset in body.
func (d *document) line(offset int) int {
	return sort.SearchInts(d.newlines, offset) + 1
}

// column returns the column, from 1 and in characters, of an offset in body.
func (d *document) column(offset int) int {
	start := 0
	if n := d.line(offset); n > 1 {
		start = d.newlines[n-2] + 1
	}
	return utf8.RuneCount(d.body[start:min(offset, len(d.body))]) + 1
}

// kindName names the type of a JSON value in the words of its users.
func kindName(v hujson.Value) string {
	switch v.Value.Kind() {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case '0':
		return "a number"
	case 't', 'f':
		return "true or false"
	}
	return "null"
}
