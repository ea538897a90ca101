// Package transcript reads the session files of coding agents: those of Pi, the
// transcripts of Claude Code and the rollouts of Codex. Each becomes a stream of
// tool calls in Pi's words: what was called, where and when, and what the file
// says became of it.
//
// The files were written by programs that change, hold text of models and of
// whatever the tools printed, and may be cut off. A line that cannot be
// understood is reported with its place, and the ones after it are read.
package transcript

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strconv"

	"github.com/pigate/pigate/internal/gate"
)

// Source is the program that wrote a file.
type Source string

// The sources.
const (
	Pi     Source = "pi"
	Claude Source = "claude"
	Codex  Source = "codex"
)

// Program is the name of the program for people.
func (s Source) Program() string {
	switch s {
	case Pi:
		return "Pi"
	case Claude:
		return "Claude Code"
	case Codex:
		return "Codex"
	}
	return string(s)
}

// Place is a line of a file.
type Place struct {
	// File is the name that was given to Read, Line counts from 1.
	File string `json:"file"`
	Line int    `json:"line"`
}

func (p Place) String() string { return p.File + ":" + strconv.Itoa(p.Line) }

// Call is a tool call as a session file tells of it.
type Call struct {
	Source Source
	// Session is the id of the session that made the call; of a call that a fork
	// of a session of Pi copied, the id of the session it was forked from.
	Session string
	// ID is the id of the call, Parent the call whose script made it ("" for a
	// call of the model itself). Of one call that changes several files each is a
	// Call, and their ids end in "/1", "/2" and so on.
	ID     string
	Parent string
	// Tool and Input are what the model asked for, in the names of Pi's tools and
	// their arguments; a tool that Pi lacks keeps its own.
	Tool  string
	Input json.RawMessage
	// Cwd is the folder the call ran in, Root the one its session began in.
	Cwd, Root string
	// Time is when the call was made, in microseconds since the Unix epoch, UTC:
	// that of its line, or of the nearest line before it that has one.
	Time int64
	// Result is what became of it, "" when the file does not say. ResultRefused
	// means that it did not run, whoever or whatever stopped it.
	Result gate.Result
	// User reports a command that the person ran themselves ("!" in Pi). It is no
	// call of the agent.
	User bool
	// Copied reports that the line was copied from an older session, by a fork,
	// whose own id is Fork.
	Copied bool
	Fork   string
	// Place is where the call stands.
	Place Place
}

// BrokenError is a line that was skipped.
type BrokenError struct {
	Place Place
	Err   error
}

func (b *BrokenError) Error() string { return fmt.Sprintf("%s: %v", b.Place, b.Err) }

// Unwrap returns what is wrong with the line.
func (b *BrokenError) Unwrap() error { return b.Err }

// UnrecognisedError is a file in which no line is of the kind that the program
// writes.
type UnrecognisedError struct {
	File   string
	Source Source
}

func (u *UnrecognisedError) Error() string {
	return fmt.Sprintf("%s: nothing in it is recognised as a session of %s", u.File, u.Source.Program())
}

// format understands the lines of one kind of file.
type format interface {
	// knows tells whether a line has what lines of the kind have.
	knows(l *anyLine) bool
	// wants tells, cheaply, whether a line may matter. Of one that does not
	// matter it is only seen to that it is JSON.
	wants(text []byte) bool
	// line takes one line. The text is valid until it returns.
	line(text []byte, at Place) error
	// end is called after the last line.
	end()
	// ready hands out the calls of which all is known.
	ready() []Call
}

// Read yields the calls of one file, each when its result is known or the file
// ends; name is what the file is called in places. A line that cannot be
// understood comes as a *BrokenError and is skipped, a file of another kind as an
// *UnrecognisedError at its end. Any other error, of r or
// of the context, is the last thing yielded. Memory is bounded by the longest
// line, which is itself bounded.
func Read(ctx context.Context, r io.Reader, source Source, name string) iter.Seq2[Call, error] {
	return func(yield func(Call, error) bool) {
		f, err := newFormat(source)
		if err != nil {
			yield(Call{}, err)
			return
		}
		lines := newLines(r)
		at, recognised := Place{File: name}, false
		for {
			text, more, err := lines.next()
			if !more {
				break
			}
			at.Line++
			if ctx.Err() != nil {
				yield(Call{}, ctx.Err())
				return
			}
			if err == nil {
				recognised = recognised || f.knows(readAny(text))
				err = take(f, text, at)
			}
			if err != nil && !yield(Call{}, &BrokenError{at, err}) {
				return
			}
			n, more := hand(f, yield)
			if !more {
				return
			}
			recognised = recognised || n > 0
		}
		f.end()
		n, more := hand(f, yield)
		switch {
		case !more:
		case lines.err != nil:
			yield(Call{}, fmt.Errorf("read %s: %w", name, lines.err))
		case !recognised && n == 0:
			yield(Call{}, &UnrecognisedError{name, source})
		}
	}
}

func newFormat(source Source) (format, error) {
	switch source {
	case Pi:
		return &pi{}, nil
	case Claude:
		return &claude{}, nil
	case Codex:
		return &codex{}, nil
	}
	return nil, fmt.Errorf("%q is no program whose session files are known", string(source))
}

func take(f format, text []byte, at Place) error {
	if len(text) == 0 {
		return nil
	}
	if text[0] != '{' {
		return errNoObject
	}
	if f.wants(text) {
		return f.line(text, at)
	}
	if !json.Valid(text) {
		return errNoJSON
	}
	return nil
}

// hand yields what is ready: so many calls, and reports whether to go on.
func hand(f format, yield func(Call, error) bool) (n int, more bool) {
	for _, c := range f.ready() {
		n++
		if !yield(c, nil) {
			return n, false
		}
	}
	return n, true
}
