package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// Obstacle is why a recorded call cannot be decided again. It is an error, to be
// recognised with errors.As or, one of them, with errors.Is.
type Obstacle string

// The obstacles, and what of an entry each is about.
const (
	// ObstacleErased is an entry without its private text.
	ObstacleErased Obstacle = "erased"
	// ObstacleDropped is one whose private text was not kept, because it could not
	// be searched for secrets.
	ObstacleDropped Obstacle = "dropped"
	// ObstacleMasked is a secret that was taken out of a text which a verdict may
	// depend on.
	ObstacleMasked Obstacle = "masked"
	// ObstacleOmitted is a command that was too long to be recorded.
	ObstacleOmitted Obstacle = "omitted"
	// ObstacleFolder is an imported call of which the file does not say where it
	// ran.
	ObstacleFolder Obstacle = "folder"
	// ObstacleAnalyser is a call that another version of the analysis took apart.
	ObstacleAnalyser Obstacle = "analyser"
	// ObstaclePolicy is a policy whose text the journal does not have, or not as it
	// was in force.
	ObstaclePolicy Obstacle = "policy"
)

var obstacleWords = map[Obstacle]string{
	ObstacleErased:   "its text was erased",
	ObstacleDropped:  "its text was not kept",
	ObstacleMasked:   "a secret was masked in it",
	ObstacleOmitted:  "its text was too long to be recorded",
	ObstacleFolder:   "the folder it ran in is not known",
	ObstacleAnalyser: "another version of pigate analysed it",
	ObstaclePolicy:   "the journal does not have its policy",
}

// Error says the obstacle in words.
func (o Obstacle) Error() string { return "the call cannot be decided again: " + o.Words() }

// Words says the obstacle in a short phrase.
func (o Obstacle) Words() string {
	if words := obstacleWords[o]; words != "" {
		return words
	}
	return string(o)
}

// requestFields are the fields that make a request, beside those of Row.
type requestFields struct {
	Call         string              `json:"call"`
	Parent       string              `json:"parent"`
	Cwd          string              `json:"cwd"`
	Root         string              `json:"root"`
	Home         string              `json:"home"`
	Trusted      bool                `json:"trusted"`
	HasUI        bool                `json:"has_ui"`
	Mode         string              `json:"mode"`
	OS           string              `json:"os"`
	Installation policy.Installation `json:"installation"`
	Checkout     policy.Checkout     `json:"checkout"`
	Links        policy.LinkFacts    `json:"links"`
	Analyser     string              `json:"analyser"`
	Masked       []string            `json:"masked"`
	Dropped      *string             `json:"dropped"`
}

// Request returns the call of a decision or of an imported call as it was put to
// the gate, with the link facts that were found then, for policy.Derive and
// policy.Evaluate.
//
// What keeps it from being decided again is an error of type Obstacle. With
// ObstacleAnalyser, the last that is looked for, the request is whole: the
// resources that are derived from it now are not those that were judged then.
// Any other error is an entry of another kind, or one that cannot be read.
//
// An imported call says neither whether its project was trusted, nor where the
// gate's own files were, nor what links led to: those fields are empty, and it
// is judged as if there were no links.
func (r Row) Request() (policy.Request, policy.LinkFacts, error) {
	if r.Kind != gate.KindDecision && r.Kind != gate.KindImport {
		return policy.Request{}, nil, fmt.Errorf("entry %d is no call but of kind %q", r.Seq, r.Kind)
	}
	if r.Erased {
		return policy.Request{}, nil, ObstacleErased
	}
	var a requestFields
	if err := json.Unmarshal(r.Body, &a); err != nil {
		return policy.Request{}, nil, fmt.Errorf("entry %d: %w", r.Seq, err)
	}
	req := policy.Request{Session: r.Session, Call: a.Call, Parent: a.Parent, Tool: r.Tool, Input: r.Input, Cwd: a.Cwd, Root: a.Root,
		Trusted: a.Trusted, HasUI: a.HasUI, Mode: a.Mode, OS: a.OS, Home: a.Home, Installation: a.Installation, Checkout: a.Checkout}
	field := policy.DecidingField(r.Tool)
	switch {
	case a.Dropped != nil:
		return policy.Request{}, nil, ObstacleDropped
	case hidden(r.Tool) || a.masks("/cwd", "/root", "/home", "/installation", "/checkout", "/links") || field != "" && a.masks("/input/"+field):
		return policy.Request{}, nil, ObstacleMasked
	case field != "" && policy.Omitted(r.Input):
		return policy.Request{}, nil, ObstacleOmitted
	case field != "" && a.Cwd == "":
		return policy.Request{}, nil, ObstacleFolder
	case a.Analyser != policy.Analyser:
		return req, a.Links, ObstacleAnalyser
	}
	return req, a.Links, nil
}

// masks reports whether a secret was masked in one of the fields or below.
func (a *requestFields) masks(fields ...string) bool {
	for _, masked := range a.Masked {
		for _, field := range fields {
			if rest, ok := strings.CutPrefix(masked, field); ok && (rest == "" || rest[0] == '/') {
				return true
			}
		}
	}
	return false
}

// hidden reports whether a text of the public part was masked, which no list
// says.
func hidden(name string) bool { return name == dropped || strings.Contains(name, "[secret:") }

// Policy returns the policy with a digest. When the journal's files do not have
// its text as it was in force, because it is in none of them, was erased, or
// held a secret, the error is ObstaclePolicy.
func (r *Reader) Policy(ctx context.Context, digest string) (*policy.Policy, error) {
	body, err := r.policy(ctx, digest)
	if err != nil {
		return nil, r.fail(err)
	}
	if bytes.Equal(body, []byte("null")) {
		return nil, ObstaclePolicy
	}
	p, err := policy.Parse(body)
	if err != nil || p.Digest() != digest {
		return nil, ObstaclePolicy
	}
	return p, nil
}
