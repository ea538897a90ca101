package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
	"github.com/pigate/pigate/internal/gate/shell/model"
)

// unit makes the unit of a statement with its texts and span.
func (s *source) unit(st *syntax.Stmt, p place) unit {
	found := bash.Texts(s.text, st)
	u := unit{Unit: model.Unit{Text: found.Text, Bare: found.Bare, Via: p.via, Parent: p.parent}, body: found.Body}
	u.Start, u.End = s.span(found.Start, found.End)
	return u
}

// wordsText joins words as the text has them, with one space where it has
// blanks. Words that do not stand in the text in this order are quoted anew.
func (s *source) wordsText(args []argv.Arg) string {
	var pieces []bash.Piece
	last := -1
	for _, a := range args {
		if a.Start < last || a.End <= a.Start || !s.holds(a) {
			return argv.QuoteWords(args)
		}
		last = a.End
		pieces = append(pieces, bash.Piece{Start: a.Start, End: a.End})
	}
	return bash.Join(s.text, pieces, true)
}

// holds reports whether the word is written where it says, and not one that
// stands for another there.
func (s *source) holds(a argv.Arg) bool {
	return a.Quoted || !a.Literal || s.text[a.Start:a.End] == a.Text || strings.ContainsAny(s.text[a.Start:a.End], "\\")
}
