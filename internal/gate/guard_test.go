package gate

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// person is an Asker that answers from a script, one answer a dialog.
type person struct {
	mu      sync.Mutex
	answers []func(ctx context.Context, p Prompt) Choice
	edited  string
	cancel  bool // the editor is cancelled
	prompts []Prompt
	prefill []string
	notices []string
	err     error
}

func choose(option string) func(context.Context, Prompt) Choice {
	return func(context.Context, Prompt) Choice { return Choice{Text: option} }
}

func (p *person) Select(ctx context.Context, _, title string, options []string) (Choice, error) {
	p.mu.Lock()
	prompt := Prompt{Title: title, Options: options}
	p.prompts = append(p.prompts, prompt)
	if p.err != nil {
		p.mu.Unlock()
		return Choice{}, p.err
	}
	if len(p.answers) == 0 {
		p.mu.Unlock()
		return Choice{}, errors.New("nobody expected another dialog")
	}
	answer := p.answers[0]
	p.answers = p.answers[1:]
	p.mu.Unlock()
	return answer(ctx, prompt), nil
}

func (p *person) Edit(_ context.Context, _, _, prefill string) (Choice, bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.prefill = append(p.prefill, prefill)
	text := p.edited
	if text == "" {
		text = prefill
	}
	return Choice{Text: text}, !p.cancel, nil
}

func (p *person) Notify(_ context.Context, level, message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.notices = append(p.notices, level+": "+message)
}

// file is a configuration in memory.
type file struct {
	mu       sync.Mutex
	settings policy.Settings
	rules    []rule.Rule
	saveErr  error
	saved    [][]string
	unasked  bool           // the host's word does not make it count
	trusts   []policy.Trust // what it was loaded with
}

func (f *file) Load(_ string, trust policy.Trust) (*policy.Policy, bool, []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.trusts = append(f.trusts, trust)
	trusted := trust == policy.TrustedByPerson || trust == policy.TrustedByHost && !f.unasked
	return policy.New(f.settings, slices.Clone(f.rules)), trusted, nil
}

func (f *file) Save(_ string, lines []string) (string, []string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.saveErr != nil {
		return "", nil, f.saveErr
	}
	for _, line := range lines {
		r, err := rule.Parse(line)
		if err != nil {
			return "", nil, err
		}
		r.Effect = rule.Allow
		f.rules = append(f.rules, r)
	}
	f.saved = append(f.saved, lines)
	return "rules.json", lines, nil
}

// book is a Recorder in memory.
type book struct {
	mu      sync.Mutex
	entries []Entry
	err     error
}

func (b *book) Record(_ context.Context, e *Entry) (int64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return 0, b.err
	}
	b.entries = append(b.entries, *e)
	return int64(len(b.entries)), nil
}

func (b *book) Missed(*Entry, error) {}

func (b *book) Policy(context.Context, string, []byte) error { return b.err }

func (b *book) Approved(_ context.Context, session, call, digest string) (found, same bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range slices.Backward(b.entries) {
		if e.Kind == KindDecision && e.Session == session && e.Call == call {
			return e.Decision.Action == policy.Run, e.Decision.InputDigest == digest, b.err
		}
	}
	return false, false, b.err
}

func (b *book) decisions() []Decision {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []Decision
	for _, e := range b.entries {
		if e.Kind == KindDecision {
			list = append(list, *e.Decision)
		}
	}
	return list
}

// clock advances by step at each look.
type clock struct {
	mu   sync.Mutex
	now  time.Time
	step time.Duration
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(c.step)
	return c.now
}

type fixture struct {
	guard  *Guard
	person *person
	file   *file
	book   *book
}

func newFixture(tb testing.TB, rules ...string) *fixture {
	tb.Helper()
	f := &fixture{person: &person{}, book: &book{},
		file: &file{settings: policy.DefaultSettings(), rules: policyOf(tb, rules...).Rules}}
	c := &clock{now: time.Unix(1, 0), step: time.Second}
	f.guard = &Guard{Rules: f.file, Asker: f.person, Recorder: f.book, Now: c.Now,
		Links: func([]string, string) policy.LinkFacts { return nil }}
	return f
}

