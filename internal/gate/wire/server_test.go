package wire

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// host talks to a server as an extension does: a line each.
type host struct {
	t      *testing.T
	in     io.WriteCloser
	out    <-chan string // closed when the server has closed its output
	book   *book
	guard  *gate.Guard
	server *Server
	done   chan error

	started <-chan string // roots of sessions
	id      int
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// book records in memory.
type book struct {
	mu      sync.Mutex
	entries []gate.Entry
}

func (b *book) Record(_ context.Context, e *gate.Entry) (int64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.entries = append(b.entries, *e)
	return int64(len(b.entries)), nil
}

func (b *book) Missed(*gate.Entry, error) {}

func (b *book) Policy(context.Context, string, []byte) error { return nil }

func (b *book) Approved(context.Context, string, string, string) (found, same bool, err error) {
	return false, false, nil
}

func (b *book) kinds() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var kinds []string
	for _, e := range b.entries {
		kinds = append(kinds, string(e.Kind))
	}
	return strings.Join(kinds, " ")
}

type rules struct{}

func (rules) Load(_ string, trust policy.Trust) (*policy.Policy, bool, []string) {
	allowed, err := rule.Parse("shell:ls *")
	if err != nil {
		panic(err)
	}
	allowed.Effect = rule.Allow
	return policy.New(policy.DefaultSettings(), []rule.Rule{allowed}), trust == policy.TrustedByPerson, nil
}

func (rules) Save(string, []string) (string, []string, error) { return "", nil, nil }

func newHost(t *testing.T) *host {
	t.Helper()
	theirs, in := io.Pipe()
	out, ours := io.Pipe()
	// Answers are taken at once, as a host does: the pipe itself holds nothing.
	lines := make(chan string, 64)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			lines <- s.Text()
		}
	}()
	h := &host{t: t, in: in, out: lines, book: &book{}, done: make(chan error, 1)}
	server := &Server{Version: "test", Home: "/home/u", Status: func(root string, trust policy.Trust, grants []gate.Grant) string {
		words := make([]string, len(grants))
		for i, g := range grants {
			words[i] = g.Words(policy.CoverTarget)
		}
		return fmt.Sprintf("%s, trust %d: %s", root, trust, strings.Join(words, ", "))
	}}
	server.Recent, server.Why = recent, why
	server.Revoke = func(_ context.Context, root, session string) (string, error) {
		return "revoked in " + root + " by " + session, nil
	}
	started := make(chan string, 1)
	h.started, server.Started = started, func(_ context.Context, root string) { started <- root }
	server.Guard = &gate.Guard{Rules: rules{}, Asker: server.Asker(), Recorder: h.book, Now: time.Now,
		Links: func([]string, string) policy.LinkFacts { return nil }}
	h.guard, h.server = server.Guard, server
	go func() { h.done <- server.Serve(context.Background(), theirs, ours) }()
	t.Cleanup(func() { _ = in.Close() })
	return h
}

func (h *host) send(v any) {
	h.t.Helper()
	line, err := json.Marshal(v)
	if err != nil {
		h.t.Fatal(err)
	}
	if _, err := h.in.Write(append(line, '\n')); err != nil {
		h.t.Fatal(err)
	}
}

func (h *host) request(method string, params any) {
	h.t.Helper()
	h.id++
	h.send(map[string]any{"jsonrpc": "2.0", "id": h.id, "method": method, "params": params})
}

func (h *host) receive() message {
	h.t.Helper()
	line, open := <-h.out
	if !open {
		h.t.Fatal("the server closed its output")
	}
	var m message
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		h.t.Fatalf("%q is no message: %v", line, err)
	}
	return m
}

func (h *host) call(method string, params any) message {
	h.t.Helper()
	h.request(method, params)
	return h.receive()
}

func (h *host) initialize() *host {
	h.t.Helper()
	if m := h.call("initialize", map[string]any{"protocols": []int{1, 9}}); m.Error != nil {
		h.t.Fatalf("initialize: %+v", m.Error)
	}
	return h
}

func callOf(id, command string) map[string]any {
	return map[string]any{"session": "s", "call": id, "tool": "bash", "input": map[string]string{"command": command},
		"cwd": "/home/u/proj", "trusted": true, "has_ui": true, "mode": "rpc"}
}

