package config

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/pigate/pigate/internal/gate/policy"
)

// NewReader returns a Loader that only looks: its Load does not create the
// global file. It is for commands that ask what would happen.
func NewReader(agentDir string) *Loader {
	l := NewLoader(agentDir)
	l.readOnly = true
	return l
}

// ParseSettings reads settings that stand alone: an object with the keys of a
// configuration file. Its lists and its keys about the journal must be right,
// and mean nothing. Empty text and null give the defaults. The error says what
// is wrong, without a position.
func ParseSettings(raw json.RawMessage) (policy.Settings, error) {
	if text := bytes.TrimSpace(raw); len(text) == 0 || string(text) == "null" {
		return policy.DefaultSettings(), nil
	}
	p := parse(raw, "", true)
	if p.invalid {
		return strictSettings(), errors.New(p.why.Text)
	}
	return p.layer().over(builtIn()).settings(), nil
}
