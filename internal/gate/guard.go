// Package gate rules on every tool call of the agent: Guard evaluates the call
// under the policy in force, looks for an approval of the session, asks the
// person (Asker) and commits the decision to the journal (Recorder) before the
// call may run. What the rules say is package policy's to decide.
package gate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/hint"
	"github.com/pigate/pigate/internal/text"
)

// Choice is how a list of options was left.
type Choice struct {
	// Text is the option chosen, "" when none was.
	Text string
	// Aborted reports that the dialog was closed because the call ended.
	Aborted bool
	// Keys are those that were pressed around the dialog; nil when the host does
	// not tell.
	Keys *Keys
}

// Asker puts questions to the person. Its errors mean that nobody can be
// reached any more.
type Asker interface {
	// Select offers options and waits for one.
	Select(ctx context.Context, call, title string, options []string) (Choice, error)
	// Edit lets the person change a text; Text is then the text as it was left
	// and ok false when the editor was cancelled.
	Edit(ctx context.Context, call, title, prefill string) (c Choice, ok bool, err error)
	// Notify tells the person something. Level is "info", "warning" or "error".
	Notify(ctx context.Context, level, message string)
}

// Rules is the configuration as the guard needs it.
type Rules interface {
	// Load returns the policy in force for a project, whether the project's own
	// file counts in full or would if there were one, and the warnings that have
	// not been given yet. It never fails: what cannot be read allows nothing.
	Load(root string, trust policy.Trust) (p *policy.Policy, trusted bool, warnings []string)
	// Save adds rules to the project's allow list and returns the file and what
	// was added.
	Save(root string, rules []string) (file string, saved []string, err error)
}

// Guard makes the decisions of one session: it evaluates, looks for a grant,
// asks, and records before it answers. Its fields are set once, before the
// first call; its methods may be called from several goroutines.
type Guard struct {
	Rules    Rules
	Asker    Asker
	Recorder Recorder
	// Links looks up symbolic links.
	Links func(paths []string, os string) policy.LinkFacts
	// Around tells what else belongs to the project of an absolute folder. Nil knows
	// nothing.
	Around func(root string) policy.Checkout
	// Now is the clock.
	Now func() time.Time
	// Secret tells whether a text holds a secret, so that no rule with one is
	// saved. It says yes when it cannot tell. Nil finds none.
	Secret func(ctx context.Context, text string) bool
	// Lenient lets a call run although its decision could not be recorded. The
	// person is told each time.
	Lenient bool
	// Historian tells what became of the same call before. Nil tells nothing.
	Historian Historian
	// Drafter drafts rules for Suggest. Nil drafts none.
	Drafter Drafter
	// Revoked tells when all session approvals were last revoked, the zero time for
	// never. Nil is never. It is called by one goroutine at a time.
	Revoked func() time.Time
	// Adviser hears of answers. Nil has nothing to say.
	Adviser Adviser
	// Widener knows wider rules than the exact ones that are offered for saving.
	// Nil knows none.
	Widener Widener
	// Parents reaches the session that began this one, for calls where nobody can be
	// asked. Nil reaches none.
	Parents Parents
	// Elsewhere is told that a call waits for a person of another session; what it
	// returns is called when it does no more. Nil is not told.
	Elsewhere func(ctx context.Context, call string) (over func())

	grants  Grants
	once    sync.Once
	dialog  *semaphore.Weighted // of one, the dialog that may be open; use turn
	waiting queue
	// subAgents reports that a sub-agent has asked in this session.
	subAgents atomic.Bool
	ceilings  sync.Map // the projects of sessions that began this one, by session
	calls     ledger

	patience time.Duration // with the Historian; 0 is recallTime
}

// Ruling is the answer to a call.
type Ruling struct {
	Action policy.Action
	// Reason tells the model why it is blocked; "" when it runs.
	Reason  string
	Verdict policy.Verdict
	Answer  Answer
	Basis   policy.Basis
	// Seq is the number of the entry in the journal, 0 when there is none.
	Seq int64
}

// Decide rules on one call. It returns when the decision is in the journal. A
// context that ends means that the call was aborted.
func (g *Guard) Decide(ctx context.Context, req policy.Request) Ruling {
	if g.Around != nil {
		req.Checkout = g.Around(req.ProjectRoot())
	}
	d := &pendingCall{guard: g, ctx: ctx, call: policy.Derive(req), digest: Digest(req.Input), trust: policy.TrustOf(req.Trusted, req.Approved)}
	d.evaluate()
	if d.verdict.Effect == policy.Ask {
		// The next dialog opens when this decision is recorded, so that a call that
		// waited sees what came of it.
		defer d.release()
		d.ask()
	} else {
		d.settle()
	}
	return d.finish()
}

