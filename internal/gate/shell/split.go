package shell

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
	"github.com/pigate/pigate/internal/gate/shell/model"
	"github.com/pigate/pigate/internal/gate/shell/wrap"
)

// unparsed lists the pieces of a command that is not parsed, for deny rules.
func (b *builder) unparsed(command, why string) {
	s := &source{b: b, text: command}
	s.pieces(place{parent: -1})
	b.out.Unparsed = why
}

// pieces lists what a cautious split of the text finds. It errs towards more
// pieces: where quotes may have been read wrongly (they do not balance, or a
// here-document holds some) the text is split a second time without regard to
// quotes.
func (s *source) pieces(p place) {
	f := splitter{source: s, place: p, known: map[string]bool{}}
	if f.split(true) || strings.Contains(s.text, "<<") {
		f.split(false)
	}
}

// splitter adds the units of text without a syntax tree.
type splitter struct {
	source *source
	place  place
	known  map[string]bool
}

// split cuts the text and reports whether it ended within quotes.
func (f *splitter) split(quotes bool) (open bool) {
	list, open := bash.CutText(f.source.text, quotes)
	for _, s := range list {
		f.piece(s.Start, s.End)
	}
	return open
}

// beforeCommand are the words after which a command begins.
var beforeCommand = map[string]bool{
	"!": true, "{": true, "}": true, "if": true, "then": true, "elif": true, "else": true, "while": true,
	"until": true, "do": true, "time": true, "coproc": true, "fi": true, "done": true, "esac": true,
}

// piece adds the unit of one piece of text, when it holds any words.
func (f *splitter) piece(start, end int) {
	s := f.source
	b := s.b
	text := strings.Trim(s.text[start:end], " \t\n")
	if text == "" || f.known[text] || len(f.known) >= maxPieces || b.split >= maxSplitWords {
		return
	}
	f.known[text] = true
	l := bash.Lexer{Text: s.text, At: start, End: end}
	for n := 0; n < maxPieceWords && l.Word(); n++ {
		b.split++
	}
	args := l.Words
	for len(args) > 0 && args[0].Literal && !args[0].Quoted && beforeCommand[args[0].Text] {
		args = args[1:]
	}
	i := -1
	if len(args) > 0 {
		u := unit{Unit: model.Unit{Via: f.place.via, Parent: f.place.parent}}
		u.Start, u.End = s.span(args[0].Start, args[len(args)-1].End)
		u.Text = s.wordsText(args)
		u.Bare, u.body = u.Text, len(u.Text)
		for len(args) > 0 && argv.IsAssignment(args[0].Text) {
			args = args[1:]
		}
		i = b.add(u)
		s.name(i, args)
	}
	for _, o := range l.Outputs {
		r := model.Redirection{Op: o.Op, Target: o.Target.Text, Literal: o.Target.Literal && !s.elsewhere, Harmless: o.Harmless, Unit: i}
		r.Start, r.End = s.span(o.Start, o.End)
		b.out.Redirections = append(b.out.Redirections, r)
	}
	if len(args) > 0 {
		s.command(i, args, wrap.Feed{}, f.place)
	}
}
