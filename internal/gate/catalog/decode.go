package catalog

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// File is one family of programs, as text.
type File struct {
	Name string // for messages, and to say where a fact comes from
	Text string
}

// Place is where a fact stands: the name of a file and the line, from 1.
type Place struct {
	File string
	Line int
}

// String returns "file:line".
func (p Place) String() string { return p.File + ":" + strconv.Itoa(p.Line) }

// Error is what is wrong with a file.
type Error struct {
	Place
	// Command are the words of the heading, "" when it is none's.
	Command string
	// Text says what is wrong. It may hold text of the file.
	Text string
}

func (e *Error) Error() string {
	where := e.File
	if e.Line > 0 {
		where += ":" + strconv.Itoa(e.Line)
	}
	if e.Command != "" {
		where += ": " + e.Command
	}
	return where + ": " + e.Text
}

// wrong is an error about what stands at an offset of the file.
func (f *File) wrong(at int, format string, args ...any) *Error {
	return &Error{Place: f.place(at), Text: fmt.Sprintf(format, args...)}
}

// place is the line that holds the offset.
func (f *File) place(at int) Place {
	return Place{f.Name, 1 + strings.Count(f.Text[:min(at, len(f.Text))], "\n")}
}

// section is what stands below one heading of a file.
type section struct {
	file    *File
	at      int      // offset of the heading in the file
	words   []string // of the heading, "|" and "," in them as written
	table   string   // "guard", "with", "classes", "runs", "variables", or "" for the command's own fields
	entries []entry
}

// entry is one key with its value, in the order of the file.
type entry struct {
	at    int
	key   string
	value value
}

// value is a value of TOML, of the kinds that this syntax has.
type value struct {
	kind  unstable.Kind // String, Bool, Integer, Array or InlineTable
	text  string
	list  []value
	table []entry
}

// decode reads the sections that stand from one offset of a file to another. It
// knows nothing of their meaning but that no heading and no key stands twice.
func decode(f *File, from, to int) (list []*section, err error) {
	d := decoder{file: f, from: from}
	p := &d.parser
	p.Reset([]byte(f.Text[from:to]))
	seen := map[string]bool{}
	var now *section
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table:
			now, err = d.heading(e)
			if err != nil {
				return nil, err
			}
			id := strings.Join(now.words, " ") + "\n" + now.table
			if seen[id] {
				return nil, now.wrong("this heading stands twice")
			}
			seen[id] = true
			list = append(list, now)
		case unstable.KeyValue:
			if now == nil {
				it := e.Key()
				it.Next()
				return nil, f.wrong(d.offset(it.Node()), "a key stands before the first heading")
			}
			next, err := d.keyValue(e)
			if err != nil {
				return nil, err
			}
			for i := range now.entries {
				if now.entries[i].key == next.key {
					return nil, now.wrongAt(next.at, "%q stands twice", next.key)
				}
			}
			now.entries = append(now.entries, next)
		default:
			return nil, f.wrong(from, "%s has no meaning here", e.Kind)
		}
	}
	if err := p.Error(); err != nil {
		at := to
		var parse *unstable.ParserError
		if errors.As(err, &parse) && len(parse.Highlight) > 0 {
			at = from + int(p.Range(parse.Highlight).Offset)
		}
		return nil, f.wrong(at, "%s", err)
	}
	return list, nil
}

// decoder is the reader of a piece of a file.
type decoder struct {
	parser unstable.Parser
	file   *File
	from   int
}

// offset is where a key stands in the file.
func (d *decoder) offset(n *unstable.Node) int { return d.from + int(n.Raw.Offset) }

func (d *decoder) heading(e *unstable.Node) (*section, error) {
	s := &section{file: d.file}
	var keys []string
	for it := e.Key(); it.Next(); {
		if keys == nil {
			s.at = d.offset(it.Node())
		}
		keys = append(keys, string(it.Node().Data))
	}
	s.words = strings.Fields(keys[0])
	if len(keys) > 1 {
		s.table = keys[1]
	}
	if len(keys) > 2 || len(s.words) == 0 || s.table != "" && s.table != "guard" && s.table != "classes" && s.table != "runs" && s.table != "variables" && s.table != "with" {
		return nil, s.wrong("a heading is the words of a command in quotes, or these with .guard, .with, .classes, .runs or .variables")
	}
	return s, nil
}

func (d *decoder) keyValue(e *unstable.Node) (entry, error) {
	var x entry
	it := e.Key()
	it.Next()
	x.at, x.key = d.offset(it.Node()), string(it.Node().Data)
	if it.Next() {
		return x, d.file.wrong(x.at, "a key with a dot in it must stand in quotes")
	}
	var err error
	x.value, err = d.value(x.at, e.Value())
	return x, err
}

func (d *decoder) value(at int, n *unstable.Node) (v value, err error) {
	v.kind = n.Kind
	switch n.Kind {
	case unstable.String, unstable.Bool, unstable.Integer:
		v.text = string(n.Data)
	case unstable.Array:
		for it := n.Children(); it.Next(); {
			item, err := d.value(at, it.Node())
			if err != nil {
				return v, err
			}
			v.list = append(v.list, item)
		}
	case unstable.InlineTable:
		for it := n.Children(); it.Next(); {
			item, err := d.keyValue(it.Node())
			if err != nil {
				return v, err
			}
			for i := range v.table {
				if v.table[i].key == item.key {
					return v, d.file.wrong(item.at, "%q stands twice", item.key)
				}
			}
			v.table = append(v.table, item)
		}
	default:
		return v, d.file.wrong(at, "%s has no meaning here", n.Kind)
	}
	return v, nil
}

// words returns the words of a string, or of the strings of a list.
func (v value) words() ([]string, bool) {
	if v.kind == unstable.String {
		return strings.Fields(v.text), true
	}
	if v.kind != unstable.Array {
		return nil, false
	}
	var all []string
	for _, item := range v.list {
		if item.kind != unstable.String {
			return nil, false
		}
		all = append(all, strings.Fields(item.text)...)
	}
	return all, true
}

// texts returns the words of a string, or the strings of a list as they are.
func (v value) texts() ([]string, bool) {
	if v.kind != unstable.Array {
		return v.words()
	}
	all := make([]string, 0, len(v.list))
	for _, item := range v.list {
		if item.kind != unstable.String {
			return nil, false
		}
		all = append(all, item.text)
	}
	return all, true
}

func (v value) number() (int, bool) {
	n, err := strconv.Atoi(v.text)
	return n, err == nil && v.kind == unstable.Integer
}

// some reads true, words, or words with "!" in front, of which it does not hold.
func (v value) some() (s Some, ok bool) {
	if yes, ok := v.yes(); ok {
		return Some{All: yes}, true
	}
	words, ok := v.words()
	for _, word := range words {
		if not, is := strings.CutPrefix(word, "!"); is {
			s.All, s.Not = true, append(s.Not, not)
		} else {
			s.Words = append(s.Words, word)
		}
	}
	return s, ok && (s.Words == nil || s.Not == nil)
}

func (v value) yes() (bool, bool) { return v.text == "true", v.kind == unstable.Bool }

// wrong is an error about the section.
func (s *section) wrong(format string, args ...any) *Error { return s.wrongAt(s.at, format, args...) }

// wrongAt is an error about what stands at an offset of the section's file.
func (s *section) wrongAt(at int, format string, args ...any) *Error {
	err := s.file.wrong(at, format, args...)
	err.Command = strings.Join(s.words, " ")
	return err
}
