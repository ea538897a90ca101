package shell

import "strings"

// PowerShell reads a command line as PowerShell would: statements and pipelines
// in script blocks, subexpressions, parentheses and strings, with its own
// quotes, escapes and here-strings. Like Bash it never fails.
func PowerShell(command string) Analysis { return analyse(command, (*builder).powershell) }

func (b *builder) powershell(command string) Analysis {
	b.aliases = true
	b.root = source{b: b, text: command}
	if why := b.readPowerShell(&b.root, place{parent: -1}); why != "" {
		b.out = Analysis{Unparsed: why}
		f := splitter{source: &b.root, place: place{parent: -1}, known: map[string]bool{}}
		f.split(true)
		f.split(false)
	}
	return b.finish()
}

// readPowerShell lists what one PowerShell text would do. It says why the text
// could not be read, or "".
func (b *builder) readPowerShell(s *source, p place) string {
	if len(s.text) > MaxLength {
		return "the command is too long to be read"
	}
	if strings.IndexByte(s.text, 0) >= 0 {
		return "it holds a NUL byte"
	}
	r := psReader{source: s, text: s.text}
	r.statements(0, p)
	if r.problem == "" && r.at < len(r.text) {
		r.problem = "a bracket closes that was not opened"
	}
	return r.problem
}

// psReader reads PowerShell text from front to back.
type psReader struct {
	source  *source
	text    string
	at      int
	depth   int
	problem string
}

func (r *psReader) fail(why string) {
	if r.problem == "" {
		r.problem = why
	}
	r.at = len(r.text)
}

// nested reads statements up to a closing bracket, the opening one being read.
func (r *psReader) nested(end byte, p place) {
	if r.depth++; r.depth > MaxDepth {
		r.fail("the command is nested too deeply to be read")
		return
	}
	r.statements(end, p)
	if r.at >= len(r.text) || r.text[r.at] != end {
		r.fail("a bracket is not closed")
		return
	}
	r.at++
	r.depth--
}

// statements reads statements until the closing bracket end, or to the end of
// the text if end is 0.
func (r *psReader) statements(end byte, p place) {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == ')' || c == '}':
			return
		case c == ';' || c == ',' || c == '|' || c == '\n' || c == '\r':
			r.at++
		case c == '&' && r.peek(1) == '&':
			r.at += 2
		case r.blank():
		default:
			r.statement(p)
		}
	}
}

func (r *psReader) peek(n int) byte {
	if r.at+n < len(r.text) {
		return r.text[r.at+n]
	}
	return 0
}

// blank steps over one blank, comment or continued line, if there is one.
func (r *psReader) blank() bool {
	switch c := r.text[r.at]; {
	case c == ' ' || c == '\t' || c == '\v' || c == '\f':
		r.at++
	case strings.HasPrefix(r.text[r.at:], "\u00a0"):
		r.at += len("\u00a0")
	case c == '`' && (r.peek(1) == '\n' || r.peek(1) == '\r'):
		r.at += 2
	case c == '#':
		for r.at < len(r.text) && r.text[r.at] != '\n' {
			r.at++
		}
	case c == '<' && r.peek(1) == '#':
		end := strings.Index(r.text[r.at:], "#>")
		if end < 0 {
			r.fail("a comment is not closed")
			return true
		}
		r.at += end + 2
	default:
		return false
	}
	return true
}

// psWord is one word of a statement.
type psWord struct {
	Arg
	block    bool // it begins with a script block or parentheses
	script   bool // a script block
	variable bool // it begins with a variable, a number, a string or a type
	calls    bool // it calls a method or a static member
	assigns  bool // an assignment operator
}

// statement reads one element of a pipeline and adds its unit.
func (r *psReader) statement(p place) {
	s := r.source
	first := len(s.b.out.Redirections)
	i := s.b.add(Unit{Via: p.via, Parent: p.parent})
	list, called := r.elements(i, p) // called is where the call operator stands, or -1
	if r.problem != "" {
		return
	}
	written := s.b.out.Redirections[first:]
	var own []*Redirection
	for k := range written {
		if written[k].Unit == i {
			own = append(own, &written[k])
		}
	}
	if !r.complete(i, list, called, own, p) {
		s.b.drop(i)
	}
}

// keywordsThen are the keywords after which a command may stand.
var keywordsThen = map[string]bool{"return": true, "throw": true, "exit": true}

// keywords begin a statement that is not a command. What stands in their
// parentheses and blocks is read like everything else.
var keywords = map[string]bool{
	"if": true, "elseif": true, "else": true, "foreach": true, "for": true, "while": true, "do": true, "until": true,
	"switch": true, "try": true, "catch": true, "finally": true, "function": true, "filter": true, "param": true,
	"begin": true, "process": true, "end": true, "class": true, "enum": true, "using": true, "data": true,
	"break": true, "continue": true, "trap": true, "dynamicparam": true,
}