func (f *fixture) answer(options ...string) *fixture {
	for _, o := range options {
		f.person.answers = append(f.person.answers, choose(o))
	}
	return f
}

func TestGuardAnswers(t *testing.T) {
	tests := []struct {
		name    string
		rules   []string
		answers []string
		req     policy.Request
		action  policy.Action
		basis   policy.Basis
		answer  Answer
		reason  string
	}{
		{"allowed by rule", []string{"+shell:ls *"}, nil, bash("ls"), policy.Run, policy.BasisRule, "", ""},
		{"denied by rule", []string{"-shell:rm *"}, nil, bash("rm x"), policy.Block, policy.BasisRule, "", `denied by rule "shell:rm *" (rules.json:1): rm x`},
		{"read passes", nil, nil, newRequest("read", nil), policy.Run, policy.BasisPass, "", ""},
		{"once", nil, []string{OptionOnce}, bash("ls"), policy.Run, policy.BasisUser, AnswerOnce, ""},
		{"session", nil, []string{OptionSession}, bash("ls"), policy.Run, policy.BasisUser, AnswerSession, ""},
		{"save", nil, []string{OptionSave}, bash("ls"), policy.Run, policy.BasisUser, AnswerSave, ""},
		{"deny", nil, []string{OptionDeny}, bash("ls"), policy.Block, policy.BasisUser, AnswerDeny, "the user denied this call"},
		{"deny, and say why", nil, []string{OptionDenyWhy}, bash("ls"), policy.Block, policy.BasisUser, AnswerDeny, "the user denied this call"},
		{"asked about by rule", []string{"+shell:ls *", "?shell:ls -a *"}, []string{OptionDeny}, bash("ls -a"), policy.Block, policy.BasisUser, AnswerDeny, "the user denied"},
		{"dismissed", nil, []string{""}, bash("ls"), policy.Block, policy.BasisUser, AnswerDismissed, "did not approve"},
		{"an answer that was not offered", nil, []string{"allow once"}, bash("ls"), policy.Block, policy.BasisUser, AnswerDismissed, "did not approve"},
		{"save where it was not offered", nil, []string{OptionSave}, edit("../x"), policy.Block, policy.BasisUser, AnswerDismissed, "did not approve"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t, tt.rules...).answer(tt.answers...)
			r := f.guard.Decide(t.Context(), tt.req)
			if r.Action != tt.action || r.Basis != tt.basis || r.Answer != tt.answer || !strings.Contains(r.Reason, tt.reason) {
				t.Errorf("ruling = %+v, want %s by %s, answer %q, reason with %q", r, tt.action, tt.basis, tt.answer, tt.reason)
			}
			d := f.book.decisions()
			if len(d) != 1 || d[0].Action != tt.action || d[0].Basis != tt.basis || d[0].Answer != tt.answer {
				t.Errorf("journal = %+v, want one decision like the ruling", d)
			}
			if len(f.person.prompts) != len(tt.answers) {
				t.Errorf("%d dialogs opened, want %d", len(f.person.prompts), len(tt.answers))
			}
		})
	}
}

func TestNoUIBlocks(t *testing.T) {
	f := newFixture(t)
	req := bash("git push")
	req.HasUI = false
	r := f.guard.Decide(t.Context(), req)
	if r.Action != policy.Block || r.Basis != policy.BasisNoUI || r.Answer != AnswerNoUI || !strings.Contains(r.Reason, "no rule allows it: git push") {
		t.Errorf("ruling = %+v, want a block because nobody can be asked", r)
	}
}

