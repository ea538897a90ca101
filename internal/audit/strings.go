package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// mapStrings replaces strings of a valid JSON text, names of fields included,
// and leaves every other byte as it is. change gets each string as it stands
// between the quotes, escapes and all; when it reports true its text takes the
// place. Reading tokens by encoding/json would cost as much as committing.
func mapStrings(text []byte, change func(at *position, s []byte) (string, bool, error)) ([]byte, error) {
	m := mapper{text: text, change: change}
	if err := m.value(); err != nil {
		return nil, err
	}
	if m.out == nil {
		return text, nil
	}
	return append(m.out, text[m.done:]...), nil
}

var errNoJSON = errors.New("the text is not JSON")

// position is where a string stands.
type position struct {
	path []step
	name bool // it is the name of the field at path, not its value
}

type step struct {
	name  []byte // as it stands between the quotes; nil in an array
	index int
}

// ours reports a name that this program gave: all but those inside the input of
// a call and the paths of links.
func (p *position) ours() bool {
	if !p.name {
		return false
	}
	if len(p.path) < 2 {
		return true
	}
	top := string(p.path[0].name)
	return top != "input" && top != "links" && top != "policy"
}

// pointer is the JSON pointer (RFC 6901) of the field.
func (p *position) pointer() string {
	var b strings.Builder
	for _, s := range p.path {
		b.WriteByte('/')
		if s.name == nil {
			b.WriteString(strconv.Itoa(s.index))
			continue
		}
		b.WriteString(pointerEscapes.Replace(unquoted(s.name)))
	}
	return b.String()
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// unquoted is the text that stands between the quotes of a JSON string.
func unquoted(s []byte) string {
	if bytes.IndexByte(s, '\\') < 0 {
		return string(s)
	}
	quoted := make([]byte, 0, len(s)+2)
	quoted = append(append(append(quoted, '"'), s...), '"')
	var text string
	if json.Unmarshal(quoted, &text) != nil {
		return string(s)
	}
	return text
}

// mapper goes through a JSON text once.
type mapper struct {
	text   []byte
	at     int
	change func(at *position, s []byte) (string, bool, error)
	where  position
	out    []byte // what has been written, up to done; nil while nothing changed
	done   int
}

// value passes one value. It relies on the text to be valid and only makes sure
// that it ends.
func (m *mapper) value() error {
	m.blanks()
	switch m.peek() {
	case '"':
		_, err := m.string(false)
		return err
	case '{':
		return m.members('}', true)
	case '[':
		return m.members(']', false)
	case 0:
		return errNoJSON
	}
	for m.at < len(m.text) && !strings.ContainsRune(",]} \t\r\n", rune(m.text[m.at])) {
		m.at++
	}
	return nil
}

// members passes the members of an object or an array.
func (m *mapper) members(closing byte, named bool) error {
	m.at++
	depth := len(m.where.path)
	m.where.path = append(m.where.path, step{})
	defer func() { m.where.path = m.where.path[:depth] }()
	for i := 0; ; i++ {
		m.blanks()
		switch m.peek() {
		case closing:
			m.at++
			return nil
		case ',':
			m.at++
			m.blanks()
		case 0:
			return errNoJSON
		}
		m.where.path[depth] = step{index: i}
		if named {
			if err := m.named(depth); err != nil {
				return err
			}
		}
		if err := m.value(); err != nil {
			return err
		}
	}
}

// named passes the name of a member.
func (m *mapper) named(depth int) error {
	if m.peek() != '"' {
		return errNoJSON
	}
	end := m.closing(m.at + 1)
	if end < 0 {
		return errNoJSON
	}
	m.where.path[depth].name = m.text[m.at+1 : end : end]
	if _, err := m.string(true); err != nil {
		return err
	}
	m.blanks()
	if m.peek() != ':' {
		return errNoJSON
	}
	m.at++
	return nil
}

func (m *mapper) string(name bool) (s []byte, err error) {
	start := m.at
	end := m.closing(start + 1)
	if end < 0 {
		return nil, errNoJSON
	}
	s = m.text[start+1 : end]
	m.at = end + 1
	m.where.name = name
	text, changed, err := m.change(&m.where, s)
	if err != nil || !changed {
		return s, err
	}
	m.out = append(append(m.out, m.text[m.done:start]...), object(text)...)
	m.done = m.at
	return s, nil
}

// closing is where the string that begins at from ends, -1 when it does not.
func (m *mapper) closing(from int) int {
	for i := from; i < len(m.text); i++ {
		switch m.text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

func (m *mapper) peek() byte {
	if m.at < len(m.text) {
		return m.text[m.at]
	}
	return 0
}

func (m *mapper) blanks() {
	for m.at < len(m.text) && (m.text[m.at] == ' ' || m.text[m.at] == '\n' || m.text[m.at] == '\t' || m.text[m.at] == '\r') {
		m.at++
	}
}
