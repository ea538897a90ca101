package shell

import "strings"

// word reads one word and the statements that stand in it. i is the unit it
// belongs to.
func (r *psReader) word(i int, p place, first bool) psWord {
	w := psWord{Arg: Arg{Literal: true, Start: r.at}}
	var text strings.Builder
	if c := r.text[r.at]; first && (c == '$' || c == '"' || c == '\'' || c == '[' || c == '@' || c == '!' || c == '-' || c == '+' || '0' <= c && c <= '9') {
		w.variable = c != '-' || r.peek(1) == ' ' || r.peek(1) == '-' || '0' <= r.peek(1) && r.peek(1) <= '9'
	}
	for r.at < len(r.text) && r.problem == "" {
		c := r.text[r.at]
		switch {
		case c == '\'' || strings.HasPrefix(r.text[r.at:], "\u2018") || strings.HasPrefix(r.text[r.at:], "\u2019"):
			w.Quoted = true
			text.WriteString(r.single())
		case c == '"' || strings.HasPrefix(r.text[r.at:], "\u201c") || strings.HasPrefix(r.text[r.at:], "\u201d"):
			w.Quoted = true
			w.Literal = r.double(&text, p) && w.Literal
		case c == '@' && (r.peek(1) == '\'' || r.peek(1) == '"'):
			w.Quoted = true
			w.Literal = r.hereString(&text, p) && w.Literal
		case c == '@' && r.peek(1) == '{':
			r.at += 2
			r.hash(p)
			w.Literal = false
			text.WriteByte(0)
		case (c == '$' || c == '@') && r.peek(1) == '(':
			r.at += 2
			r.nested(')', p.within("$(…)"))
			w.Literal = false
			text.WriteByte(0)
		case c == '(':
			// Parentheses right after a name call a method; at the start of a word
			// they hold a statement.
			w.calls = w.calls || r.at > w.Start
			w.block = w.block || r.at == w.Start
			r.at++
			r.nested(')', p.within("(…)"))
			w.Literal = false
			text.WriteByte(0)
		case c == '{':
			w.script = w.script || r.at == w.Start
			w.block = w.block || w.script
			r.at++
			r.nested('}', p.within("{…}"))
			w.Literal = false
			text.WriteByte(0)
		case c == '$':
			r.variable()
			w.Literal = false
			text.WriteByte(0)
		case c == '`':
			r.at++
			if r.at < len(r.text) {
				w.Quoted = true
				text.WriteByte(r.text[r.at])
				r.at++
			}
		case c == ':' && r.peek(1) == ':':
			w.calls = true
			text.WriteString("::")
			r.at += 2
		case strings.IndexByte(" \t\v\f\n\r|;&)}", c) >= 0 || c == '>' || strings.HasPrefix(r.text[r.at:], "\u00a0"):
			if r.at == w.Start { // never without a step forward
				text.WriteByte(c)
				r.at++
			}
			return w.ends(r.at, text.String(), first)
		case c == '<':
			text.WriteByte(c)
			r.at++
		default:
			text.WriteByte(c)
			r.at++
		}
	}
	return w.ends(r.at, text.String(), first)
}

// ends completes a word.
func (w psWord) ends(at int, text string, first bool) psWord {
	w.End, w.Text = at, text
	w.assigns = isAssignOperator(text) && !w.Quoted
	switch strings.ToLower(text) {
	case "-not", "-bnot", "-split", "-csplit", "-isplit", "-join":
		w.variable = w.variable || first
	}
	return w
}

func isAssignOperator(text string) bool {
	switch text {
	case "=", "+=", "-=", "*=", "/=", "%=", "??=":
		return true
	}
	return strings.HasSuffix(text, "++") || strings.HasSuffix(text, "--") && len(text) > 2 && text[0] == 0
}

// single reads a string in single quotes, in which a doubled quote stands for
// one.
func (r *psReader) single() string {
	var b strings.Builder
	r.at += quoteLength(r.text[r.at:])
	for r.at < len(r.text) {
		if n := singleQuote(r.text[r.at:]); n > 0 {
			r.at += n
			if singleQuote(r.text[r.at:]) == 0 {
				return b.String()
			}
			n = singleQuote(r.text[r.at:])
			b.WriteByte('\'')
			r.at += n
			continue
		}
		b.WriteByte(r.text[r.at])
		r.at++
	}
	r.fail("a quote is not closed")
	return ""
}

// singleQuote is the length of the quote at the start of text, curly ones
// included, which PowerShell takes for the plain one; 0 if there is none.
func singleQuote(text string) int {
	for _, q := range []string{"'", "\u2018", "\u2019", "\u201a", "\u201b"} {
		if strings.HasPrefix(text, q) {
			return len(q)
		}
	}
	return 0
}

func doubleQuote(text string) int {
	for _, q := range []string{"\"", "\u201c", "\u201d", "\u201e"} {
		if strings.HasPrefix(text, q) {
			return len(q)
		}
	}
	return 0
}

func quoteLength(text string) int { return max(singleQuote(text), doubleQuote(text)) }

