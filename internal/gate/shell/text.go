package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
	"github.com/pigate/pigate/internal/gate/shell/model"
)

// piece is a span of the text that belongs to a unit: a word, an assignment,
// an operator with its descriptor, the target of a redirection.
type piece struct {
	start, end int
	output     bool // of an output redirection
}

// unit makes the unit of a statement with its texts and span.
func (s *source) unit(st *syntax.Stmt, p place) unit {
	pieces := s.b.pieces[:0]
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
		writes := bash.IsOutput(r.Op)
		output = output || writes
		head := piece{int(r.Pos().Offset()), int(r.OpPos.Offset()) + len(r.Op.String()), writes}
		pieces = append(pieces, head, piece{int(r.Word.Pos().Offset()), int(r.Word.End().Offset()), writes})
	}
	if len(st.Redirs) > 0 {
		slices.SortFunc(pieces, func(a, b piece) int { return a.start - b.start })
	}
	s.b.pieces = pieces
	u := unit{Unit: model.Unit{Via: p.via, Parent: p.parent}}
	u.Start, u.End = s.span(pieces[0].start, pieces[len(pieces)-1].end)
	u.Text = s.join(pieces, true)
	u.Bare = u.Text
	if output {
		if bare := s.join(pieces, false); bare != "" {
			u.Bare = bare
		}
	}
	u.body = len(u.Text)
	for _, r := range st.Redirs {
		if r.Hdoc != nil {
			body := "\n" + s.text[r.Hdoc.Pos().Offset():r.Hdoc.End().Offset()]
			u.Text += body
			u.Bare += body
		}
	}
	return u
}

func appendNode(pieces []piece, n syntax.Node) []piece {
	return append(pieces, piece{start: int(n.Pos().Offset()), end: int(n.End().Offset())})
}

// join writes the pieces with one space where the text has blanks between
// them; it allocates only when the text itself does not read so.
func (s *source) join(pieces []piece, output bool) string {
	straight, last := true, -1
	first := -1
	for _, p := range pieces {
		if p.output && !output {
			continue
		}
		if last >= 0 && (p.start-last > 1 || p.start-last == 1 && s.text[last] != ' ') {
			straight = false
		}
		if first < 0 {
			first = p.start
		}
		last = p.end
	}
	if first < 0 {
		return ""
	}
	if straight {
		return s.text[first:last]
	}
	var b strings.Builder
	b.Grow(last - first)
	last = -1
	for _, p := range pieces {
		if p.output && !output {
			continue
		}
		if last >= 0 && p.start > last {
			b.WriteByte(' ')
		}
		b.WriteString(s.text[p.start:p.end])
		last = p.end
	}
	return b.String()
}

// wordsText joins words as the text has them, with one space where it has
// blanks. Words that do not stand in the text in this order are quoted anew.
func (s *source) wordsText(args []argv.Arg) string {
	pieces, last := s.b.pieces[:0], -1
	for _, a := range args {
		if a.Start < last || a.End <= a.Start || !s.holds(a) {
			return argv.QuoteWords(args)
		}
		last = a.End
		pieces = append(pieces, piece{start: a.Start, end: a.End})
	}
	s.b.pieces = pieces
	return s.join(pieces, true)
}

// holds reports whether the word is written where it says, and not one that
// stands for another there.
func (s *source) holds(a argv.Arg) bool {
	return a.Quoted || !a.Literal || s.text[a.Start:a.End] == a.Text || strings.ContainsAny(s.text[a.Start:a.End], "\\")
}