func TestGrantCoversTheSameCallOnly(t *testing.T) {
	f := newFixture(t).answer(OptionSession, OptionDeny, OptionDeny, OptionDeny)
	f.guard.Decide(t.Context(), bash("make test"))
	if r := f.guard.Decide(t.Context(), bash("make test")); r.Action != policy.Run || r.Basis != policy.BasisGrant {
		t.Errorf("the same call again: ruling = %+v, want run by grant", r)
	}
	if g := f.book.decisions()[1].Grant; g != "make test" {
		t.Errorf("the journal names the grant %q, want make test", g)
	}
	for _, other := range []policy.Request{bash("make test2"), newRequest("powershell", map[string]string{"command": "make test"})} {
		if r := f.guard.Decide(t.Context(), other); r.Action != policy.Block {
			t.Errorf("another call: ruling = %+v, want a question, answered with deny", r)
		}
	}
	if err := f.guard.StartSession(t.Context(), "s2", SessionStart{}); err != nil {
		t.Fatal(err)
	}
	if r := f.guard.Decide(t.Context(), bash("make test")); r.Action != policy.Block {
		t.Errorf("after a new session: ruling = %+v, want a question, answered with deny", r)
	}
	if left := f.guard.Grants(); len(left) != 0 {
		t.Errorf("grants after a new session = %v, want none", left)
	}
}

func TestGrantOfToolWithoutResources(t *testing.T) {
	f := newFixture(t).answer(OptionSession, OptionDeny)
	f.guard.Decide(t.Context(), newRequest("my_tool", map[string]any{"a": 1, "b": 2}))
	again := newRequest("my_tool", nil)
	again.Input = []byte(`{"b": 2, "a": 1}`)
	if r := f.guard.Decide(t.Context(), again); r.Basis != policy.BasisGrant {
		t.Errorf("the same input in another order: ruling = %+v, want run by grant", r)
	}
	if r := f.guard.Decide(t.Context(), newRequest("my_tool", map[string]any{"a": 1, "b": 3})); r.Action != policy.Block {
		t.Errorf("other input: ruling = %+v, want a question, answered with deny", r)
	}
}

func TestParallelCallsOpenOneDialog(t *testing.T) {
	f := newFixture(t)
	opened, answered := make(chan struct{}), make(chan struct{})
	f.person.answers = append(f.person.answers, func(context.Context, Prompt) Choice {
		close(opened)
		<-answered
		return Choice{Text: OptionSession}
	})
	rulings := make(chan Ruling, 3)
	go func() { rulings <- f.guard.Decide(t.Context(), bash("make")) }()
	<-opened
	for range 2 {
		go func() { rulings <- f.guard.Decide(t.Context(), bash("make")) }()
	}
	close(answered)
	for range 3 {
		if r := <-rulings; r.Action != policy.Run {
			t.Errorf("ruling = %+v, want run", r)
		}
	}
	if n := len(f.person.prompts); n != 1 {
		t.Errorf("%d dialogs opened, want 1", n)
	}
}

func TestSavedRuleServesWaitingCalls(t *testing.T) {
	f := newFixture(t)
	opened, answered := make(chan struct{}), make(chan struct{})
	f.person.edited = "git *"
	f.person.answers = append(f.person.answers, func(context.Context, Prompt) Choice {
		close(opened)
		<-answered
		return Choice{Text: OptionSave}
	})
	rulings := make(chan Ruling, 2)
	go func() { rulings <- f.guard.Decide(t.Context(), bash("git add .")) }()
	<-opened
	go func() { rulings <- f.guard.Decide(t.Context(), bash("git status")) }()
	close(answered)
	for range 2 {
		if r := <-rulings; r.Action != policy.Run {
			t.Errorf("ruling = %+v, want run", r)
		}
	}
	if want := []string{"shell:git *"}; len(f.file.saved) != 1 || !slices.Equal(f.file.saved[0], want) {
		t.Errorf("saved %q, want %q with the prefix added", f.file.saved, want)
	}
}

func TestSaveCancelled(t *testing.T) {
	f := newFixture(t).answer(OptionSave)
	f.person.edited = " \n # shell:make *\n "
	if r := f.guard.Decide(t.Context(), bash("make")); r.Action != policy.Block || r.Answer != AnswerDismissed || len(f.file.saved) != 0 {
		t.Errorf("empty editor: ruling = %+v, saved %q, want a block and nothing saved", r, f.file.saved)
	}
	f = newFixture(t).answer(OptionSave, OptionOnce)
	f.person.cancel = true
	if r := f.guard.Decide(t.Context(), bash("make")); r.Action != policy.Run || r.Answer != AnswerOnce || len(f.file.saved) != 0 {
		t.Errorf("escape: ruling = %+v, saved %q, want the question again, and its answer", r, f.file.saved)
	}
}