// double reads a string in double quotes and what stands in its $(…). It
// reports whether the string is literal.
func (r *psReader) double(text *strings.Builder, p place) bool {
	literal := true
	r.at += quoteLength(r.text[r.at:])
	for r.at < len(r.text) && r.problem == "" {
		n := doubleQuote(r.text[r.at:])
		switch c := r.text[r.at]; {
		case n > 0:
			r.at += n
			if n = doubleQuote(r.text[r.at:]); n == 0 {
				return literal
			}
			text.WriteByte('"')
			r.at += n
		case c == '`' && r.at+1 < len(r.text):
			text.WriteByte(psEscape(r.text[r.at+1]))
			r.at += 2
		case c == '$' && r.peek(1) == '(':
			literal = false
			text.WriteByte(0)
			r.at += 2
			r.nested(')', p.within("$(…)"))
		case c == '$' && (isNameByte(r.peek(1)) || r.peek(1) == '{' || r.peek(1) == ':'):
			literal = false
			text.WriteByte(0)
			r.variable()
		default:
			text.WriteByte(c)
			r.at++
		}
	}
	r.fail("a quote is not closed")
	return false
}

func psEscape(c byte) byte {
	if k := strings.IndexByte("0abefnrtv", c); k >= 0 {
		return "\x00\a\b\x1b\f\n\r\t\v"[k]
	}
	return c
}

// hereString reads @'…'@ or @"…"@, whose ends stand on lines of their own.
func (r *psReader) hereString(text *strings.Builder, p place) bool {
	quote := r.text[r.at+1]
	end := strings.Index(r.text[r.at:], "\n"+string(quote)+"@")
	if end < 0 {
		r.fail("a here-string is not closed")
		return false
	}
	end += r.at
	r.at += 2
	literal := true
	for r.at < end && r.problem == "" {
		if c := r.text[r.at]; quote == '"' && c == '$' && r.peek(1) == '(' {
			literal = false
			r.at += 2
			r.nested(')', p.within("$(…)"))
		} else {
			literal = literal && (quote != '"' || c != '$')
			text.WriteByte(c)
			r.at++
		}
	}
	r.at = max(r.at, end+3)
	return literal
}

// variable steps over $name, ${name}, $scope:name and the like.
func (r *psReader) variable() {
	r.at++
	if r.at < len(r.text) && r.text[r.at] == '{' {
		end := strings.IndexByte(r.text[r.at:], '}')
		if end < 0 {
			r.fail("a bracket is not closed")
			return
		}
		r.at += end + 1
		return
	}
	start := r.at
	for r.at < len(r.text) && (isNameByte(r.text[r.at]) || r.text[r.at] >= 0x80 || r.text[r.at] == ':' && isNameByte(r.peek(1))) {
		r.at++
	}
	if r.at == start && r.at < len(r.text) && strings.IndexByte("?$^", r.text[r.at]) >= 0 {
		r.at++
	}
}

// hash reads the entries of a hash table, the opening bracket being read. Each
// value is a statement.
func (r *psReader) hash(p place) {
	if r.depth++; r.depth > MaxDepth {
		r.fail("the command is nested too deeply to be read")
		return
	}
	for r.at < len(r.text) && r.problem == "" {
		c := r.text[r.at]
		switch {
		case c == '}':
			r.at++
			r.depth--
			return
		case c == ';' || c == '\n' || c == '\r':
			r.at++
		case r.blank():
		default:
			r.key(p)
			if r.problem == "" && r.at < len(r.text) && r.text[r.at] == '=' {
				r.at++
				for r.at < len(r.text) && r.blank() {
				}
				if r.at < len(r.text) && strings.IndexByte(";}\n\r", r.text[r.at]) < 0 {
					r.statement(p.within("@{…}"))
				}
			}
		}
	}
	r.fail("a bracket is not closed")
}

// key reads the key of an entry up to the equals sign.
func (r *psReader) key(p place) {
	var text strings.Builder
	for r.at < len(r.text) && r.problem == "" && strings.IndexByte("=;}\n\r", r.text[r.at]) < 0 {
		switch c := r.text[r.at]; {
		case singleQuote(r.text[r.at:]) > 0:
			r.single()
		case doubleQuote(r.text[r.at:]) > 0:
			r.double(&text, p)
		case c == '$' && r.peek(1) == '(':
			r.at += 2
			r.nested(')', p.within("$(…)"))
		case c == '(':
			r.at++
			r.nested(')', p.within("(…)"))
		default:
			r.at++
		}
	}
}

// redirection reads one output redirection of unit i, if there is one: `>`,
// `2>`, `*>>`, `2>&1`.
func (r *psReader) redirection(i int, p place) bool {
	start, k := r.at, r.at
	if c := r.text[k]; c == '*' || '1' <= c && c <= '6' {
		k++
	}
	if k >= len(r.text) || r.text[k] != '>' {
		return false
	}
	op := k
	for k < len(r.text) && r.text[k] == '>' {
		k++
	}
	out := Redirection{Op: r.text[op:k], Unit: i, Start: start}
	if k+1 < len(r.text) && r.text[k] == '&' {
		out.Op += "&"
		out.Target, out.Literal, out.Harmless = r.text[k+1:k+2], true, true
		r.at = k + 2
	} else {
		r.at = k
		for r.at < len(r.text) && r.blank() {
		}
		if r.at >= len(r.text) {
			return true
		}
		from := r.at
		w := r.word(i, p, false)
		out.Target, out.Literal = w.Text, w.Literal && !r.source.elsewhere
		if strings.EqualFold(r.text[from:r.at], "$null") {
			out.Target, out.Literal, out.Harmless = "$null", true, true
		}
	}
	out.End = r.at
	r.source.b.out.Redirections = append(r.source.b.out.Redirections, out)
	return true
}
