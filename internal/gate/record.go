package gate

import (
	"context"
	"encoding/json"

	"github.com/pigate/pigate/internal/gate/policy"
)

// Answer is what came back from the person, or why nothing did.
type Answer string

// The answers. A decision without a prompt has none.
const (
	AnswerOnce      Answer = "once"
	AnswerSession   Answer = "session"
	AnswerSave      Answer = "save"
	AnswerDeny      Answer = "deny"
	AnswerDismissed Answer = "dismissed"
	AnswerNoUI      Answer = "no-ui"
	AnswerAborted   Answer = "aborted"
)

// Kind is the kind of an entry.
type Kind string

// The kinds of entries that the gate makes. KindPrompt and KindAnswer frame an
// open dialog; KindDecision and KindOutcome say what came of a call.
const (
	KindPrompt       Kind = "prompt"
	KindAnswer       Kind = "answer"
	KindDecision     Kind = "decision"
	KindOutcome      Kind = "outcome"
	KindSessionStart Kind = "session_start"
	KindSessionEnd   Kind = "session_end"
	KindRulesSaved   Kind = "rules_saved"
	KindWarning      Kind = "warning"
)

// The kinds of entries that a person makes outside of a call.
const (
	// KindImport is a past call that the gate did not decide.
	KindImport Kind = "import"
	// KindDraft is what a person made of a drafted rule.
	KindDraft Kind = "draft"
	// KindReview says that a person has looked at entries.
	KindReview Kind = "review"
)

// The kinds of entries that the journal makes of itself.
const (
	// KindPolicy holds the text of a policy, once in each file.
	KindPolicy Kind = "policy"
	// KindGap says that entries before it are missing, and why.
	KindGap Kind = "gap"
	// KindErase names entries whose private text was erased.
	KindErase Kind = "erase"
	// KindRotation ends one file and begins the next.
	KindRotation Kind = "rotation"
	// KindCheckpoint holds a signature over everything before it.
	KindCheckpoint Kind = "checkpoint"
)

// Entry is one thing to be recorded. Exactly the body that Kind names is set.
type Entry struct {
	Kind Kind
	// Time is microseconds since the Unix epoch, UTC.
	Time int64
	// Session is Pi's session id, Call the tool call the entry belongs to ("" for
	// entries that belong to none).
	Session string
	Call    string
	// Later says that nothing waits for the entry: it may be committed together
	// with others a moment after Record has returned.
	Later bool

	Prompt   *Prompted
	Answer   *Answered
	Decision *Decision
	Outcome  *Outcome
	Start    *SessionStart
	End      *SessionEnd
	Saved    *RulesSaved
	Warning  *Warning
	Import   *Imported
	Draft    *Drafted
}

// Decision is the record of one decided call, with everything it takes to
// decide it again.
type Decision struct {
	policy.Request
	// InputDigest is the SHA-256, in hex, of the input as it was decided; Input
	// itself may be shortened (file contents are left out). The journal keeps it
	// under a key, so that nobody can guess the input from it.
	InputDigest string            `json:"input_digest"`
	Resources   []policy.Resource `json:"resources"`
	// Links are the symbolic links that mattered: path → what it resolves to.
	Links   policy.LinkFacts `json:"links,omitempty"`
	Verdict policy.Effect    `json:"verdict"`
	Reasons []policy.Reason  `json:"reasons"`
	// Answer is "" when no prompt was needed; Waited is how long the person took,
	// in microseconds.
	Answer Answer        `json:"answer,omitempty"`
	Waited int64         `json:"waited_us,omitempty"`
	Action policy.Action `json:"decision"`
	Basis  policy.Basis  `json:"basis"`
	// Grant is the covered target when Basis is grant.
	Grant string `json:"grant,omitempty"`
	// Covers is what the approval for the session covers: the one that was given
	// when Answer is session, the one that was found when Basis is grant.
	Covers policy.Coverage `json:"covers,omitempty"`
	// AskedIn is the session in whose dialog the question was put, "" for the call's
	// own; SubAgents reports an approval that was given to the session's sub-agents too.
	AskedIn   string `json:"asked_in,omitempty"`
	SubAgents bool   `json:"sub_agents,omitempty"`
	// Policy is the digest of the policy, Analyser the version of the analysis.
	Policy   string `json:"policy"`
	Analyser string `json:"analyser"`
	// Note says what went wrong, for basis error or journal, and for the answer
	// deny why, when the person said so.
	Note string `json:"note,omitempty"`
}

// Prompted is a question that was put to the person. It is recorded before the
// dialog opens, so that a crash with an open dialog leaves a trace.
type Prompted struct {
	Tool  string          `json:"tool"`
	Input json.RawMessage `json:"input"`
	Cwd   string          `json:"cwd"`
	Root  string          `json:"root"`
	// Reasons are why it asks, Options what could be answered.
	Reasons []policy.Reason `json:"reasons"`
	Options []string        `json:"options"`
}

// Answered is how a dialog was left.
type Answered struct {
	Answer Answer `json:"answer"`
	// Waited is how long the person took, in microseconds.
	Waited int64 `json:"waited_us,omitempty"`
	// Error says why there is no answer, "" when there is one.
	Error string `json:"error,omitempty"`
}

