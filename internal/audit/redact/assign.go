package redact

import (
	"context"
	"strings"
)

// assignments finds the values of telling names, in shells, configuration
// files, headers, JSON and programs: name=value, name: value, "name": "value",
// name => value, <name>value</name>.
func assignments(ctx context.Context, s string) []span {
	var found []span
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
		if a.name.strength == mute {
			continue
		}
		spans := a.secrets(s)
		found = append(found, spans...)
		if len(spans) > 0 {
			i = max(i, spans[len(spans)-1].end-1)
		}
	}
	return found
}

// assignment is a name, an operator and a value.
type assignment struct {
	name  name
	value value
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
	a := assignment{name: readName(s[start:end]), option: s[start] == '-'}
	if a.name.strength == mute || op == ':' && isUser(s, start) {
		return assignment{}
	}
	blankBefore := from > 0 && isBlank(s[from-1])
	at := skipBlanks(s, to)
	if op == '=' && at > to && !blankBefore && at < len(s) && !isQuote(s[at]) {
		return assignment{} // NAME= followed by a command
	}
	a.loose = op == ':' || blankBefore || at > to
	switch a.name.kind {
	case "authorization":
		a.value = readHeader(s, at)
		return a
	case "cookie":
		if op == ':' {
			return assignment{} // a header of several
		}
	}
	a.value = readValue(s, at)
	a.line = startsLine(s, start) && endsLine(s, a.value.end)
	a.call = a.value.end < len(s) && s[a.value.end] == ')'
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
	next := byteAt(s, to)
	if s[i] == ':' {
		// ${NAME:-default} has a value, ${NAME:?text} has none.
		if next == '=' || next == '-' && insideBraces(s, i) {
			return from, to + 1, true
		}
		return from, to, next != ':' && next != '/' && byteAt(s, i-1) != ':'
	}
	switch next {
	case '>':
		to++
	case '=':
		if to++; byteAt(s, to) == '=' {
			to++
		}
		if !isQuote(byteAt(s, skipBlanks(s, to))) {
			return 0, 0, false
		}
	case '~':
		return 0, 0, false
	}
	switch byteAt(s, i-1) {
	case '=', '<', '>', ':':
		return 0, 0, false
	case '!', '+', '?', '|':
		from--
	}
	return from, to, true
}

func insideBraces(s string, i int) bool {
	for j := i - 1; j >= 0 && j > i-maxName; j-- {
		if s[j] == '{' {
			return true
		}
		if !isAlnum(s[j]) && s[j] != '_' {
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
	for n := 0; n < 8 && end > 0 && isBlank(s[end-1]); n++ {
		end--
	}
	for n := 0; n < 8 && end > 0 && strings.IndexByte("\"'`\\])}*", s[end-1]) >= 0; n++ {
		end--
	}
	start = end
	for start > 0 && end-start < maxName && isNameByte(s[start-1]) {
		start--
	}
	if word := s[start:end]; start > 1 && isBlank(s[start-1]) && isAlnum(s[start-2]) &&
		(strings.EqualFold(word, "key") || strings.EqualFold(word, "token") || strings.EqualFold(word, "phrase")) {
		start--
		for start > 0 && end-start < maxName && isNameByte(s[start-1]) {
			start--
		}
	}
	return start, end
}

func isNameByte(c byte) bool {
	return isAlnum(c) || c == '_' || c == '-' || c == '.' || c == '$'
}

// readElement reads an XML element whose opening tag ends at s[i].
func readElement(s string, i int) assignment {
	start, end := nameBefore(s, i)
	if start == end || start == 0 || s[start-1] != '<' && s[start-1] != ':' {
		return assignment{}
	}
	n := readName(s[start:end])
	close := strings.IndexByte(s[i+1:min(len(s), i+1+maxValue)], '<')
	if n.strength == mute || close < 0 || byteAt(s, i+2+close) != '/' {
		return assignment{}
	}
	return assignment{name: n, value: value{start: i + 1, end: i + 1 + close, quote: '"'}}
}

// secrets returns what of the value is secret.
func (a assignment) secrets(s string) []span {
	if a.name.kind == "authorization" {
		return credentials(s, a.value)
	}
	v := s[a.value.start:a.value.end]
	if !a.secret(v) {
		return nil
	}
	end := a.value.end
	for a.value.cut && end < len(s) && !isSpace(s[end]) {
		end++
	}
	return []span{{a.value.start, end, a.name.kind, byPlace}}
}

func (a assignment) secret(v string) bool {
	switch {
	case v == "" || plain(v):
		return false
	case a.value.quote == '`' && strings.Contains(v, " "):
		return false // a command
	case a.name.strength == weak:
		if a.name.kind == "password" && !a.loose && looksDrawn(v) {
			return true
		}
		return random(v, 16) || isHex(v) && len(v) >= 24
	case isNumber(v):
		return len(v) >= 4 && (a.name.kind == "password" || len(v) >= 6) && !a.loose || a.name.kind == "password" && a.line && len(v) >= 4
	case a.option && a.name.bare && a.name.kind == "secret":
		return looksDrawn(v) // often the name of one
	case a.value.quote != 0:
		return !a.loose && !isSentence(v) || isSecretText(v, a.name)
	case !a.loose:
		return !a.call || looksDrawn(v)
	case a.line && a.name.kind == "password":
		return !isIdentifier(v) || len(v) >= 6
	}
	return looksDrawn(v)
}

// isSecretText judges a quoted value after a colon or in a program.
func isSecretText(v string, n name) bool {
	if strings.ContainsAny(v, " \t") {
		return (n.kind == "password" || n.kind == "passphrase") && !isSentence(v)
	}
	return len(v) >= 4 || looksDrawn(v)
}

// sentenceWords are words of sentences about secrets.
var sentenceWords = wordSet("a an the is are was be to of in on for your you my our please enter must should can cannot " +
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

func isNumber(v string) bool {
	for i := range len(v) {
		if !isDigit(v[i]) {
			return false
		}
	}
	return v != ""
}

func isHex(v string) bool {
	for i := range len(v) {
		if c := v[i] | 0x20; !isDigit(v[i]) && (c < 'a' || c > 'f') {
			return false
		}
	}
	return v != ""
}

func isIdentifier(v string) bool {
	for i := range len(v) {
		if !isAlpha(v[i]) && v[i] != '_' {
			return false
		}
	}
	return v != ""
}

func byteAt(s string, i int) byte {
	if i < 0 || i >= len(s) {
		return 0
	}
	return s[i]
}

func skipBlanks(s string, i int) int {
	for n := 0; n < 32 && i < len(s) && isBlank(s[i]); n++ {
		i++
	}
	return i
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
		if !isSpace(s[i]) && s[i] != ',' && !isQuote(s[i]) {
			return s[i] == '#'
		}
	}
	return true
}
