package wire

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/handler"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/text"
)

// Server serves one host over one pair of streams. Its exported fields are set
// before Serve.
type Server struct {
	// Guard decides. Its Asker must be this server's Asker.
	Guard *gate.Guard
	// Version is pigate's.
	Version string
	// Installation, Home, User and Hostname are facts of this machine.
	Installation policy.Installation
	Home         string
	User         string
	Hostname     string
	// Checkout finds the remote, without credentials, and the branch of the
	// checkout that a folder lies in. Nil leaves them out.
	Checkout func(root string) (remote, branch string)
	// Status makes the report of /allowlist.
	Status func(root string, trust policy.Trust, grants []gate.Grant) string
	// Recent makes the report of /allowlist log: the last n decisions in a project,
	// 0 for as many as it likes. Why makes that of /allowlist why. Their errors are
	// shown to the person.
	Recent func(ctx context.Context, root string, n int) (string, error)
	Why    func(ctx context.Context, session string) (string, error)
	// Revoke ends the session approvals of every session and removes the rules that
	// end from the person's file and the project's, for /allowlist revoke; it says
	// what it did.
	Revoke func(ctx context.Context, root, session string) (string, error)
	// Started is called when a session has been opened, before its first call, and
	// returns at once. Nil does nothing.
	Started func(ctx context.Context, root string)
	// Listen lets the sub-agents of a session ask, until close is called. Nil lets
	// none.
	Listen func(session, root string, ask func(context.Context, gate.Question) gate.Reply) (close func(), err error)
	// Log takes diagnostics, a line each.
	Log func(text string)

	asker asker

	mu          sync.Mutex
	initialized bool
	host        initializeParams
	sessions    map[string]bool
	open        map[toolAbort]context.CancelFunc
	here        place  // of the session that was opened last
	deaf        func() // ends the listening for its sub-agents
	closing     bool   // the input has ended: nobody can be asked any more
}

// Asker puts the guard's questions to the host.
func (s *Server) Asker() gate.Asker { return &s.asker }

// Elsewhere tells the host that a call waits for a person of another session,
// until the function returned is called.
func (s *Server) Elsewhere(ctx context.Context, call string) (over func()) {
	return s.asker.waiting(ctx, call)
}

// parallel bounds the calls that are open at once. Calls wait for each other's
// dialogs, so it must be larger than any host's batch.
const parallel = 4096

// Serve answers requests from in until it ends, nothing more can be written to out,
// or the context is over; it returns nil then. Calls that are open at that moment
// are decided as aborted first.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.WriteCloser) error {
	s.sessions, s.open = map[string]bool{}, map[toolAbort]context.CancelFunc{}
	server := jrpc2.NewServer(&sequencer{methods: s.methods()}, &jrpc2.ServerOptions{AllowPush: true, DisableBuiltin: true, Concurrency: parallel})
	s.asker.server = server
	defer s.listen(place{})
	if err := server.Start(newStream(ctx, in, out, s.abortAll)).Wait(); err != nil {
		return fmt.Errorf("serve the host: %w", err)
	}
	return nil
}

func (s *Server) methods() handler.Map {
	return handler.Map{
		"initialize":    method(s.initialize),
		"session/start": sessionMethod(s, s.sessionStart),
		"session/end":   sessionMethod(s, s.sessionEnd),
		"tool/call":     sessionMethod(s, s.toolCall),
		"tool/abort":    sessionMethod(s, s.toolAbort),
		"tool/result":   sessionMethod(s, s.toolResult),
		"gate/status":   sessionMethod(s, s.status),
		"gate/log":      sessionMethod(s, s.recent),
		"gate/why":      sessionMethod(s, s.why),
		"gate/suggest":  sessionMethod(s, s.suggest),
		"gate/revoke":   sessionMethod(s, s.revoke),
	}
}

// method reads the parameters of a request, which must be an object.
func method[P, R any](run func(context.Context, P) (R, error)) jrpc2.Handler {
	return func(ctx context.Context, req *jrpc2.Request) (any, error) {
		var params P
		if !req.HasParams() {
			return nil, jrpc2.Errorf(jrpc2.InvalidParams, "%s: no parameters", req.Method())
		}
		if err := req.UnmarshalParams(&params); err != nil {
			return nil, jrpc2.Errorf(jrpc2.InvalidParams, "%s: %v", req.Method(), err)
		}
		return run(ctx, params)
	}
}

// sessionMethod refuses a method before initialize, and turns a panic into an error,
// which makes the host block the call.
func sessionMethod[P, R any](s *Server, run func(context.Context, P) (R, error)) jrpc2.Handler {
	return method(func(ctx context.Context, params P) (result R, err error) {
		defer func() {
			if p := recover(); p != nil {
				s.log(fmt.Sprintf("panic: %v\n%s", p, debug.Stack()))
				err = jrpc2.Errorf(jrpc2.InternalError, "pigate: the gate failed on this call: %v", p)
			}
		}()
		s.mu.Lock()
		ready := s.initialized
		s.mu.Unlock()
		if !ready {
			return result, jrpc2.Errorf(CodeUninitialized, "initialize has not been called")
		}
		return run(ctx, params)
	})
}

