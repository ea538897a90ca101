package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// parts are an entry as it will be stored, before it has a number.
type parts struct {
	kind          gate.Kind
	session, call string // as they stand in pub
	pub           []byte
	body          []byte // nil when there is nothing private
}

// head is what every entry says of itself in public. The triggers of the file
// count on kind and time to come first.
type head struct {
	Kind    gate.Kind `json:"kind"`
	Time    int64     `json:"time"`
	Session string    `json:"session,omitempty"`
	Call    string    `json:"call,omitempty"`
}

// publicCall is what may be known of a call that is decided: nothing that the
// person or the agent wrote.
type publicCall struct {
	Parent  string `json:"parent,omitempty"`
	Tool    string `json:"tool"`
	Project string `json:"project,omitempty"` // a keyed digest of the folder
}

type publicDecision struct {
	head
	publicCall
	Trusted  bool            `json:"trusted"`
	HasUI    bool            `json:"has_ui"`
	Mode     string          `json:"mode,omitempty"`
	OS       string          `json:"os"`
	Verdict  policy.Effect   `json:"verdict"`
	Causes   []policy.Cause  `json:"causes"`
	Answer   gate.Answer     `json:"answer,omitempty"`
	Waited   int64           `json:"waited_us,omitempty"`
	Action   policy.Action   `json:"decision"`
	Basis    policy.Basis    `json:"basis"`
	Covers   policy.Coverage `json:"covers,omitempty"`
	AskedIn  string          `json:"asked_in,omitempty"`
	Sub      bool            `json:"sub_agents,omitempty"`
	Policy   string          `json:"policy"`
	Analyser string          `json:"analyser"`
}

type privateDecision struct {
	Input        json.RawMessage     `json:"input"`
	InputDigest  string              `json:"input_digest"`
	Cwd          string              `json:"cwd"`
	Root         string              `json:"root"`
	Home         string              `json:"home"`
	Installation policy.Installation `json:"installation"`
	Checkout     policy.Checkout     `json:"checkout,omitzero"`
	Resources    []policy.Resource   `json:"resources"`
	Links        policy.LinkFacts    `json:"links,omitempty"`
	Reasons      []policy.Reason     `json:"reasons"`
	Grant        string              `json:"grant,omitempty"`
	Note         string              `json:"note,omitempty"`
}

type publicStart struct {
	head
	Reason      string `json:"reason"`
	Project     string `json:"project,omitempty"`
	Trusted     bool   `json:"trusted"`
	HasUI       bool   `json:"has_ui"`
	Mode        string `json:"mode,omitempty"`
	OS          string `json:"os"`
	Version     string `json:"pigate_version"`
	HostApp     string `json:"host_app,omitempty"`
	HostVersion string `json:"host_version,omitempty"`
	Parent      string `json:"parent_session,omitempty"`
}

type privateStart struct {
	File   string `json:"file,omitempty"`
	Cwd    string `json:"cwd"`
	Root   string `json:"root"`
	Remote string `json:"remote,omitempty"`
	Branch string `json:"branch,omitempty"`
	Host   string `json:"host,omitempty"`
	User   string `json:"user,omitempty"`
	Agent  string `json:"agent,omitempty"`
}

// encoder turns entries into what is stored.
type encoder struct {
	key  *key
	veil *veil
}

