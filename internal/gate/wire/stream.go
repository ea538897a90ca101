package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/creachadair/jrpc2/channel"
)

// lastAnswers bounds how long the gate goes on, after its input has ended, to
// finish what was asked before.
const lastAnswers = 10 * time.Second

// stream is the host's two streams, a message a line. The host is gone when the
// input ends, when nothing more can be written to it, or when the gate is told to
// end. The end is held back until every request before it is answered: the JSON-RPC
// server would drop the ones in its queue, and their decisions would not be
// recorded.
type stream struct {
	channel.Channel
	ended    func() // called when the host is gone
	messages chan delivery
	gone     context.Context
	leave    context.CancelFunc // ends gone

	mu      sync.Mutex
	pending int
	idle    chan struct{} // closed when nothing is pending after the end
}

// delivery is a message that was read, or the error in its place.
type delivery struct {
	text []byte
	err  error
}

func newStream(ctx context.Context, in io.Reader, out io.WriteCloser, ended func()) *stream {
	s := &stream{Channel: channel.Line(in, out), ended: ended, messages: make(chan delivery)}
	s.gone, s.leave = context.WithCancel(ctx)
	// A read that waits cannot be ended: it is left behind when the host is gone.
	go func() {
		for {
			text, err := s.Channel.Recv()
			select {
			case s.messages <- delivery{text, err}:
			case <-s.gone.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return s
}

// Recv is part of channel.Channel.
func (s *stream) Recv() ([]byte, error) {
	var err error
	select {
	case m := <-s.messages:
		if err = m.err; err == nil {
			if expectsAnswer(m.text) {
				s.count(1)
			}
			return m.text, nil
		}
	case <-s.gone.Done():
		err = io.EOF
	}
	s.ended()
	s.mu.Lock()
	s.idle = make(chan struct{})
	idle := s.idle
	if s.pending <= 0 {
		close(idle)
	}
	s.mu.Unlock()
	timer := time.NewTimer(lastAnswers)
	defer timer.Stop()
	select {
	case <-idle:
	case <-timer.C:
	}
	return nil, err
}

// Send is part of channel.Channel. What cannot be sent makes the host gone, and is
// no error.
func (s *stream) Send(message []byte) error {
	answer := !bytes.Contains(message, methodKey)
	if s.Channel.Send(message) != nil {
		s.leave() // what else is open is recorded all the same
	}
	if answer {
		s.count(-1)
	}
	return nil
}

func (s *stream) count(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending += n
	if s.idle != nil && s.pending == 0 {
		close(s.idle)
	}
}

// methodKey stands in every request and in no answer: inside a text its quotes
// would be escaped.
var methodKey = []byte(`"method"`)

// expectsAnswer reports that the server will answer the message: it is a
// request, or no valid message at all.
func expectsAnswer(message []byte) bool {
	var head struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	switch err := json.Unmarshal(message, &head); {
	case err != nil:
		return true // no message, or several
	case head.Method != "":
		return head.ID != nil
	default:
		return head.Result == nil && head.Error == nil
	}
}