func TestApprovalReachesTheGate(t *testing.T) {
	for _, says := range []map[string]any{{"trusted": true}, {"trusted": true, "approved": false}, {"trusted": false, "approved": true}, {"trusted": true, "approved": true}} {
		h := newHost(t).initialize()
		params := callOf("c1", "ls")
		maps.Copy(params, says)
		if m := h.call("tool/call", params); m.Error != nil {
			t.Fatalf("%v: %+v", says, m.Error)
		}
		want := says["trusted"] == true && says["approved"] == true // what these rules ask for
		if got := h.book.entries[1].Decision.Request.Trusted; got != want {
			t.Errorf("%v: recorded as trusted %t, want %t", says, got, want)
		}
	}
}

func TestAllowedCallRuns(t *testing.T) {
	h := newHost(t).initialize()
	m := h.call("tool/call", callOf("c1", "ls"))
	if got := string(m.Result); got != `{"decision":"run","verdict":"allow","basis":"rule","seq":2}` {
		t.Errorf("result = %s, want run by rule as entry 2, after the session's start", got)
	}
	if kinds := h.book.kinds(); kinds != "session_start decision" {
		t.Errorf("entries = %s, want the session to be opened by its first call", kinds)
	}
}

func TestDialog(t *testing.T) {
	tests := []struct {
		name, answer, want string
	}{
		{"approved", `{"choice":"Allow once"}`, `"decision":"run"`},
		{"dismissed", `{"choice":null}`, `"decision":"block"`},
		{"another text", `{"choice":"allow once"}`, `"decision":"block"`},
		{"closed with the call", `{"choice":"Allow once","aborted":true}`, `"decision":"block"`},
		{"no object", `"Allow once"`, `"decision":"block"`},
		{"wrong type", `{"choice":1}`, `"decision":"block"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHost(t).initialize()
			h.request("tool/call", callOf("c1", "make"))
			question := h.receive()
			if question.Method != "ui/select" || !strings.Contains(string(question.Params), `"call":"c1","title":"bash: make\nfor session: this command, any timeout or other field\nruns the project's own code · no rule allows it\n`) {
				t.Fatalf("question = %+v, want ui/select about the call", question)
			}
			h.send(map[string]any{"jsonrpc": "2.0", "id": question.ID, "result": json.RawMessage(tt.answer)})
			if m := h.receive(); !strings.Contains(string(m.Result), tt.want) {
				t.Errorf("result = %s, want %s", m.Result, tt.want)
			}
		})
	}
}

func TestErrorFromTheHostBlocks(t *testing.T) {
	h := newHost(t).initialize()
	h.request("tool/call", callOf("c1", "make"))
	question := h.receive()
	h.send(map[string]any{"jsonrpc": "2.0", "id": question.ID, "error": map[string]any{"code": -1, "message": "no dialogs today"}})
	if m := h.receive(); !strings.Contains(string(m.Result), `"decision":"block"`) || !strings.Contains(string(m.Result), "no dialogs today") {
		t.Errorf("result = %s, want a block that says why", m.Result)
	}
}

func TestAbortEndsTheQuestion(t *testing.T) {
	h := newHost(t).initialize()
	h.request("tool/call", callOf("c1", "make"))
	h.receive() // the question, which stays open
	h.send(map[string]any{"jsonrpc": "2.0", "method": "tool/abort", "params": map[string]string{"session": "s", "call": "c1"}})
	if m := h.receive(); !strings.Contains(string(m.Result), `"decision":"block","reason":"pigate: the call was aborted`) {
		t.Errorf("result = %s, want a block because of the abort", m.Result)
	}
}

func TestEndOfInputAnswersWhatCameBefore(t *testing.T) {
	h := newHost(t)
	h.request("initialize", map[string]any{"protocols": []int{1}})
	h.request("tool/call", callOf("c1", "ls"))
	h.request("tool/call", callOf("c2", "make"))
	if err := h.in.Close(); err != nil {
		t.Fatal(err)
	}
	answers := map[string]string{}
	for range 3 {
		m := h.receive()
		for m.Method != "" { // a question that nobody can answer any more
			m = h.receive()
		}
		answers[string(m.ID)] = string(m.Result)
	}
	if !strings.Contains(answers["2"], `"decision":"run"`) || !strings.Contains(answers["3"], `"decision":"block"`) {
		t.Errorf("answers = %v, want the first call to run and the second blocked", answers)
	}
	if err := <-h.done; err != nil {
		t.Errorf("Serve = %v, want nil at the end of the input", err)
	}
}