// A program that answers in a person's place cannot keep a question open for ever.
func TestAQuestionComesBackOnlySoOften(t *testing.T) {
	f := newFixture(t)
	f.person.cancel = true
	for range 2 * maxOpenings {
		f.answer(OptionSave)
	}
	if r := f.guard.Decide(t.Context(), bash("make")); r.Action != policy.Block || r.Answer != AnswerDismissed || len(f.person.prompts) != maxOpenings {
		t.Errorf("ruling = %+v after %d dialogs", r, len(f.person.prompts))
	}
}

func TestTheWholeCallIsShown(t *testing.T) {
	command := strings.Repeat("make\n", 40) + "git push"
	f := newFixture(t).answer(OptionWhole, OptionOnce)
	f.person.edited = "make"
	r := f.guard.Decide(t.Context(), bash(command))
	if r.Action != policy.Run || len(f.person.prompts) != 2 || f.person.prompts[1].Title != f.person.prompts[0].Title {
		t.Errorf("ruling = %+v after %d dialogs, want the same question again", r, len(f.person.prompts))
	}
	if !slices.Equal(f.person.prefill, []string{command}) {
		t.Errorf("the editor holds %q", f.person.prefill)
	}
	if d := f.book.decisions()[0]; !strings.Contains(string(d.Input), "git push") {
		t.Errorf("what was changed in the editor counts: %s", d.Input)
	}
	f = newFixture(t).answer(OptionWhole)
	if r := f.guard.Decide(t.Context(), bash("make")); r.Action != policy.Block || len(f.person.prefill) > 0 {
		t.Errorf("an option that was not offered opens an editor: %+v", r)
	}
}

// widens offers rules for every call.
type widens []WiderRule

func (w widens) Wider(*policy.Policy, *policy.Call, policy.LinkFacts, []string) []WiderRule { return w }

func TestTheSaveEditorOffersWiderRules(t *testing.T) {
	f := newFixture(t).answer(OptionSave)
	f.guard.Widener = widens{{Rule: "shell:git push origin *"}, {"shell:git push *", "git push --force"}, {Rule: "shell:with hunter2 *"}}
	f.guard.Secret = func(_ context.Context, text string) bool { return strings.Contains(text, "hunter2") }
	f.person.edited = "# shell:git push origin main\nshell:git push origin *\n#shell:git push *"
	if r := f.guard.Decide(t.Context(), bash("git push origin main")); r.Action != policy.Run {
		t.Errorf("ruling = %+v", r)
	}
	if want := "shell:git push origin main\n# shell:git push origin *\n# shell:git push *\n#   which would also let this run: git push --force"; f.person.prefill[0] != want {
		t.Errorf("the editor holds %q, want %q", f.person.prefill[0], want)
	}
	if !slices.Equal(f.file.saved[0], []string{"shell:git push origin *"}) {
		t.Errorf("saved %q", f.file.saved)
	}
	if want := []string{"info: pigate: saved in rules.json:\n  shell:git push origin *"}; !slices.Equal(f.person.notices, want) {
		t.Errorf("the person is told %q, want %q", f.person.notices, want)
	}
}

