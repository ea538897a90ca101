package shell

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/model"
)

// Bash reads a command line as bash would. It never fails: what cannot be read
// is told by Analysis.Unparsed. The time it takes is proportional to the text,
// which is not parsed when it exceeds MaxLength or MaxDepth.
func (r Reader) Bash(command string) model.Analysis { return r.analyse(command, (*builder).bash) }

// analyse runs one of the readers. The parser is not ours, and a fault in it
// must not end the gate: the command is unparsed then.
func (r Reader) analyse(command string, read func(*builder, string) model.Analysis) (a model.Analysis) {
	defer func() {
		if fault := recover(); fault != nil {
			a = model.Analysis{Unparsed: "it makes the analysis fail"}
		}
	}()
	return read(newBuilder(r.known()), command)
}

func (b *builder) bash(command string) model.Analysis {
	if problem := measure(command); problem != "" {
		b.unparsed(command, problem)
		return b.finish()
	}
	b.wide = strings.Contains(command, "GLOBIGNORE")
	b.root, b.current = source{b: b, text: command}, -1
	if err := b.read(&b.root, place{parent: -1}); err != nil {
		b.refuse(err.Error())
	}
	b.settle()
	b.dashNames()
	if b.refused != "" { // what the parser found still counts for deny rules
		b.unparsed(command, b.refused)
	}
	return b.finish()
}

// newParser returns a parser of bash that keeps comments: where one begins is
// part of what must be read alike.
func newParser() *syntax.Parser { return syntax.NewParser(syntax.KeepComments(true)) }

// parse returns the syntax tree of text, which must have been measured, and
// which piece of it is outside of the positive subset, "" if none is.
func (b *builder) parse(text string) (file *syntax.File, piece string, err error) {
	b.reader.Reset(text)
	file, err = b.parser.Parse(&b.reader, "")
	if err != nil {
		return nil, "", plainError(err)
	}
	return file, outside(text, file), nil
}

// parseDocument returns text read as the body of a here-document: expansions
// count, quotes do not.
func (b *builder) parseDocument(text string) (*syntax.Word, error) {
	b.reader.Reset(text)
	word, err := b.parser.Document(&b.reader)
	return word, plainError(err)
}

// plainError keeps what the parser says and drops where, which differs for
// text within text.
func plainError(err error) error {
	if err == nil {
		return nil
	}
	var parse syntax.ParseError
	if errors.As(err, &parse) {
		return errors.New(parse.Text)
	}
	return err
}