// elements reads the words of a statement. called is the place of the call
// operator or dot with which it begins, or -1.
func (r *psReader) elements(i int, p place) (list []psWord, called int) {
	called = -1
	fresh := true // nothing was read
	for r.at < len(r.text) && r.problem == "" {
		c := r.text[r.at]
		switch {
		case r.blank():
			continue
		case fresh && (c == '&' && r.peek(1) != '&' || c == '.' && strings.IndexByte(" \t{$'\"", r.peek(1)) >= 0):
			called, fresh = r.at, false
			r.at++
			continue
		case c == '&' || c == '|' || c == ';' || c == '\n' || c == '\r' || c == ')' || c == '}':
			for r.at < len(r.text) && r.text[r.at] == '&' {
				r.at++
			}
			return list, called
		}
		fresh = false
		if r.redirection(i, p) {
			continue
		}
		w := r.word(i, p, len(list) == 0 || len(list) == 2 && list[1].assigns)
		if len(list) == 0 && called < 0 && !w.Quoted && w.Literal {
			switch name := strings.ToLower(w.Text); {
			case keywordsThen[name]:
				continue
			case keywords[name]:
				r.keyword(name, p)
				return nil, -1
			}
		}
		if w.assigns && len(list) == 1 {
			w.Text = "="
		}
		list = append(list, w)
	}
	return list, called
}

// keyword reads what follows a keyword up to its block: `if (…)`, `function f`.
func (r *psReader) keyword(name string, p place) {
	for r.at < len(r.text) && r.problem == "" {
		c := r.text[r.at]
		switch {
		case r.blank():
		case c == '(':
			r.at++
			if name == "foreach" {
				r.iteration()
			}
			r.nested(')', p)
		case c == '{':
			r.at++
			r.nested('}', p)
			return
		case c == ';' || c == '\n' || c == '\r' || c == '|' || c == '&' || c == ')' || c == '}':
			return
		case r.redirection(-1, p):
		default:
			r.word(-1, p, true)
		}
	}
}

// iteration steps over `$x in` of a foreach.
func (r *psReader) iteration() {
	rest := strings.TrimLeft(r.text[r.at:], " \t")
	if !strings.HasPrefix(rest, "$") {
		return
	}
	k := 1
	for k < len(rest) && (isNameByte(rest[k]) || rest[k] == ':') {
		k++
	}
	after := strings.TrimLeft(rest[k:], " \t")
	if len(after) > 2 && strings.EqualFold(after[:2], "in") && (after[2] == ' ' || after[2] == '\t' || after[2] == '(' || after[2] == '$') {
		r.at = len(r.text) - len(after) + 2
	}
}

// complete fills in the unit of a statement. It returns false when the
// statement is no unit: an expression that calls nothing, a lone block whose
// statements are units of their own.
func (r *psReader) complete(i int, list []psWord, called int, own []*Redirection, p place) bool {
	s := r.source
	if len(list) == 0 && len(own) == 0 {
		return false
	}
	start, end := len(r.text), 0
	for _, w := range list {
		start, end = min(start, w.Start), max(end, w.End)
	}
	for _, o := range own {
		start, end = min(start, o.Start), max(end, o.End)
	}
	if called >= 0 {
		start = called
	}
	u := &s.b.out.Units[i]
	u.Text = collapse(r.text[start:end])
	u.Bare, u.body = u.Text, len(u.Text)
	if len(own) > 0 && len(list) > 0 {
		u.Bare = collapse(without(r.text, start, end, own))
	}
	u.Start, u.End = s.span(start, end)
	for _, o := range own {
		o.Start, o.End = s.span(o.Start, o.End)
	}
	if len(list) == 0 {
		return true
	}
	assigned := len(list) > 2 && list[1].assigns
	if assigned {
		list = list[2:]
	}
	if list[0].variable && called < 0 {
		return assigned || len(own) > 0 || psCallsAny(list)
	}
	if list[0].block && (called < 0 || list[0].script) {
		return assigned || len(own) > 0 || len(list) > 1
	}
	r.command(i, list, p)
	return true
}

// command sets the program of unit i and reads what it runs.
func (r *psReader) command(i int, list []psWord, p place) {
	s := r.source
	first := len(s.b.args)
	for _, w := range list {
		s.b.args = append(s.b.args, w.Arg)
	}
	args := s.b.args[first:len(s.b.args):len(s.b.args)]
	s.name(i, args)
	u := &s.b.out.Units[i]
	if u.Program == "" {
		return
	}
	u.Program, u.power = psProgram(u.Program), true
	s.command(i, args, feed{}, p)
}

func psCallsAny(list []psWord) bool {
	for _, w := range list {
		if w.calls || w.assigns {
			return true
		}
	}
	return false
}

// without returns the text from start to end without the redirections.
func without(text string, start, end int, own []*Redirection) string {
	var b strings.Builder
	for _, o := range own {
		if o.Start > start {
			b.WriteString(text[start:o.Start])
		}
		start = max(start, o.End)
	}
	if start < end {
		b.WriteString(text[start:end])
	}
	return strings.TrimSpace(b.String())
}

// collapse replaces blanks outside of quotes by one space.
func collapse(text string) string {
	if !strings.ContainsAny(text, "\t\n\r") && !strings.Contains(text, "  ") {
		return text
	}
	var b strings.Builder
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			for i+1 < len(text) && strings.IndexByte(" \t\r\n", text[i+1]) >= 0 {
				i++
			}
			c = ' '
		}
		b.WriteByte(c)
	}
	return b.String()
}
