package bash

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Piece is a span of the text that belongs to a unit: a word, an assignment,
// an operator with its descriptor, the target of a redirection.
type Piece struct {
	Start, End int
	Output     bool // of an output redirection
}

// Statement is the text of a statement.
type Statement struct {
	// Text is the source with the blanks between words collapsed, Bare that without
	// output redirections, both with the bodies of here-documents behind.
	Text, Bare string
	// Body is the length of Text without those.
	Body int
	// Start and End are the bytes of the source from the first word to the last.
	Start, End int
}

// Texts returns the text of a statement in the text it stands in.
func Texts(source string, st *syntax.Stmt) (out Statement) {
	var pieces []Piece
	switch cmd := st.Cmd.(type) {
	case *syntax.CallExpr:
		for _, a := range cmd.Assigns {
			pieces = appendNode(pieces, a)
		}
		for _, w := range cmd.Args {
			pieces = appendNode(pieces, w)
		}
	case *syntax.DeclClause:
		pieces = appendNode(pieces, cmd.Variant)
		for _, a := range cmd.Args {
			pieces = appendNode(pieces, a)
		}
	case nil:
	default:
		pieces = appendNode(pieces, cmd)
	}
	output := false
	for _, r := range st.Redirs {
		writes := IsOutput(r.Op)
		output = output || writes
		head := Piece{int(r.Pos().Offset()), int(r.OpPos.Offset()) + len(r.Op.String()), writes}
		pieces = append(pieces, head, Piece{int(r.Word.Pos().Offset()), int(r.Word.End().Offset()), writes})
	}
	if len(st.Redirs) > 0 {
		slices.SortFunc(pieces, func(a, b Piece) int { return a.Start - b.Start })
	}
	out.Start, out.End = pieces[0].Start, pieces[len(pieces)-1].End
	out.Text = Join(source, pieces, true)
	out.Bare = out.Text
	if output {
		if bare := Join(source, pieces, false); bare != "" {
			out.Bare = bare
		}
	}
	out.Body = len(out.Text)
	for _, r := range st.Redirs {
		if r.Hdoc != nil {
			body := "\n" + source[r.Hdoc.Pos().Offset():r.Hdoc.End().Offset()]
			out.Text += body
			out.Bare += body
		}
	}
	return out
}

func appendNode(pieces []Piece, n syntax.Node) []Piece {
	return append(pieces, Piece{Start: int(n.Pos().Offset()), End: int(n.End().Offset())})
}

// Join writes the pieces with one space where the text has blanks between
// them; it allocates only when the text itself does not read so.
func Join(text string, pieces []Piece, output bool) string {
	straight, last := true, -1
	first := -1
	for _, p := range pieces {
		if p.Output && !output {
			continue
		}
		if last >= 0 && (p.Start-last > 1 || p.Start-last == 1 && text[last] != ' ') {
			straight = false
		}
		if first < 0 {
			first = p.Start
		}
		last = p.End
	}
	if first < 0 {
		return ""
	}
	if straight {
		return text[first:last]
	}
	var b strings.Builder
	b.Grow(last - first)
	last = -1
	for _, p := range pieces {
		if p.Output && !output {
			continue
		}
		if last >= 0 && p.Start > last {
			b.WriteByte(' ')
		}
		b.WriteString(text[p.Start:p.End])
		last = p.End
	}
	return b.String()
}
