package wire

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/creachadair/jrpc2/channel"
)

// lastAnswers bounds how long the gate goes on, after its input has ended, to
// finish what was asked before.
const lastAnswers = 10 * time.Second

// stream is the host's two streams, a message a line. The end of the input is
// held back until every request before it is answered: the JSON-RPC server
// would drop the ones in its queue, and their decisions would not be recorded.
type stream struct {
	channel.Channel
	ended func() // called when the input has ended

	mu      sync.Mutex
	pending int
	idle    chan struct{} // closed when nothing is pending after the end
}

func newStream(in io.Reader, out io.WriteCloser, ended func()) *stream {
	return &stream{Channel: channel.Line(in, out), ended: ended}
}

// Recv is part of channel.Channel.
func (s *stream) Recv() ([]byte, error) {
	message, err := s.Channel.Recv()
	if err == nil {
		if expectsAnswer(message) {
			s.count(1)
		}
		return message, nil
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

// Send is part of channel.Channel.
func (s *stream) Send(message []byte) error {
	answer := !bytes.Contains(message, methodKey)
	err := s.Channel.Send(message)
	if answer {
		s.count(-1)
	}
	return err
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