func TestTheSaveEditorOffersArguments(t *testing.T) {
	for input, want := range map[string]string{
		`{"channel":"C09*,","n":2,"to":["x"],"text":"` + strings.Repeat("x", 61) + `"}`: "mcp:slack:send\n# mcp:slack:send(channel=C09\\*\\,,n=2)\n#   in place of the rule above: with these arguments alone",
		`{"key":"a\u202eb"}`:           "mcp:slack:send",
		`{"key":"hunter2"}`:            "mcp:slack:send",
		`{"text":"two\nlines"}`:        "mcp:slack:send",
		`{"a":1,"A":1,"b":" x"}`:       "mcp:slack:send",
		`{}`:                           "mcp:slack:send",
		`{"ok":true,"text":"a\u001b"}`: "mcp:slack:send\n# mcp:slack:send(ok=true)\n#   in place of the rule above: with these arguments alone",
	} {
		f := newFixture(t).answer(OptionSave)
		f.guard.Secret = func(_ context.Context, text string) bool { return strings.Contains(text, "hunter2") }
		req := bash("x")
		req.Tool, req.Input = "mcp__slack__send", json.RawMessage(input)
		if f.guard.Decide(t.Context(), req); !slices.Equal(f.person.prefill, []string{want}) {
			t.Errorf("%s: the editor holds %q, want %q", input, f.person.prefill, want)
		}
	}
}

// waitFor lets calls wait behind a dialog that is open until so many do.
func waitFor(t *testing.T, g *Guard, n int) {
	t.Helper()
	for {
		g.waiting.mu.Lock()
		waiting := g.waiting.waiting
		g.waiting.mu.Unlock()
		if waiting == n {
			return
		}
		select {
		case <-t.Context().Done():
			t.Fatal("the calls do not wait")
		default:
			runtime.Gosched()
		}
	}
}

func TestDenyAllWaiting(t *testing.T) {
	f := newFixture(t)
	opened, answered := make(chan struct{}), make(chan struct{})
	f.person.answers = append(f.person.answers, func(context.Context, Prompt) Choice {
		close(opened)
		<-answered
		return Choice{Text: OptionSession}
	}, choose(OptionDenyAll), choose(OptionDeny))
	rulings := make(chan Ruling, 4)
	decide := func(command string) { rulings <- f.guard.Decide(t.Context(), bash(command)) }
	go decide("make 1")
	<-opened
	for n, command := range []string{"make 2", "make 3", "make 1"} {
		go decide(command)
		waitFor(t, f.guard, n+1)
	}
	close(answered)
	ran := 0
	for range 4 {
		if r := <-rulings; r.Action == policy.Run {
			ran++
		} else if r.Answer != AnswerDeny || r.Basis != policy.BasisUser {
			t.Errorf("ruling = %+v, want it denied", r)
		}
	}
	if ran != 1 || len(f.person.prompts) != 2 {
		t.Errorf("%d calls ran after %d dialogs, want the first alone, and no question for those that were denied with the second", ran, len(f.person.prompts))
	}
	if first := f.person.prompts[0]; slices.Contains(first.Options, OptionDenyAll) || !strings.HasPrefix(first.Title, "bash: make 1\n") {
		t.Errorf("alone it offers %q under %q", first.Options, first.Title)
	}
	second := f.person.prompts[1]
	if want := []string{OptionOnce, OptionSession, OptionSave, OptionDeny, OptionDenyWhy, OptionDenyAll}; !slices.Equal(second.Options, want) || !strings.HasPrefix(second.Title, "bash (2 of 4): make 2\n") {
		t.Errorf("the second question offers %q under %q", second.Options, second.Title)
	}
	f.guard.Decide(t.Context(), bash("make 5"))
	if last := f.person.prompts[2]; !strings.HasPrefix(last.Title, "bash: make 5\n") {
		t.Errorf("a call that comes later is asked about as %q", last.Title)
	}
}

func TestSaveThatFailsRunsOnce(t *testing.T) {
	f := newFixture(t).answer(OptionSave)
	f.file.saveErr = errors.New("the file must be mended first")
	r := f.guard.Decide(t.Context(), bash("make"))
	if r.Action != policy.Run {
		t.Errorf("ruling = %+v, want run", r)
	}
	if len(f.person.notices) != 1 || !strings.Contains(f.person.notices[0], "no rule was saved: the file must be mended first") {
		t.Errorf("notices = %q, want one that says why", f.person.notices)
	}
}

