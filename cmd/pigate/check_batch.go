package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"time"

	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/text"
)

// batchRequest is one line of `check --batch`. With Allow, Ask or Deny no file is
// read; Settings are then the configuration's own keys.
type batchRequest struct {
	ID       string          `json:"id"`
	Tool     string          `json:"tool"`
	Input    json.RawMessage `json:"input"`
	Cwd      string          `json:"cwd"`
	Allow    json.RawMessage `json:"allow"`
	Ask      json.RawMessage `json:"ask"`
	Deny     json.RawMessage `json:"deny"`
	Settings json.RawMessage `json:"settings"`
	Trusted  *bool           `json:"trusted"`
	OS       string          `json:"os"`
	Home     string          `json:"home"`
}

// batchAnswer is one line of the answer; `check --json` prints the same.
type batchAnswer struct {
	ID        string            `json:"id,omitempty"`
	Verdict   policy.Effect     `json:"verdict"`
	Resources []policy.Resource `json:"resources"`
	Reasons   []policy.Reason   `json:"reasons"`
	// InPi is the verdict that Pi would give now, when it is another one because
	// nobody was asked whether the project is trusted.
	InPi  policy.Effect `json:"in_pi,omitempty"`
	Error string        `json:"error,omitempty"`
}

func answer(id string, c *policy.Call, v policy.Verdict) batchAnswer {
	a := batchAnswer{ID: id, Verdict: v.Effect, Resources: c.Resources, Reasons: v.Reasons}
	if a.Resources == nil {
		a.Resources = []policy.Resource{}
	}
	if a.Reasons == nil {
		a.Reasons = []policy.Reason{}
	}
	return a
}

// checkBatch answers each line in order. A line that is no request is answered
// with verdict ask and an error, so that answers never shift; the exit code is
// then 1.
func checkBatch(env environment, o checkOptions) error {
	where, err := env.installation("")
	if err != nil {
		return err
	}
	b := batch{env: env, options: o, where: where, reader: config.NewReader(where.AgentDir)}
	in, out := bufio.NewReader(env.stdin), bufio.NewWriter(env.stdout)
	encoder := text.NewEncoder(out)
	bad := 0
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			reply, wrong := b.answer(line)
			if wrong != nil {
				bad++
				fmt.Fprintf(env.stderr, "pigate: line %d: %v\n", number, wrong)
			}
			if err := encoder.Encode(reply); err != nil {
				return fmt.Errorf("write answer: %w", err)
			}
			if in.Buffered() == 0 { // whoever feeds us may wait for the answer
				if err := out.Flush(); err != nil {
					return fmt.Errorf("write answer: %w", err)
				}
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("read requests: %w", err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write answer: %w", err)
	}
	if bad > 0 {
		return fmt.Errorf("%d of the lines are no valid requests", bad)
	}
	return nil
}

type batch struct {
	env     environment
	options checkOptions
	where   policy.Installation
	reader  *config.Loader
}

func (b batch) answer(line []byte) (batchAnswer, error) {
	var q batchRequest
	if err := json.Unmarshal(line, &q); err != nil {
		return wrongRequest(q.ID, fmt.Errorf("no valid request: %w", err))
	}
	req, err := b.request(q)
	if err != nil {
		return wrongRequest(q.ID, err)
	}
	pol, err := b.policy(q, req)
	if err != nil {
		return wrongRequest(q.ID, err)
	}
	if !q.ruled() && req.OS == runtime.GOOS {
		req.Checkout = checkoutOf(req.Root)
	}
	call, verdict := decide(pol, req)
	return answer(q.ID, call, verdict), nil
}

func wrongRequest(id string, err error) (batchAnswer, error) {
	return batchAnswer{ID: id, Verdict: policy.Ask, Resources: []policy.Resource{}, Reasons: []policy.Reason{}, Error: err.Error()}, err
}

func (b batch) request(q batchRequest) (policy.Request, error) {
	req := policy.Request{Tool: q.Tool, Input: q.Input, Cwd: q.Cwd, Trusted: true, HasUI: true, OS: q.OS, Home: q.Home}
	if req.Tool == "" {
		return req, errors.New(`"tool" is missing`)
	}
	if q.Trusted != nil {
		req.Trusted = *q.Trusted
	}
	if req.Cwd == "" {
		req.Cwd = b.env.cwd
	}
	if req.OS == "" {
		req.OS = runtime.GOOS
	}
	if req.Home == "" {
		req.Home = b.env.home
	}
	if !filepath.IsAbs(req.Cwd) && req.OS == runtime.GOOS {
		return req, errors.New(`"cwd" is not an absolute path`)
	}
	req.Root = req.Cwd
	req.Installation = b.where
	if req.Home != b.env.home { // another person or machine, with the usual folder
		agent := req.Home + "/.pi/agent"
		req.Installation = policy.Installation{AgentDir: agent, Journal: agent + "/pigate/journal.db"}
	}
	return req, nil
}

// ruled reports a request that brings its own rules, so that no file counts.
func (q *batchRequest) ruled() bool {
	return given(q.Allow) || given(q.Ask) || given(q.Deny) || given(q.Settings)
}

// given reports a value that is there and is not null.
func given(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

func (b batch) policy(q batchRequest, req policy.Request) (*policy.Policy, error) {
	if !q.ruled() {
		return b.reader.Load(req.Root, policy.TrustOf(req.Trusted, true)).Policy, nil
	}
	settings, err := config.ParseSettings(q.Settings)
	if err != nil {
		return nil, fmt.Errorf(`"settings": %w`, err)
	}
	var rules []rule.Rule
	for _, list := range []struct {
		effect rule.Effect
		text   json.RawMessage
	}{{rule.Allow, q.Allow}, {rule.Deny, q.Deny}, {rule.Ask, q.Ask}} {
		parsed, err := config.ParseRules(list.text, list.effect, time.Now())
		if err != nil {
			return nil, err
		}
		rules = append(rules, parsed...)
	}
	return policy.New(settings, rules), nil
}
