package transcript

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

var (
	errShape    = errors.New("a field of the line is not of the kind that it should be")
	errNoObject = errors.New("the line is no JSON object")
	errNoJSON   = errors.New("the line is no JSON")
	errNoTime   = errors.New("the call has no time")
	errLong     = fmt.Errorf("the line is longer than %d MiB", maxLine>>20)
)

// decode is json.Unmarshal with errors for a person.
func decode(text []byte, value any) error {
	err := json.Unmarshal(text, value)
	var shape *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &shape):
		return errShape
	}
	return errNoJSON
}

// anyLine is what tells the kinds of files apart by their lines.
type anyLine struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	SessionID string          `json:"sessionId"`
	Timestamp json.RawMessage `json:"timestamp"`
	Message   json.RawMessage `json:"message"`
	Payload   json.RawMessage `json:"payload"`
}

// readAny reads as much of a line as can be understood.
func readAny(text []byte) *anyLine {
	l := &anyLine{}
	_ = json.Unmarshal(text, l) // what is no such line tells nothing
	return l
}

// maxLine is the longest line that is read, in bytes. A picture that a tool
// returned is some megabytes.
const maxLine = 64 << 20

// lines reads line after line into one buffer.
type lines struct {
	r   *bufio.Reader
	buf []byte
	err error // what ended it, nil at the end of the input
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, 256<<10)} }

// next returns the next line without its end and the blanks around it, valid
// until the next call. err says that this line cannot be read; more is false
// after the last one.
func (l *lines) next() (text []byte, more bool, err error) {
	if l.err != nil {
		return nil, false, nil
	}
	l.buf = l.buf[:0]
	for {
		part, readErr := l.r.ReadSlice('\n')
		switch {
		case readErr == nil && len(l.buf) == 0 && err == nil:
			return bytes.TrimSpace(part), true, nil
		case len(l.buf)+len(part) > maxLine:
			l.buf, err = l.buf[:0], errLong
		case err == nil:
			l.buf = append(l.buf, part...)
		}
		if errors.Is(readErr, bufio.ErrBufferFull) {
			continue
		}
		if readErr != nil && !errors.Is(readErr, io.EOF) {
			l.err = readErr
		}
		if readErr != nil && len(l.buf) == 0 && err == nil {
			return nil, false, nil
		}
		return bytes.TrimSpace(l.buf), true, err
	}
}