func TestWrongParametersAreRefused(t *testing.T) {
	h := newHost(t).initialize()
	change := func(key string, value any) map[string]any {
		params := callOf("c1", "ls")
		if params[key] = value; value == nil {
			delete(params, key)
		}
		return params
	}
	for _, params := range []any{
		change("session", nil), change("call", nil), change("tool", nil), change("cwd", "relative"), change("root", "relative"),
		change("trusted", "yes"), change("has_ui", 1), []int{1}, nil,
	} {
		if m := h.call("tool/call", params); m.Error == nil || m.Error.Code != -32602 {
			t.Errorf("tool/call with %v: error = %+v, want -32602", params, m.Error)
		}
	}
	if m := h.call("tool/run", nil); m.Error == nil || m.Error.Code != -32601 {
		t.Errorf("an unknown method: error = %+v, want -32601", m.Error)
	}
}

func TestInputIsJudgedNotRefused(t *testing.T) {
	h := newHost(t).initialize()
	for _, input := range []string{`null`, `5`, `[]`, `{"command":null}`, `{"command":["ls"]}`} {
		params := callOf("c"+input, "")
		params["input"], params["has_ui"] = json.RawMessage(input), false
		if m := h.call("tool/call", params); !strings.Contains(string(m.Result), `"decision":"block"`) {
			t.Errorf("input %s: result = %s %+v, want a block", input, m.Result, m.Error)
		}
	}
}

func TestOutcomeAndStatus(t *testing.T) {
	h := newHost(t).initialize()
	input := `{"command":"ls"}`
	h.call("tool/call", callOf("c1", "ls"))
	m := h.call("tool/result", map[string]any{"session": "s", "call": "c1", "tool": "bash", "ok": false, "exit_code": 2, "input_digest": gate.Digest([]byte(input))})
	if string(m.Result) != `{"mismatch":false}` {
		t.Errorf("result = %s, want no mismatch for the same bytes", m.Result)
	}
	h.call("tool/call", callOf("c2", "ls"))
	h.request("tool/result", map[string]any{"session": "s", "call": "c2", "tool": "bash", "ok": true, "input_digest": "00"})
	if notice := h.receive(); notice.Method != "ui/notify" || !strings.Contains(string(notice.Params), "changed after it was approved") {
		t.Errorf("notice = %+v, want the person to be told", notice)
	}
	if m := h.receive(); string(m.Result) != `{"mismatch":true}` {
		t.Errorf("result = %s, want a mismatch", m.Result)
	}
	for want, says := range []map[string]any{{}, {"trusted": true}, {"trusted": true, "approved": true}} {
		says["root"] = "/p"
		if m := h.call("gate/status", says); string(m.Result) != fmt.Sprintf(`{"report":"/p, trust %d: "}`, want) {
			t.Errorf("%v: result = %s, want the report with trust %d", says, m.Result, want)
		}
	}
	if m := h.call("session/end", map[string]any{"session": "s", "reason": "quit"}); m.Error != nil {
		t.Errorf("session/end: %+v", m.Error)
	}
	if kinds := h.book.kinds(); !strings.HasSuffix(kinds, "outcome session_end") {
		t.Errorf("entries = %s, want the outcomes and the end", kinds)
	}
}

func TestSessionStartDropsGrants(t *testing.T) {
	h := newHost(t).initialize()
	ask := func(id string) message {
		h.request("tool/call", callOf(id, "make"))
		return h.receive()
	}
	question := ask("c1")
	h.send(map[string]any{"jsonrpc": "2.0", "id": question.ID, "result": map[string]string{"choice": gate.OptionSession}})
	h.receive()
	if m := ask("c2"); !strings.Contains(string(m.Result), `"basis":"grant"`) {
		t.Fatalf("the same call again: %s, want run by grant", m.Result)
	}
	h.call("session/start", map[string]any{"session": "s", "cwd": "/home/u/proj", "reason": "new"})
	if m := ask("c3"); m.Method != "ui/select" {
		t.Errorf("after session/start: %+v, want a new question", m)
	}
}