// encode splits an entry into its public and its private part, each one JSON
// object: fields in the order they are declared, keys of maps sorted, no
// insignificant space, only what JSON demands escaped. These bytes are the
// entry; nothing ever writes them again.
func (n *encoder) encode(ctx context.Context, e *gate.Entry) (*parts, error) {
	if e.Time <= 0 {
		return nil, fmt.Errorf("the entry of kind %q has no time", e.Kind)
	}
	h := n.head(ctx, e)
	var public, private any
	missing := false
	switch e.Kind {
	case gate.KindDecision:
		if missing = e.Decision == nil; !missing {
			public, private = n.decision(ctx, h, e.Decision)
		}
	case gate.KindPrompt:
		if missing = e.Prompt == nil; !missing {
			public, private = n.prompt(ctx, h, e.Prompt)
		}
	case gate.KindAnswer:
		if missing = e.Answer == nil; !missing {
			public, private = n.answer(h, e.Answer)
		}
	case gate.KindOutcome:
		if missing = e.Outcome == nil; !missing {
			public, private = n.outcome(ctx, h, e.Outcome)
		}
	case gate.KindSessionStart:
		if missing = e.Start == nil; !missing {
			public, private = n.start(ctx, h, e.Start)
		}
	case gate.KindSessionEnd:
		if missing = e.End == nil; !missing {
			end := *e.End
			end.Reason = n.veil.name(ctx, end.Reason)
			public = struct {
				head
				gate.SessionEnd
			}{h, end}
		}
	case gate.KindRulesSaved:
		if missing = e.Saved == nil; !missing {
			public, private = struct {
				head
				Count   int  `json:"count"`
				Removed int  `json:"removed_count,omitempty"`
				Failed  bool `json:"failed,omitempty"`
			}{h, len(e.Saved.Rules), len(e.Saved.Removed), e.Saved.Error != ""}, e.Saved
		}
	case gate.KindWarning:
		missing, public, private = e.Warning == nil, h, e.Warning
	case gate.KindImport:
		if missing = e.Import == nil; !missing {
			public, private = n.imported(ctx, h, e.Import)
		}
	case gate.KindDraft:
		if missing = e.Draft == nil; !missing {
			public, private = n.draft(h, e.Draft)
		}
	case gate.KindPolicy, gate.KindGap, gate.KindErase, gate.KindRotation, gate.KindCheckpoint, gate.KindReview:
		return nil, fmt.Errorf("an entry of kind %q is the journal's own", e.Kind)
	default:
		return nil, fmt.Errorf("the entry is of unknown kind %q", e.Kind)
	}
	if missing {
		return nil, fmt.Errorf("the entry of kind %q has no body", e.Kind)
	}
	return n.parts(ctx, h, public, private)
}

func (n *encoder) head(ctx context.Context, e *gate.Entry) head {
	return head{e.Kind, e.Time, n.veil.name(ctx, e.Session), n.callID(ctx, e.Call)}
}

// parts writes both sides of an entry. private may be nil.
func (n *encoder) parts(ctx context.Context, h head, public, private any) (*parts, error) {
	p := &parts{kind: h.Kind, session: h.Session, call: h.Call}
	var err error
	if p.pub, err = marshal(public); err != nil || private == nil {
		return p, err
	}
	if p.body, err = marshal(private); err == nil {
		p.body = n.veil.body(ctx, p.body)
	}
	return p, err
}

func (n *encoder) decision(ctx context.Context, h head, d *gate.Decision) (public, private any) {
	pub := publicDecision{head: h, publicCall: n.call(ctx, d.Parent, d.Tool, d.Root, d.Cwd),
		Trusted: d.Trusted, HasUI: d.HasUI, Mode: n.veil.name(ctx, d.Mode), OS: d.OS,
		Verdict: d.Verdict, Causes: causes(d.Reasons), Answer: d.Answer, Waited: d.Waited, Action: d.Action, Basis: d.Basis,
		Covers: d.Covers, AskedIn: n.veil.name(ctx, d.AskedIn), Sub: d.SubAgents, Policy: d.Policy, Analyser: d.Analyser}
	return pub, privateDecision{
		Input: shallow(d.Input), InputDigest: n.key.digest("input", d.InputDigest),
		Cwd: d.Cwd, Root: d.Root, Home: d.Home, Installation: d.Installation, Checkout: d.Checkout,
		Resources: d.Resources, Links: d.Links, Reasons: d.Reasons, Grant: d.Grant, Note: d.Note}
}

func (n *encoder) call(ctx context.Context, parent, tool, root, cwd string) publicCall {
	if root == "" {
		root = cwd
	}
	return publicCall{n.callID(ctx, parent), n.veil.name(ctx, tool), n.key.project(root)}
}

func causes(reasons []policy.Reason) []policy.Cause {
	list := make([]policy.Cause, len(reasons))
	for i, r := range reasons {
		list[i] = r.Cause
	}
	return list
}

func (n *encoder) prompt(ctx context.Context, h head, p *gate.Prompted) (public, private any) {
	return struct {
			head
			publicCall
			Causes []policy.Cause `json:"causes"`
		}{h, n.call(ctx, "", p.Tool, p.Root, p.Cwd), causes(p.Reasons)},
		struct {
			Input   json.RawMessage `json:"input"`
			Cwd     string          `json:"cwd"`
			Root    string          `json:"root"`
			Reasons []policy.Reason `json:"reasons"`
			Options []string        `json:"options"`
		}{shallow(p.Input), p.Cwd, p.Root, p.Reasons, p.Options}
}

func (n *encoder) answer(h head, a *gate.Answered) (public, private any) {
	public = struct {
		head
		Answer gate.Answer `json:"answer"`
		Waited int64       `json:"waited_us,omitempty"`
		Failed bool        `json:"failed,omitempty"`
	}{h, a.Answer, a.Waited, a.Error != ""}
	if a.Error == "" {
		return public, nil
	}
	return public, struct {
		Error string `json:"error"`
	}{a.Error}
}