// Outcome is what the tool reported after it ran.
type Outcome struct {
	Tool string `json:"tool"`
	OK   bool   `json:"ok"`
	// ExitCode is that of a command, when there is one.
	ExitCode *int `json:"exit_code,omitempty"`
	// Duration is in microseconds; 0 when unknown.
	Duration int64 `json:"duration_us,omitempty"`
	// InputDigest is the SHA-256 of the input that ran. Mismatch reports that it
	// is not the one that was approved.
	InputDigest string `json:"input_digest,omitempty"`
	Mismatch    bool   `json:"mismatch,omitempty"`
	// Undecided reports that the gate never decided this call.
	Undecided bool `json:"undecided,omitempty"`
}

// SessionStart opens a session of Pi.
type SessionStart struct {
	// Reason is Pi's: startup, reload, new, resume, fork.
	Reason  string `json:"reason"`
	File    string `json:"file,omitempty"`
	Cwd     string `json:"cwd"`
	Root    string `json:"root"`
	Trusted bool   `json:"trusted"`
	HasUI   bool   `json:"has_ui"`
	Mode    string `json:"mode,omitempty"`
	// Remote is the URL of the checkout's remote, without credentials, Branch the
	// branch that is checked out.
	Remote  string `json:"remote,omitempty"`
	Branch  string `json:"branch,omitempty"`
	Host    string `json:"host,omitempty"`
	User    string `json:"user,omitempty"`
	OS      string `json:"os"`
	Version string `json:"pigate_version"`
	// HostApp and HostVersion are the program that holds the session ("pi").
	HostApp     string `json:"host_app,omitempty"`
	HostVersion string `json:"host_version,omitempty"`
	// Parent is the session whose sub-agent this is, "" for none; Agent is what the
	// sub-agent is called.
	Parent string `json:"parent_session,omitempty"`
	Agent  string `json:"agent,omitempty"`
}

// SessionEnd closes a session.
type SessionEnd struct {
	Reason string `json:"reason"`
	// Calls and Prompts count what the session decided and asked.
	Calls   int `json:"calls"`
	Prompts int `json:"prompts"`
}

// RulesSaved is a change of a configuration file: an "Allow & save rule", rules
// that were added, and rules that were taken out.
type RulesSaved struct {
	File  string   `json:"file"`
	Rules []string `json:"rules"`
	// Removed are the rules that were taken out, each with its list in front:
	// "allow shell:ls *".
	Removed []string `json:"removed,omitempty"`
	// Error says why nothing was saved, "" when it worked.
	Error string `json:"error,omitempty"`
}

// Warning is something that the person was told outside of a dialog, about the
// configuration mostly.
type Warning struct {
	Text string `json:"text"`
}

// Result is what a session file says became of an imported call; "" when it does
// not say.
type Result string

// The results.
const (
	ResultOK      Result = "ok"
	ResultError   Result = "error"
	ResultRefused Result = "refused"
)

// Imported is a past call that the gate did not decide, read from a session file
// of Pi or of another agent. It is evidence that the call was made and of what
// became of it, never that somebody approved it. The time of its entry is that
// of the call.
type Imported struct {
	// Request is the call in Pi's words, as far as the file tells.
	policy.Request
	Resources []policy.Resource `json:"resources"`
	Result    Result            `json:"result,omitempty"`
	// Source names the program whose file it is: "pi", "claude" or "codex"; File
	// is the file.
	Source string `json:"source"`
	File   string `json:"file"`
	// ImportedAt is microseconds since the Unix epoch, UTC.
	ImportedAt int64  `json:"imported_at"`
	Analyser   string `json:"analyser"`
}

// NewImported describes a past call: its resources, and its input as the gate
// records one. The caller adds what the file says of it besides.
func NewImported(req policy.Request) *Imported {
	call := policy.Derive(req)
	req.Input = policy.RecordedInput(req.Tool, req.Input)
	return &Imported{Request: req, Resources: call.Resources, Analyser: policy.Analyser}
}

// Drafted is what a person made of a drafted rule.
type Drafted struct {
	// Rule is the draft's text, Effect what it would have done; Saved is the rule
	// as the person left it, "" when it was rejected.
	Rule   string        `json:"rule"`
	Effect policy.Effect `json:"effect"`
	Saved  string        `json:"saved,omitempty"`
	// File is the configuration it was meant for, Root the project it was drawn
	// from ("" for all).
	File string `json:"file"`
	Root string `json:"root,omitempty"`
	// Accepted is the person's word; Evidence counts the calls that spoke for it.
	Accepted bool `json:"accepted"`
	Evidence int  `json:"evidence"`
}

// Recorder commits entries. Record returns only when the entry cannot be lost
// any more, with the entry's sequence number; the caller must not let the call
// run when it returns an error. Of an entry that may come Later the number is 0.
type Recorder interface {
	Record(ctx context.Context, e *Entry) (seq int64, err error)
	// Missed tells of an entry that is not handed to Record because what must come
	// before it failed: the error why. It is counted as missing.
	Missed(e *Entry, why error)
	// Policy stores the text of a policy under its digest, once.
	Policy(ctx context.Context, digest string, body []byte) error
	// Approved reports whether a call was let run, and whether the input that was
	// approved has this digest, for an outcome that comes after the process which
	// decided has ended.
	Approved(ctx context.Context, session, call, digest string) (found, same bool, err error)
}
