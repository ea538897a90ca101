package redact

import (
	"context"
	"github.com/pigate/pigate/internal/audit/redact/clue"
	"strings"
)

// assignments finds the values of telling names, in shells, configuration
// files, headers, JSON and programs: name=value, name: value, "name": "value",
// name => value, <name>value</name>.
func assignments(ctx context.Context, s string) []clue.Span {
	var found []clue.Span
	for i := 0; i < len(s) && ctx.Err() == nil; i++ {
		var a assignment
		switch s[i] {
		case '=', ':':
			a = readAssignment(s, i)
		case '>':
			a = readElement(s, i)
		default:
			continue
		}
		if a.name.Strength == clue.Mute {
			continue
		}
		spans := a.secrets(s)
		found = append(found, spans...)
		if len(spans) > 0 {
			i = max(i, spans[len(spans)-1].End-1)
		}
	}
	return found
}

// assignment is a name, an operator and a value.
type assignment struct {
	name  clue.Name
	value clue.Value
	// loose: blanks or a colon stand between name and value, as they do in
	// programs and in sentences too.
	loose bool
	// line: name and value have a line for themselves, as in YAML.
	line bool
	// option: the name is one.
	option bool
	// call: the value is an argument in brackets.
	call bool
}

// readAssignment reads the assignment whose operator stands at s[i].
func readAssignment(s string, i int) assignment {
	op := s[i]
	from, to, ok := operator(s, i)
	if !ok {
		return assignment{}
	}
	start, end := nameBefore(s, from)
	if start == end {
		return assignment{}
	}
	a := assignment{name: clue.ReadName(s[start:end]), option: s[start] == '-'}
	if a.name.Strength == clue.Mute || op == ':' && isUser(s, start) {
		return assignment{}
	}
	blankBefore := from > 0 && clue.IsBlank(s[from-1])
	at := clue.SkipBlanks(s, to)
	if op == '=' && at > to && !blankBefore && at < len(s) && !clue.IsQuote(s[at]) {
		return assignment{} // NAME= followed by a command
	}
	a.loose = op == ':' || blankBefore || at > to
	switch a.name.Kind {
	case "authorization":
		a.value = readHeader(s, at)
		return a
	case "cookie":
		if op == ':' {
			return assignment{} // a header of several
		}
	}
	a.value = clue.ReadValue(s, at)
	a.line = startsLine(s, start) && endsLine(s, a.value.End)
	a.call = a.value.End < len(s) && s[a.value.End] == ')'
	return a
}

// isUser tells whether the name that begins at s[start] is the user in an
// address.
func isUser(s string, start int) bool {
	return start >= 2 && s[start-2:start] == "//"
}

// operator returns the bounds of the operator around s[i], which is = or :.
// It says no to comparisons, addresses and the like.
func operator(s string, i int) (from, to int, ok bool) {
	from, to = i, i+1
	next := clue.ByteAt(s, to)
	if s[i] == ':' {
		// ${NAME:-default} has a value, ${NAME:?text} has none.
		if next == '=' || next == '-' && insideBraces(s, i) {
			return from, to + 1, true
		}
		return from, to, next != ':' && next != '/' && clue.ByteAt(s, i-1) != ':'
	}
	switch next {
	case '>':
		to++
	case '=':
		if to++; clue.ByteAt(s, to) == '=' {
			to++
		}
		if !clue.IsQuote(clue.ByteAt(s, clue.SkipBlanks(s, to))) {
			return 0, 0, false
		}
	case '~':
		return 0, 0, false
	}
	switch clue.ByteAt(s, i-1) {
	case '=', '<', '>', ':':
		return 0, 0, false
	case '!', '+', '?', '|':
		from--
	}
	return from, to, true
}

func insideBraces(s string, i int) bool {
	for j := i - 1; j >= 0 && j > i-clue.MaxName; j-- {
		if s[j] == '{' {
			return true
		}
		if !clue.IsAlnum(s[j]) && s[j] != '_' {
			return false
		}
	}
	return false
}

// nameBefore returns the bounds of the name that ends before s[i], past blanks,
// quotes and closing brackets. It joins a last word "key" or "token" to the
// word before it: "Secret access key: …".
func nameBefore(s string, i int) (start, end int) {
	end = i
	for n := 0; n < 8 && end > 0 && clue.IsBlank(s[end-1]); n++ {
		end--
	}
	for n := 0; n < 8 && end > 0 && strings.IndexByte("\"'`\\])}*", s[end-1]) >= 0; n++ {
		end--
	}
	start = end
	for start > 0 && end-start < clue.MaxName && isNameByte(s[start-1]) {
		start--
	}
	if word := s[start:end]; start > 1 && clue.IsBlank(s[start-1]) && clue.IsAlnum(s[start-2]) &&
		(strings.EqualFold(word, "key") || strings.EqualFold(word, "token") || strings.EqualFold(word, "phrase")) {
		start--
		for start > 0 && end-start < clue.MaxName && isNameByte(s[start-1]) {
			start--
		}
	}
	return start, end
}

