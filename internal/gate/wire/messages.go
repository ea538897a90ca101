// Package wire is the JSON-RPC server that a host's extension talks to. It
// translates between messages and package gate and decides nothing itself.
// docs/protocol.md describes the messages for those who write another host.
package wire

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"time"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// Version is the protocol's version.
const Version = 1

// The error codes of the protocol beyond those of JSON-RPC.
const (
	CodeNoVersion     = -32001
	CodeUninitialized = -32002
)

type initializeParams struct {
	Protocols []int `json:"protocols"`
	Host      struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"host"`
	Extension string `json:"extension"`
}

type initializeResult struct {
	Protocol int    `json:"protocol"`
	Version  string `json:"version"`
}

// place are the facts about a session that several messages carry.
type place struct {
	Session  string `json:"session"`
	Cwd      string `json:"cwd"`
	Root     string `json:"root"`
	Trusted  bool   `json:"trusted"`
	Approved bool   `json:"approved"`
	HasUI    bool   `json:"has_ui"`
	Mode     string `json:"mode"`
	Rows     int    `json:"rows"`
	Columns  int    `json:"columns"`
	Begun    string `json:"parent_session"` // by which session, of a sub-agent's
	Agent    string `json:"agent"`
}

func (p place) check() error {
	switch {
	case p.Session == "":
		return errors.New(`"session" is missing`)
	case !filepath.IsAbs(p.Cwd):
		return errors.New(`"cwd" is not an absolute path`)
	case p.Root != "" && !filepath.IsAbs(p.Root):
		return errors.New(`"root" is not an absolute path`)
	}
	return nil
}

// project is the project's folder, or the working directory of a session that
// belongs to none.
func (p place) project() string {
	if p.Root == "" {
		return p.Cwd
	}
	return p.Root
}

type sessionStart struct {
	place
	Reason string `json:"reason"`
	File   string `json:"file"`
}

type sessionEnd struct {
	Session string `json:"session"`
	Reason  string `json:"reason"`
}

type toolCall struct {
	place
	Call   string          `json:"call"`
	Parent string          `json:"parent"`
	Tool   string          `json:"tool"`
	Input  json.RawMessage `json:"input"`
}

func (c toolCall) check() error {
	switch {
	case c.Call == "":
		return errors.New(`"call" is missing`)
	case c.Tool == "":
		return errors.New(`"tool" is missing`)
	}
	return c.place.check()
}

type toolRuling struct {
	Decision policy.Action `json:"decision"`
	Reason   string        `json:"reason,omitempty"`
	Verdict  policy.Effect `json:"verdict"`
	Basis    policy.Basis  `json:"basis"`
	Seq      int64         `json:"seq"`
}

type toolAbort struct {
	Session string `json:"session"`
	Call    string `json:"call"`
}

type toolResult struct {
	Session     string `json:"session"`
	Call        string `json:"call"`
	Tool        string `json:"tool"`
	OK          bool   `json:"ok"`
	ExitCode    *int   `json:"exit_code"`
	Duration    int64  `json:"duration_us"`
	InputDigest string `json:"input_digest"`
}

type toolResultAnswer struct {
	Mismatch bool `json:"mismatch"`
}

type statusParams struct {
	Session  string `json:"session"`
	Root     string `json:"root"`
	Trusted  bool   `json:"trusted"`
	Approved bool   `json:"approved"`
}

type logParams struct {
	Root  string `json:"root"`
	Limit int    `json:"limit"`
}

type revokeParams struct {
	Session string `json:"session"`
	Root    string `json:"root"`
}

type whyParams struct {
	Session string `json:"session"`
}

type suggestParams struct {
	place
}

type reportResult struct {
	Report string `json:"report"`
}

type selectParams struct {
	Call    string   `json:"call"`
	Title   string   `json:"title"`
	Options []string `json:"options"`
}

type selectResult struct {
	Choice  *string   `json:"choice"`
	Aborted bool      `json:"aborted"`
	Keys    *keysSeen `json:"keys"`
}

// keysSeen are times in milliseconds.
type keysSeen struct {
	Before *int64 `json:"before_ms"`
	Pause  int64  `json:"pause_ms"`
}

// keys is what was told in the words of package gate; nil for nothing.
func (k *keysSeen) keys() *gate.Keys {
	if k == nil {
		return nil
	}
	keys := &gate.Keys{Before: -1, Pause: time.Duration(k.Pause) * time.Millisecond}
	if k.Before != nil && *k.Before >= 0 {
		keys.Before = time.Duration(*k.Before) * time.Millisecond
	}
	return keys
}

type editorParams struct {
	Call    string `json:"call"`
	Title   string `json:"title"`
	Prefill string `json:"prefill"`
}

type editorResult struct {
	Text    *string `json:"text"`
	Aborted bool    `json:"aborted"`
}

type closeParams struct {
	Call string `json:"call"`
}

type waitingParams struct {
	Call    string `json:"call"`
	Waiting bool   `json:"waiting"`
}

type notifyParams struct {
	Level   string `json:"level"`
	Message string `json:"message"`
}

type empty struct{}