// outcome keeps the digest of the input only when it says more than that of the
// decision.
func (n *encoder) outcome(ctx context.Context, h head, o *gate.Outcome) (public, private any) {
	out := *o
	out.Tool, out.InputDigest = n.veil.name(ctx, o.Tool), ""
	public = struct {
		head
		*gate.Outcome
	}{h, &out}
	if o.InputDigest == "" || !o.Mismatch && !o.Undecided {
		return public, nil
	}
	return public, struct {
		InputDigest string `json:"input_digest"`
	}{n.key.digest("input", o.InputDigest)}
}

func (n *encoder) start(ctx context.Context, h head, s *gate.SessionStart) (public, private any) {
	name := func(text string) string { return n.veil.name(ctx, text) }
	root := s.Root
	if root == "" {
		root = s.Cwd
	}
	return publicStart{head: h, Reason: name(s.Reason), Project: n.key.project(root), Trusted: s.Trusted, HasUI: s.HasUI, Mode: name(s.Mode), OS: s.OS,
			Version: s.Version, HostApp: name(s.HostApp), HostVersion: name(s.HostVersion), Parent: name(s.Parent)},
		privateStart{s.File, s.Cwd, s.Root, s.Remote, s.Branch, s.Host, s.User, s.Agent}
}

type publicImport struct {
	head
	publicCall
	OS         string      `json:"os"`
	Result     gate.Result `json:"result,omitempty"`
	Source     string      `json:"source"`
	ImportedAt int64       `json:"imported_at"`
	Analyser   string      `json:"analyser"`
}

type privateImport struct {
	File      string            `json:"file"`
	Input     json.RawMessage   `json:"input"`
	Cwd       string            `json:"cwd"`
	Root      string            `json:"root"`
	Home      string            `json:"home"`
	Resources []policy.Resource `json:"resources"`
}

func (n *encoder) imported(ctx context.Context, h head, i *gate.Imported) (public, private any) {
	return publicImport{head: h, publicCall: n.call(ctx, i.Parent, i.Tool, i.Root, i.Cwd), OS: i.OS, Result: i.Result,
			Source: n.veil.name(ctx, i.Source), ImportedAt: i.ImportedAt, Analyser: i.Analyser},
		privateImport{i.File, shallow(i.Input), i.Cwd, i.Root, i.Home, i.Resources}
}

func (n *encoder) draft(h head, d *gate.Drafted) (public, private any) {
	root := ""
	if d.Root != "" {
		root = n.key.project(d.Root)
	}
	return struct {
			head
			Project  string        `json:"project,omitempty"`
			Effect   policy.Effect `json:"effect"`
			Accepted bool          `json:"accepted"`
			Evidence int           `json:"evidence"`
		}{h, root, d.Effect, d.Accepted, d.Evidence},
		struct {
			Rule  string `json:"rule"`
			Saved string `json:"saved,omitempty"`
			File  string `json:"file"`
			Root  string `json:"root,omitempty"`
		}{d.Rule, d.Saved, d.File, d.Root}
}

func marshal(value any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return nil, fmt.Errorf("encode entry: %w", err)
	}
	text := bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
	// The input of a call is copied as it came, broken characters and all.
	return bytes.ToValidUTF8(text, []byte("\uFFFD")), nil
}

// object is marshal for what always encodes: strings, numbers and lists of them.
func object(value any) []byte {
	text, err := marshal(value)
	if err != nil {
		return []byte("null")
	}
	return text
}

// splice joins two JSON objects into one.
func splice(a, b []byte) []byte {
	if len(b) <= 2 {
		return a
	}
	if len(a) <= 2 {
		return b
	}
	out := make([]byte, 0, len(a)+len(b))
	out = append(append(out, a[:len(a)-1]...), ',')
	return append(out, b[1:]...)
}

// maxDepth is how deep the input of a call may nest: SQLite refuses to look
// into JSON of more than 1000 levels.
const maxDepth = 500

// shallow returns input, or its text as one JSON string when it nests so deep
// that the entry could not be stored.
func shallow(input json.RawMessage) json.RawMessage {
	depth, deepest, quoted := 0, 0, false
	for i := 0; i < len(input); i++ {
		switch c := input[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	if deepest <= maxDepth {
		return input
	}
	text, err := json.Marshal(string(input))
	if err != nil {
		return json.RawMessage("null") // no string fails to encode
	}
	return text
}
