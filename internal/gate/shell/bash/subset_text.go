package bash

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// brackets checks that shells which look for the end of $(…), <(…) and ((…))
// by brackets and quotes alone, as bash did up to 5.1, find it where the parser
// does: an unquoted one of a case pattern, a comment or a here-document could
// end it early. open is the offset of the bracket, end that of the closing one.
func (v *subset) brackets(open, end int) {
	for _, comments := range []bool{true, false} {
		if v.why != "" {
			return
		}
		found := closingBracket(v.text, open, comments)
		switch {
		case found < 0: // a syntax error there, which runs nothing
			v.scanned += len(v.text) - open
		case found != end:
			v.refuse("brackets or quotes that some shells pair otherwise inside a substitution")
		default:
			v.scanned += end - open
		}
	}
	if v.scanned > maxScanned {
		v.refuse("too many substitutions")
	}
}

// maxScanned bounds the bytes that are read again to pair brackets.
const maxScanned = 16 * argv.MaxLength

// closingBracket returns the offset of the bracket that closes the one at open, -1 if
// none does: the way of parse_matched_pair in bash 3.2. comments tells whether
// comments are known.
func closingBracket(text string, open int, comments bool) int {
	depth := 0
	for i := open; i < len(text); i++ {
		switch c := text[i]; c {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		case '#':
			if comments && i > open && strings.IndexByte(" \t\n(", text[i-1]) >= 0 {
				for i < len(text) && text[i] != '\n' {
					i++
				}
			}
		case '\'', '"', '`':
			if i = quoteEnd(text, i); i < 0 {
				return -1
			}
		}
	}
	return -1
}

// quoteEnd returns the offset of the quote that closes the one at i, -1 if none
// does.
func quoteEnd(text string, i int) int {
	quote, ansi := text[i], i > 0 && text[i-1] == '$'
	for k := i + 1; k < len(text); k++ {
		switch c := text[k]; {
		case c == quote:
			return k
		case c == '\\' && (quote != '\'' || ansi):
			k++
		case quote == '"' && c == '`':
			if k = quoteEnd(text, k); k < 0 {
				return -1
			}
		case quote == '"' && c == '$' && k+1 < len(text) && text[k+1] == '(':
			if k = closingBracket(text, k+1, false); k < 0 {
				return -1
			}
		}
	}
	return -1
}

// redirect checks one redirection and notes here-documents.
func (v *subset) redirect(r *syntax.Redirect, inside span) {
	if r.Op != syntax.Hdoc && r.Op != syntax.DashHdoc {
		v.word(r.Word, inWord)
		if r.Op == syntax.DplOut || r.Op == syntax.DplIn { // bash expands it once more
			if text := v.text[r.Word.Pos().Offset():r.Word.End().Offset()]; strings.ContainsAny(text, "'\"\\`(") {
				v.refuse("quotes or commands after %s", r.Op)
			}
		}
		return
	}
	v.docs = append(v.docs, document{r, inside})
	if r.Hdoc != nil {
		if _, quoted := delimiter(r.Word); !quoted {
			v.word(r.Hdoc, inDocument)
		}
	}
}

// delimiter returns the delimiter of a here-document, "" when it is written in
// a way that is not understood, and whether it is quoted.
func delimiter(w *syntax.Word) (text string, quoted bool) {
	if len(w.Parts) != 1 {
		return "", false
	}
	switch part := w.Parts[0].(type) {
	case *syntax.Lit:
		text, quoted = strings.CutPrefix(part.Value, `\`)
	case *syntax.SglQuoted:
		if !part.Dollar {
			text, quoted = part.Value, true
		}
	case *syntax.DblQuoted:
		if !part.Dollar && len(part.Parts) == 1 {
			if l, ok := part.Parts[0].(*syntax.Lit); ok {
				text, quoted = l.Value, true
			}
		}
	}
	if strings.ContainsFunc(text, func(r rune) bool {
		return r > 127 || !argv.IsNameByte(byte(r)) && strings.IndexByte("-.+:!%@/=", byte(r)) < 0
	}) {
		return "", quoted
	}
	return text, quoted
}

// documents checks that the here-documents end where shells end them, which
// find the lines of all of them before they read what stands in one.
func (v *subset) documents() {
	slices.SortFunc(v.docs, func(a, b document) int {
		return int(a.redirect.OpPos.Offset()) - int(b.redirect.OpPos.Offset())
	})
	line, next := -1, 0 // the end of the latest operator's line, and of the documents after it
	for _, d := range v.docs {
		r := d.redirect
		stop, quoted := delimiter(r.Word)
		if stop == "" {
			v.refuse("a here-document whose delimiter is more than a word or a quoted word")
			return
		}
		from := int(r.Word.End().Offset())
		nl := strings.IndexByte(v.text[from:], '\n')
		if nl < 0 {
			v.refuse("a here-document without a body")
			return
		}
		if nl += from; nl > d.inside.end || v.text[nl-1] == '\\' || v.holds(nl, from) {
			v.refuse("a here-document whose body does not begin in the line after it")
			return
		}
		if nl != line {
			line, next = nl, nl+1
		}
		start := next
		end, last, after := documentEnd(v.text, start, stop, quoted, r.Op == syntax.DashHdoc, d.inside.end <= len(v.text))
		if end < 0 {
			v.refuse("a here-document whose end shells find in different lines")
			return
		}
		next = after
		if r.Hdoc == nil && end != start || r.Hdoc != nil && (int(r.Hdoc.End().Offset()) != last || !v.begins(int(r.Hdoc.Pos().Offset()), start)) {
			v.refuse("a here-document that ends in a line before its expansions do")
			return
		}
		if end >= d.inside.end {
			v.refuse("a here-document that goes on after its substitution")
			return
		}
	}
}

// begins reports that a body which the parser begins at pos begins at start:
// tabs may stand between.
func (v *subset) begins(pos, start int) bool {
	return pos >= start && strings.Trim(v.text[start:pos], "\t") == ""
}

// holds reports that the line end at nl stands within a quoted text or an
// expansion that begins after from.
func (v *subset) holds(nl, from int) bool {
	return slices.ContainsFunc(v.lines, func(s span) bool { return s.start >= from && s.start < nl && nl < s.end })
}

// documentEnd returns where the body that begins at start ends, where its
// delimiter ends, and where the line after it begins; -1 when no line is the
// delimiter, or when it matters whether lines that end in a backslash are
// joined. nested tells that it stands in a substitution.
func documentEnd(text string, start int, stop string, quoted, tabs, nested bool) (end, last, after int) {
	joined := false // the line goes on from the one before
	for at := start; at <= len(text); {
		stopAt := strings.IndexByte(text[at:], '\n')
		final := stopAt < 0
		if final {
			stopAt = len(text) - at
		}
		line := text[at : at+stopAt]
		bare := line
		if tabs {
			bare = strings.TrimLeft(line, "\t")
		}
		slashes := len(line) - len(strings.TrimRight(line, `\`))
		next := !quoted && slashes%2 == 1
		switch {
		case bare == stop && joined:
			return -1, 0, 0
		case nested && bare != stop && strings.HasPrefix(bare, stop):
			return -1, 0, 0 // bash 5.2 ends it there when a bracket follows
		case bare == stop:
			return at, at + stopAt, min(at+stopAt+1, len(text))
		case (next || joined) && (strings.HasPrefix(stop, strings.Trim(bare, "\t\\")) || strings.HasSuffix(stop, strings.Trim(bare, "\t\\"))):
			return -1, 0, 0
		case final:
			return -1, 0, 0
		}
		joined = next
		at += stopAt + 1
	}
	return -1, 0, 0
}