func TestJournalFailureBlocks(t *testing.T) {
	f := newFixture(t, "+shell:ls *", "-shell:rm *").answer(OptionSession)
	f.book.err = errors.New("disk full")
	for _, command := range []string{"ls", "make"} {
		r := f.guard.Decide(t.Context(), bash(command))
		if r.Action != policy.Block || r.Basis != policy.BasisJournal || !strings.Contains(r.Reason, "disk full") || r.Seq != 0 {
			t.Errorf("%s: ruling = %+v, want a block by the journal that says why", command, r)
		}
	}
	if r := f.guard.Decide(t.Context(), bash("rm x")); r.Action != policy.Block || r.Basis != policy.BasisRule {
		t.Errorf("rm: ruling = %+v, want the deny to stand", r)
	}
	if got := f.guard.Grants(); len(got) != 0 {
		t.Errorf("grants = %v, want none for a call that was not recorded", got)
	}
	f.book.err = nil
	if r := f.guard.Decide(t.Context(), bash("ls")); r.Action != policy.Run {
		t.Errorf("after the journal recovered: ruling = %+v, want run", r)
	}
}

func TestAbort(t *testing.T) {
	f := newFixture(t)
	ctx, cancel := context.WithCancel(t.Context())
	f.person.answers = append(f.person.answers, func(context.Context, Prompt) Choice {
		cancel()
		return Choice{Text: OptionOnce} // a late answer
	})
	if r := f.guard.Decide(ctx, bash("make")); r.Action != policy.Block || r.Answer != AnswerAborted {
		t.Errorf("ruling = %+v, want a block because of the abort", r)
	}
	if d := f.book.decisions(); len(d) != 1 || d[0].Answer != AnswerAborted {
		t.Errorf("journal = %+v, want the abort", d)
	}
}

func TestAskerThatFailsBlocks(t *testing.T) {
	f := newFixture(t)
	f.person.err = errors.New("host is gone")
	if r := f.guard.Decide(t.Context(), bash("make")); r.Action != policy.Block || r.Basis != policy.BasisError {
		t.Errorf("ruling = %+v, want a block by error", r)
	}
}

func TestTypingAhead(t *testing.T) {
	quick := func(f *fixture, mode string) Ruling {
		c := &clock{now: time.Unix(1, 0), step: time.Millisecond}
		f.guard.Now = c.Now
		req := bash("make")
		req.Mode = mode
		return f.guard.Decide(t.Context(), req)
	}
	f := newFixture(t).answer(OptionOnce, OptionDeny)
	if r := quick(f, "tui"); r.Action != policy.Block || len(f.person.prompts) != 2 {
		t.Errorf("ruling = %+v after %d dialogs, want the dialog to open again", r, len(f.person.prompts))
	}
	if again := f.person.prompts[1].Title; !strings.Contains(again, "that key came too soon") {
		t.Errorf("title = %q, want it to say why the dialog is back", again)
	}
	f = newFixture(t).answer(OptionOnce, OptionOnce, OptionOnce, OptionOnce)
	if r := quick(f, "tui"); r.Action != policy.Block || len(f.person.prompts) != 1+reopenings {
		t.Errorf("a key held down: ruling = %+v after %d dialogs, want a block", r, len(f.person.prompts))
	}
	f = newFixture(t).answer(OptionDeny)
	if r := quick(f, "tui"); r.Action != policy.Block || len(f.person.prompts) != 1 {
		t.Errorf("a quick deny: ruling = %+v after %d dialogs, want it to count", r, len(f.person.prompts))
	}
	f = newFixture(t).answer(OptionOnce)
	if r := quick(f, "rpc"); r.Action != policy.Run || len(f.person.prompts) != 1 {
		t.Errorf("outside the terminal: ruling = %+v after %d dialogs, want the answer to count", r, len(f.person.prompts))
	}
}

