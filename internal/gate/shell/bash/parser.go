package bash

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Parser makes syntax trees of texts, one after the other.
type Parser struct {
	parser *syntax.Parser
	reader strings.Reader
}

// NewParser returns a parser of bash that keeps comments: where one begins is part
// of what must be read alike.
func NewParser() *Parser { return &Parser{parser: syntax.NewParser(syntax.KeepComments(true))} }

// Parse returns the syntax tree of text, which must have been measured, and which
// piece of it is outside of the positive subset, "" if none is.
func (p *Parser) Parse(text string) (file *syntax.File, piece string, err error) {
	p.reader.Reset(text)
	file, err = p.parser.Parse(&p.reader, "")
	if err != nil {
		return nil, "", plainError(err)
	}
	return file, outside(text, file), nil
}

// Document returns text read as the body of a here-document: expansions count,
// quotes do not.
func (p *Parser) Document(text string) (*syntax.Word, error) {
	p.reader.Reset(text)
	word, err := p.parser.Document(&p.reader)
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