func TestSubAgentsAskThroughTheServer(t *testing.T) {
	h := newHost(t)
	type listening struct {
		session, root string
		ask           func(context.Context, gate.Question) gate.Reply
	}
	began, ended := make(chan listening, 4), make(chan string, 4)
	h.server.Listen = func(session, root string, ask func(context.Context, gate.Question) gate.Reply) (func(), error) {
		began <- listening{session, root, ask}
		return func() { ended <- session }, nil
	}
	h.initialize()
	h.call("session/start", map[string]any{"session": "s", "cwd": "/home/u/proj", "has_ui": true, "mode": "rpc", "reason": "startup"})
	<-h.started
	l := <-began
	if l.session != "s" || l.root != "/home/u/proj" {
		t.Errorf("it listens for %q in %q", l.session, l.root)
	}
	asked := policy.Request{Session: "child", Call: "c", Tool: "bash", Input: json.RawMessage(`{"command":"make"}`), Cwd: "/home/u/proj", Root: "/home/u/proj", OS: "linux", Home: "/home/u"}
	replies := make(chan gate.Reply, 1)
	go func() { replies <- l.ask(t.Context(), gate.Question{Request: asked, Agent: "x"}) }()
	question := h.receive()
	if question.Method != "ui/select" || !strings.Contains(string(question.Params), `"call":"sub-agent:child:c","title":"sub-agent x · bash: make\n`) {
		t.Errorf("question = %s %s", question.Method, question.Params)
	}
	h.send(map[string]any{"jsonrpc": "2.0", "id": question.ID, "result": map[string]string{"choice": gate.OptionOnce}})
	if reply := <-replies; reply.Action != policy.Run || reply.Answer != gate.AnswerOnce {
		t.Errorf("reply = %+v", reply)
	}

	ctx, cancel := context.WithCancel(t.Context())
	go func() { replies <- l.ask(ctx, gate.Question{Request: asked}) }()
	h.receive()
	cancel()
	if reply := <-replies; reply.Action == policy.Run {
		t.Errorf("a question that nobody waits for: %+v", reply)
	}
	if closed := h.receive(); closed.Method != "ui/close" || string(closed.Params) != `{"call":"sub-agent:child:c"}` {
		t.Errorf("the host is told %s %s", closed.Method, closed.Params)
	}
	h.call("session/start", map[string]any{"session": "s2", "cwd": "/home/u/proj", "has_ui": false, "reason": "new"})
	if session := <-ended; session != "s" {
		t.Errorf("it ends the listening for %q", session)
	}
	select {
	case l := <-began:
		t.Errorf("without a person it listens for %q", l.session)
	default:
	}
}

func TestACallThatWaitsElsewhereIsTold(t *testing.T) {
	h := newHost(t)
	h.guard.Elsewhere = h.server.Elsewhere
	h.guard.Parents = approves{}
	h.initialize()
	params := callOf("c1", "make")
	params["has_ui"], params["parent_session"], params["agent"] = false, "p", "x"
	h.request("tool/call", params)
	var seen []string
	for range 3 {
		m := h.receive()
		seen = append(seen, m.Method+string(m.Params)+string(m.Result))
	}
	if want := `ui/waiting{"call":"c1","waiting":true} ui/waiting{"call":"c1","waiting":false} {"decision":"run","verdict":"ask","basis":"user","seq":2}`; strings.Join(seen, " ") != want {
		t.Errorf("the host hears %q, want %q", seen, want)
	}
	if start := h.book.entries[0].Start; start.Parent != "p" || start.Agent != "x" {
		t.Errorf("the session is recorded as %+v", start)
	}
}

// approves says yes to every sub-agent.
type approves struct{}

func (approves) Root(string) string { return "" }

func (approves) Ask(context.Context, string, gate.Question) (gate.Reply, error) {
	return gate.Reply{Action: policy.Run, Answer: gate.AnswerOnce}, nil
}

// FuzzServer feeds lines to a server: whatever they hold, it neither panics nor
// hangs, and no call runs that is not exactly the allowed one.
func FuzzServer(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocols":[1]}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":2,"method":"tool/call","params":{"session":"s","call":"c","tool":"bash","input":{"command":"x"},"cwd":"/"}}`))
	f.Add([]byte(`[{"jsonrpc":"2.0","id":2,"method":"tool/call"}]`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":9,"result":{"choice":"Allow once"}}`))
	f.Add([]byte("\x00\xff{}"))
	f.Fuzz(func(t *testing.T, line []byte) {
		records := &book{}
		server := &Server{Version: "test", Home: "/", Status: func(string, policy.Trust, []gate.Grant) string { return "" }}
		server.Guard = &gate.Guard{Rules: rules{}, Asker: server.Asker(), Recorder: records, Now: time.Now,
			Links: func([]string, string) policy.LinkFacts { return nil }}
		in := `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocols":[1]}}` + "\n" + string(line) + "\n"
		if err := server.Serve(t.Context(), strings.NewReader(in), discard{}); err != nil {
			t.Errorf("Serve: %v", err)
		}
		for _, e := range records.entries {
			if e.Kind == gate.KindDecision && e.Decision.Action == policy.Run && e.Decision.Basis == policy.BasisUser {
				t.Errorf("a call ran by the answer of a person who was never there: %+v", e.Decision)
			}
		}
	})
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }
