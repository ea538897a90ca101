package wire

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// listen lets the sub-agents of a session ask, in the place of those of the
// session before; those of no session when it has no person, as the zero place.
func (s *Server) listen(at place) {
	s.mu.Lock()
	before, closing := s.deaf, s.closing
	s.deaf, s.here = nil, at
	s.mu.Unlock()
	if before != nil {
		before() // it waits for questions, which want the lock
	}
	if s.Listen == nil || !at.HasUI || closing {
		return
	}
	deaf, err := s.Listen(at.Session, at.project(), s.asked)
	if err != nil {
		s.log("sub-agents cannot ask here: " + err.Error())
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deaf = deaf
}

// asked puts a question of a sub-agent to the guard. Whatever goes wrong blocks
// that call alone.
func (s *Server) asked(ctx context.Context, q gate.Question) (reply gate.Reply) {
	defer func() {
		if p := recover(); p != nil {
			s.log(fmt.Sprintf("panic: %v\n%s", p, debug.Stack()))
			reply = gate.Reply{Action: policy.Block, Answer: gate.AnswerNoUI}
		}
	}()
	s.mu.Lock()
	here := s.here
	s.mu.Unlock()
	return s.Guard.Asked(ctx, s.request(toolCall{place: here}), q)
}