func TestTypingAheadByKeys(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		name  string
		open  time.Duration
		keys  *Keys
		count bool
	}{
		{"no keys are told", 727 * ms, nil, false},
		{"no keys are told, after a while", 1100 * ms, nil, true},
		{"nobody typed", 400 * ms, &Keys{Before: -1}, true},
		{"nobody typed, at once", 100 * ms, &Keys{Before: -1}, false},
		{"typed long ago", 400 * ms, &Keys{Before: 5 * time.Second, Pause: 400 * ms}, true},
		{"still typing", 727 * ms, &Keys{Before: 120 * ms, Pause: 700 * ms}, false},
		{"still typing for seconds", 9 * time.Second, &Keys{Before: 120 * ms, Pause: 700 * ms}, false},
		{"stopped, and read", 2 * time.Second, &Keys{Before: 120 * ms, Pause: 1800 * ms}, true},
	}
	for _, tt := range tests {
		f := newFixture(t)
		now := time.Unix(1, 0)
		f.guard.Now = func() time.Time { return now }
		f.person.answers = append(f.person.answers, func(context.Context, Prompt) Choice {
			now = now.Add(tt.open)
			return Choice{Text: OptionOnce, Keys: tt.keys}
		}, choose(OptionDeny))
		req := bash("make")
		req.Mode = "tui"
		if r := f.guard.Decide(t.Context(), req); (r.Action == policy.Run) != tt.count {
			t.Errorf("%s: ruling = %+v, want the answer to count: %t", tt.name, r, tt.count)
		}
	}
}

func TestOutcome(t *testing.T) {
	f := newFixture(t, "+shell:ls *")
	req := bash("ls")
	f.guard.Decide(t.Context(), req)
	mismatch, err := f.guard.Outcome(t.Context(), "s", "c", Outcome{Tool: "bash", OK: true, InputDigest: Digest(req.Input)})
	if err != nil || mismatch {
		t.Errorf("Outcome = %v, %v, want no mismatch", mismatch, err)
	}
	f.guard.Decide(t.Context(), req)
	mismatch, _ = f.guard.Outcome(t.Context(), "s", "c", Outcome{Tool: "bash", OK: true, InputDigest: Digest([]byte("other"))})
	if !mismatch || len(f.person.notices) != 1 || !strings.Contains(f.person.notices[0], "changed after it was approved") {
		t.Errorf("mismatch = %v, notices %q, want the person to be told", mismatch, f.person.notices)
	}
	if _, err := f.guard.Outcome(t.Context(), "s", "never", Outcome{Tool: "bash", OK: true}); err != nil {
		t.Fatal(err)
	}
	last := f.book.entries[len(f.book.entries)-1]
	if !last.Outcome.Undecided {
		t.Errorf("outcome of a call that never passed the gate = %+v, want it marked", last.Outcome)
	}
}

func TestContentsAreNotRecorded(t *testing.T) {
	f := newFixture(t, "+edit:a")
	secret := strings.Repeat("contents ", 100)
	f.guard.Decide(t.Context(), newRequest("write", map[string]any{"path": "a", "content": secret}))
	input := string(f.book.decisions()[0].Input)
	if strings.Contains(input, "contents") || !strings.Contains(input, `"path":"a"`) {
		t.Errorf("recorded input = %s, want the path and the size alone", input)
	}
}

func TestDenyAndSayWhy(t *testing.T) {
	for said, want := range map[string]string{
		"use pnpm\n\x1b[31mhere": `pigate: the user denied this call, who says: use pnpm\n\u{1b}[31mhere`,
		" ":                      "pigate: the user denied this call",
	} {
		f := newFixture(t).answer(OptionDenyWhy)
		f.person.edited = said
		if r := f.guard.Decide(t.Context(), bash("npm install")); r.Reason != want {
			t.Errorf("%q: the model is told %q, want %q", said, r.Reason, want)
		}
		if got := f.book.decisions()[0].Note; got != strings.TrimSpace(said) {
			t.Errorf("%q: the journal has %q", said, got)
		}
		for _, e := range f.book.entries {
			if e.Kind == KindAnswer && e.Answer.Error != "" {
				t.Errorf("%q: the answer has the error %q", said, e.Answer.Error)
			}
		}
	}
	f := newFixture(t).answer(OptionDenyWhy)
	f.person.cancel = true
	if r := f.guard.Decide(t.Context(), bash("ls")); r.Action != policy.Block || r.Answer != AnswerDeny {
		t.Errorf("an editor that is cancelled gives %+v", r)
	}
}