func isNameByte(c byte) bool {
	return clue.IsAlnum(c) || c == '_' || c == '-' || c == '.' || c == '$'
}

// readElement reads an XML element whose opening tag ends at s[i].
func readElement(s string, i int) assignment {
	start, end := nameBefore(s, i)
	if start == end || start == 0 || s[start-1] != '<' && s[start-1] != ':' {
		return assignment{}
	}
	n := clue.ReadName(s[start:end])
	close := strings.IndexByte(s[i+1:min(len(s), i+1+clue.MaxValue)], '<')
	if n.Strength == clue.Mute || close < 0 || clue.ByteAt(s, i+2+close) != '/' {
		return assignment{}
	}
	return assignment{name: n, value: clue.Value{Start: i + 1, End: i + 1 + close, Quote: '"'}}
}

// secrets returns what of the value is secret.
func (a assignment) secrets(s string) []clue.Span {
	if a.name.Kind == "authorization" {
		return credentials(s, a.value)
	}
	v := s[a.value.Start:a.value.End]
	if !a.secret(v) {
		return nil
	}
	end := a.value.End
	for a.value.Cut && end < len(s) && !clue.IsSpace(s[end]) {
		end++
	}
	return []clue.Span{{Start: a.value.Start, End: end, Kind: a.name.Kind, Rank: clue.ByPlace}}
}

func (a assignment) secret(v string) bool {
	switch {
	case v == "" || clue.Plain(v):
		return false
	case a.value.Quote == '`' && strings.Contains(v, " "):
		return false // a command
	case a.name.Kind == clue.PIN:
		return clue.IsPIN(v) && (!a.loose || a.line)
	case a.name.Strength == clue.Weak:
		if a.name.Kind == "password" && !a.loose && clue.LooksDrawn(v) {
			return true
		}
		return clue.Random(v, 16) || clue.IsHex(v) && len(v) >= 24
	case clue.IsNumber(v):
		return len(v) >= 4 && (a.name.Kind == "password" || len(v) >= 6) && !a.loose || a.name.Kind == "password" && a.line && len(v) >= 4
	case a.option && a.name.Bare && a.name.Kind == "secret":
		return clue.LooksDrawn(v) // often the name of one
	case a.value.Quote != 0:
		return !a.loose && !isSentence(v) || isSecretText(v, a.name)
	case !a.loose:
		return !a.call || clue.LooksDrawn(v)
	case a.line && a.name.Kind == "password":
		return !clue.IsIdentifier(v) || len(v) >= 6
	}
	return clue.LooksDrawn(v)
}

// isSecretText judges a quoted value after a colon or in a program.
func isSecretText(v string, n clue.Name) bool {
	if strings.ContainsAny(v, " \t") {
		return (n.Kind == "password" || n.Kind == "passphrase") && !isSentence(v)
	}
	return len(v) >= 4 || clue.LooksDrawn(v)
}

// sentenceWords are words of sentences about secrets.
var sentenceWords = clue.WordSet("a an the is are was be to of in on for your you my our please enter must should can cannot " +
	"could not no invalid wrong missing required incorrect and or with without from has have this that it if when at " +
	"least characters new old current forgot confirm does do match too short long expired valid failed error")

// isSentence tells prose from a passphrase.
func isSentence(v string) bool {
	fields := strings.Fields(v)
	if len(fields) < 2 {
		return false
	}
	if len(fields) > 24 {
		return true
	}
	for _, f := range fields {
		if sentenceWords[strings.ToLower(strings.Trim(f, ".,:;!?'\""))] {
			return true
		}
	}
	return false
}

// startsLine tells whether only indentation and list marks stand before s[i].
func startsLine(s string, i int) bool {
	for n := 0; n < 32 && i > 0; n++ {
		switch s[i-1] {
		case '\n':
			return true
		case ' ', '\t', '-', '"', '\'', '+':
			i--
		default:
			return false
		}
	}
	return i == 0
}

func endsLine(s string, i int) bool {
	for ; i < len(s); i++ {
		if s[i] == '\n' {
			return true
		}
		if !clue.IsSpace(s[i]) && s[i] != ',' && !clue.IsQuote(s[i]) {
			return s[i] == '#'
		}
	}
	return true
}
