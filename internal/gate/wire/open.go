package wire

import "context"

// begin notes that a call is open; one that is open already is not ok. The
// context ends when the host aborts the call or is gone, and with end, which
// must be called.
func (s *Server) begin(ctx context.Context, key toolAbort) (open context.Context, end func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[key] != nil {
		return nil, nil, false
	}
	ctx, cancel := context.WithCancel(ctx)
	s.open[key] = cancel
	if s.closing {
		cancel()
	}
	return ctx, func() {
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.open, key)
	}, true
}

func (s *Server) toolAbort(_ context.Context, p toolAbort) (empty, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.open[p]; cancel != nil {
		cancel()
	}
	return empty{}, nil
}

// abortAll ends every question: the host is gone.
func (s *Server) abortAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing = true
	for _, cancel := range s.open {
		cancel()
	}
}