// turn is the right to have a dialog open, which one call holds at a time.
func (g *Guard) turn() *semaphore.Weighted {
	g.once.Do(func() { g.dialog = semaphore.NewWeighted(1) })
	return g.dialog
}

// pendingCall is one call on its way.
type pendingCall struct {
	guard   *Guard
	ctx     context.Context
	call    *policy.Call
	digest  string       // of the input as it came
	trust   policy.Trust // as the host said; the call's request says what counts
	policy  *policy.Policy
	links   policy.LinkFacts
	verdict policy.Verdict
	holds   bool // the right to have a dialog open

	action policy.Action
	answer Answer
	basis  policy.Basis
	note   string
	waited time.Duration
	said   string          // by the person who denied
	rules  []string        // to be saved
	covers policy.Coverage // of the approval for the session that was given or found

	agent     string // the sub-agent whose call it is, in words; "" for the session's own
	askedIn   string // the session in whose dialog the question was put, "" for its own
	subAgents bool   // the approval holds for the session's sub-agents too
}

func (d *pendingCall) evaluate() {
	g, req := d.guard, &d.call.Request
	var warnings []string
	d.policy, req.Trusted, warnings = g.Rules.Load(req.ProjectRoot(), d.trust)
	for _, w := range warnings {
		g.warn(d.ctx, req.Session, w)
	}
	d.call = d.call.Under(d.policy)
	if list := d.call.Paths(); list != nil {
		d.links = g.Links(list, req.OS)
	}
	d.verdict = policy.Evaluate(d.policy, d.call, d.links)
	d.ceiling()
}

// settle takes the decision that the policy alone can make.
func (d *pendingCall) settle() {
	d.action, d.basis = policy.Settle(d.verdict.Effect, d.policy.Settings.Enabled)
}

// ask looks for a grant and otherwise asks the person, one dialog at a time.
func (d *pendingCall) ask() {
	if d.granted() {
		return
	}
	if !d.call.Request.HasUI {
		d.elsewhere()
		return
	}
	entered := d.guard.waiting.enter()
	d.holds = d.guard.turn().Acquire(d.ctx, 1) == nil
	denied := d.guard.waiting.leave(entered)
	if !d.holds {
		d.aborted()
		return
	}
	// While this call waited a rule may have been saved or a grant given.
	d.evaluate()
	switch {
	case d.verdict.Effect != policy.Ask:
		d.settle()
	case denied:
		d.action, d.answer, d.basis = policy.Block, AnswerDeny, policy.BasisUser
		d.guard.waiting.answered()
	case d.granted():
	default:
		d.dialog()
	}
}

func (d *pendingCall) release() {
	if d.holds {
		d.guard.turn().Release(1)
	}
}

// dialog asks the person, between two entries that say so.
func (d *pendingCall) dialog() {
	history := d.guard.recall(d.ctx, d.call) // while the question is recorded
	prompt := NewPrompt(d.policy, d.call, d.verdict, d.links, d.guard.secret(d.ctx)).waiting(d.guard.waiting.turn())
	if d.guard.subAgents.Load() && !d.verdict.Beyond {
		prompt = prompt.withSubAgents()
	}
	defer d.guard.waiting.answered()
	err := d.prompted(prompt)
	words := history()
	if err != nil {
		if !d.guard.Lenient {
			// What the person would say could not be recorded either.
			d.action, d.basis, d.note = policy.Block, policy.BasisJournal, withHint(err)
			return
		}
		words = ""
	}
	prompt = prompt.titled(d.call, d.verdict, words)
	start := d.guard.Now()
	d.question(prompt)
	d.waited = d.guard.Now().Sub(start)
	d.answered()
}

func (d *pendingCall) prompted(prompt Prompt) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(d.ctx), recordTimeout)
	defer cancel()
	g, req := d.guard, d.call.Request
	_, err := g.Recorder.Record(ctx, &Entry{Kind: KindPrompt, Time: g.Now().UnixMicro(), Session: req.Session, Call: req.Call,
		Prompt: &Prompted{Tool: req.Tool, Input: policy.RecordedInput(req.Tool, req.Input), Cwd: req.Cwd, Root: req.Root,
			Reasons: d.verdict.Reasons, Options: prompt.Options}})
	return err
}

// answered records how the dialog was left. It is committed with the decision,
// which follows at once and meets whatever is wrong with the journal.
func (d *pendingCall) answered() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(d.ctx), recordTimeout)
	defer cancel()
	g, req := d.guard, d.call.Request
	_, _ = g.Recorder.Record(ctx, &Entry{Kind: KindAnswer, Time: g.Now().UnixMicro(), Session: req.Session, Call: req.Call, Later: true,
		Answer: &Answered{Answer: d.answer, Waited: d.waited.Microseconds(), Error: d.note}})
}