func (s *Server) log(text string) {
	if s.Log != nil {
		s.Log(text)
	}
}

func (s *Server) initialize(_ context.Context, p initializeParams) (initializeResult, error) {
	if !slices.Contains(p.Protocols, Version) {
		return initializeResult{}, jrpc2.Errorf(CodeNoVersion,
			"pigate %s speaks version %d of the protocol, the host speaks %v: run `pigate install` to bring the extension up to date", s.Version, Version, p.Protocols)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.initialized, s.host = true, p
	return initializeResult{Protocol: Version, Version: s.Version}, nil
}

func (s *Server) sessionStart(ctx context.Context, p sessionStart) (empty, error) {
	if err := p.check(); err != nil {
		return empty{}, jrpc2.Errorf(jrpc2.InvalidParams, "session/start: %v", err)
	}
	s.mu.Lock()
	s.sessions[p.Session] = true
	s.mu.Unlock()
	s.listen(p.place)
	// A journal that fails now fails again at the first call, which is then
	// blocked; the session itself need not.
	if err := s.start(ctx, p); err != nil {
		s.log(err.Error())
	}
	s.compareVersions(ctx)
	if s.Started != nil {
		s.Started(context.WithoutCancel(ctx), p.project())
	}
	return empty{}, nil
}

// compareVersions tells the person once when the extension belongs to another
// release than this binary.
func (s *Server) compareVersions(ctx context.Context) {
	s.mu.Lock()
	theirs := s.host.Extension
	s.host.Extension = ""
	s.mu.Unlock()
	if theirs != "" && theirs != s.Version {
		s.asker.Notify(ctx, "warning", fmt.Sprintf("pigate: the extension is of version %s, the gate of %s; run `pigate install`, then /reload",
			text.Visible(theirs), s.Version))
	}
}

func (s *Server) start(ctx context.Context, p sessionStart) error {
	s.mu.Lock()
	host := s.host.Host
	s.mu.Unlock()
	var remote, branch string
	if s.Checkout != nil {
		remote, branch = s.Checkout(p.Root)
	}
	return s.Guard.StartSession(ctx, p.Session, gate.SessionStart{
		Reason: p.Reason, File: p.File, Cwd: p.Cwd, Root: p.Root, Trusted: p.Trusted, HasUI: p.HasUI, Mode: p.Mode,
		Remote: remote, Branch: branch, Host: s.Hostname, User: s.User, OS: runtime.GOOS, Version: s.Version, HostApp: host.Name, HostVersion: host.Version,
		Parent: p.Begun, Agent: p.Agent,
	})
}

func (s *Server) sessionEnd(ctx context.Context, p sessionEnd) (empty, error) {
	if err := s.Guard.EndSession(ctx, p.Session, p.Reason); err != nil {
		return empty{}, fmt.Errorf("end session: %w", err)
	}
	return empty{}, nil
}

func (s *Server) toolCall(ctx context.Context, p toolCall) (toolRuling, error) {
	if err := p.check(); err != nil {
		return toolRuling{}, jrpc2.Errorf(jrpc2.InvalidParams, "tool/call: %v", err)
	}
	ctx, end, ok := s.begin(ctx, toolAbort{p.Session, p.Call})
	if !ok {
		return toolRuling{}, jrpc2.Errorf(jrpc2.InvalidParams, "tool/call: the call %q is open already", p.Call)
	}
	defer end()
	s.mu.Lock()
	known := s.sessions[p.Session]
	s.sessions[p.Session] = true
	s.mu.Unlock()
	if !known {
		s.listen(p.place)
		if err := s.start(context.WithoutCancel(ctx), sessionStart{place: p.place, Reason: "implicit"}); err != nil {
			s.log(err.Error())
		}
	}
	r := s.Guard.Decide(ctx, s.request(p))
	return toolRuling{Decision: r.Action, Reason: r.Reason, Verdict: r.Verdict.Effect, Basis: r.Basis, Seq: r.Seq}, nil
}

func (s *Server) request(p toolCall) policy.Request {
	return policy.Request{
		Session: p.Session, Call: p.Call, Parent: p.Parent, Tool: p.Tool, Input: p.Input,
		Cwd: p.Cwd, Root: p.project(), Trusted: p.Trusted, Approved: p.Approved, HasUI: p.HasUI, Mode: p.Mode,
		ParentSession: p.Begun, Agent: p.Agent, Rows: p.Rows, Columns: p.Columns, OS: runtime.GOOS, Home: s.Home, Installation: s.Installation,
	}
}

func (s *Server) toolResult(ctx context.Context, p toolResult) (toolResultAnswer, error) {
	mismatch, err := s.Guard.Outcome(ctx, p.Session, p.Call, gate.Outcome{
		Tool: p.Tool, OK: p.OK, ExitCode: p.ExitCode, Duration: p.Duration, InputDigest: p.InputDigest,
	})
	if err != nil {
		return toolResultAnswer{}, fmt.Errorf("record outcome: %w", err)
	}
	return toolResultAnswer{Mismatch: mismatch}, nil
}