func (d *pendingCall) granted() bool {
	d.guard.revoke(d.ctx, d.call.Request.Session)
	if d.verdict.Beyond {
		return false
	}
	covers, ok := d.guard.grants.Covers(NewGrantKey(d.call, d.links), d.digest, d.policy.Coverage(d.call))
	if ok {
		d.action, d.basis, d.covers = policy.Run, policy.BasisGrant, covers
	}
	return ok
}

func (d *pendingCall) aborted() {
	d.action, d.answer, d.basis = policy.Block, AnswerAborted, policy.BasisUser
}

// recordTimeout bounds the wait for the journal. It has a context of its own,
// because an aborted call is recorded too.
const recordTimeout = 5 * time.Second

// finish records the decision and only then lets anything come of it.
func (d *pendingCall) finish() Ruling {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(d.ctx), recordTimeout)
	defer cancel()
	seq, err := d.record(ctx)
	ruling := Ruling{Action: d.action, Verdict: d.verdict, Answer: d.answer, Basis: d.basis, Seq: seq}
	if err != nil {
		d.note = withHint(err)
		d.unrecorded(ctx, &ruling)
	}
	if err == nil || ruling.Action == policy.Run {
		d.consequences(ctx)
	}
	if err == nil {
		d.advise(ctx)
	}
	if ruling.Action == policy.Block {
		ruling.Reason = blockReason(d.call, ruling, cmp.Or(d.note, d.said))
	}
	return ruling
}

// unrecorded decides on a call whose decision could not be recorded, and tells
// the person. Only a lenient guard lets it run.
func (d *pendingCall) unrecorded(ctx context.Context, ruling *Ruling) {
	if ruling.Action == policy.Run && d.guard.Lenient {
		d.guard.Asker.Notify(ctx, "warning", "pigate: the call runs although its decision could not be recorded: "+text.Visible(d.note))
		return
	}
	if ruling.Action == policy.Run {
		ruling.Action, ruling.Basis = policy.Block, policy.BasisJournal
	}
	d.guard.Asker.Notify(ctx, "error", "pigate: the decision could not be recorded: "+text.Visible(d.note))
}

// withHint is the error's text with what to do about it, when it knows.
func withHint(err error) string {
	if next := hint.Of(err); next != "" {
		return err.Error() + " (" + next + ")"
	}
	return err.Error()
}

func (d *pendingCall) record(ctx context.Context) (int64, error) {
	g, req := d.guard, d.call.Request
	entry := &Entry{Kind: KindDecision, Time: g.Now().UnixMicro(), Session: req.Session, Call: req.Call,
		Decision: &Decision{
			Request: req, InputDigest: d.digest, Resources: d.call.Resources, Links: d.links.Moved(),
			Verdict: d.verdict.Effect, Reasons: d.verdict.Reasons, Answer: d.answer, Waited: d.waited.Microseconds(),
			Action: d.action, Basis: d.basis, Covers: d.covers, AskedIn: d.askedIn, SubAgents: d.subAgents, Policy: d.policy.Digest(), Analyser: policy.Analyser, Note: cmp.Or(d.note, d.said),
		}}
	if d.basis == policy.BasisGrant {
		entry.Decision.Grant = d.call.Target()
	}
	entry.Decision.Input = policy.RecordedInput(req.Tool, req.Input)
	entry.Later = d.basis == policy.BasisPass // nothing waits for the record of a call that only reads
	if err := g.Recorder.Policy(ctx, d.policy.Digest(), d.policy.Canonical()); err != nil {
		g.Recorder.Missed(entry, err)
		return 0, err
	}
	seq, err := g.Recorder.Record(ctx, entry)
	if err != nil {
		return 0, err
	}
	g.calls.decided(req.Session, req.Call, run{d.digest, entry.Later}, d.action, d.answer)
	return seq, nil
}

// consequences does what a recorded answer asks for.
func (d *pendingCall) consequences(ctx context.Context) {
	switch d.answer {
	case AnswerSession:
		grant := NewGrant(d.call, d.covers)
		if d.subAgents && d.askedIn == "" {
			grant = grant.forSubAgents()
		}
		d.guard.grants.Add(NewGrantKey(d.call, d.links), d.digest, grant)
	case AnswerSave:
		d.save(ctx)
	default: // holds for this one call
	}
}

// save writes the rules. The call was approved and runs even when they cannot
// be saved; the person is told.
func (d *pendingCall) save(ctx context.Context) {
	body := d.guard.saveRules(ctx, d.call.Request, d.rules)
	if body.Error != "" {
		d.guard.Asker.Notify(ctx, "error", "pigate: the call runs once, but no rule was saved: "+text.Visible(body.Error))
		return
	}
	d.guard.Asker.Notify(ctx, "info", "pigate: "+body.told())
}

// Digest is the SHA-256, in lower-case hex, of an input's bytes.
func Digest(input []byte) string {
	sum := sha256.Sum256(input)
	return hex.EncodeToString(sum[:])
}
