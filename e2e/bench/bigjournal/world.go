package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// projects is how many projects there are, and pauses how long it is at most
// between two sessions.
const (
	projects = 40
	pauses   = 5 * time.Hour
)

// world is who works on what, and when.
type world struct {
	book     *book
	recorded []recording
	dice     *rand.Rand
	now      time.Time
	rules    map[string][]rule.Rule
	policies map[string]*policy.Policy
	sessions int
}

func newWorld(b *book, recorded []recording) *world {
	return &world{book: b, recorded: recorded, dice: rand.New(rand.NewPCG(1, 2)), now: time.Date(2024, 1, 1, 8, 0, 0, 0, time.UTC),
		rules: map[string][]rule.Rule{}, policies: map[string]*policy.Policy{}}
}

// session plays one recorded session in one of the projects. Most work is on few
// of them.
func (w *world) session(ctx context.Context) error {
	w.sessions++
	number := int(float64(projects) * w.dice.Float64() * w.dice.Float64())
	root := fmt.Sprintf("/home/user/work/project-%02d", number)
	// A project has sessions of its own kind.
	r := w.recorded[(number+projects*w.dice.IntN(1+len(w.recorded)/projects))%len(w.recorded)]
	id := fmt.Sprintf("%08x-%04x-7000-8000-%012x", w.dice.Uint32(), w.dice.Uint32()>>16, w.sessions)
	guard := &gate.Guard{Rules: w, Asker: w, Recorder: w.book, Now: func() time.Time { return w.now },
		Links: func([]string, string) policy.LinkFacts { return nil }}
	req := policy.Request{Session: id, Cwd: root, Root: root, Trusted: true, HasUI: w.dice.IntN(12) > 0, Mode: "rpc", OS: "linux", Home: "/home/user",
		Installation: policy.Installation{AgentDir: "/home/user/.pi/agent", Journal: "/home/user/.pi/agent/pigate/journal.db"}}
	err := guard.StartSession(ctx, id, gate.SessionStart{Reason: "startup", Cwd: root, Root: root, Trusted: true, HasUI: req.HasUI, Mode: req.Mode,
		OS: req.OS, Branch: "main", Host: "bench", User: "user", Version: "bench", HostApp: "pi", HostVersion: "1.6.0"})
	if err != nil {
		return err
	}
	for i, c := range r.calls {
		req.Call, req.Tool, req.Input = fmt.Sprintf("call_%08x_%d", w.dice.Uint32(), i), c.tool, w.varied(c)
		if err := w.play(ctx, guard, req, c); err != nil {
			return err
		}
	}
	if err := guard.EndSession(ctx, id, "quit"); err != nil {
		return err
	}
	w.pass(pauses)
	return nil
}

func (w *world) play(ctx context.Context, guard *gate.Guard, req policy.Request, c recordedCall) error {
	w.pass(20 * time.Second)
	ruling := guard.Decide(ctx, req)
	if ruling.Basis == policy.BasisJournal {
		return fmt.Errorf("the journal refused a decision: %s", ruling.Reason)
	}
	if ruling.Action != policy.Run || w.dice.IntN(100) == 0 { // some sessions end before an outcome
		return nil
	}
	code := 0
	out := gate.Outcome{Tool: c.tool, OK: !c.failed, Duration: max(1, c.duration) * int64(500+w.dice.IntN(1000))}
	if c.tool == "bash" {
		if c.failed {
			code = 1
		}
		out.ExitCode = &code
	}
	w.now = w.now.Add(time.Duration(out.Duration) * time.Microsecond)
	_, err := guard.Outcome(ctx, req.Session, req.Call, out)
	return err
}

// varied makes of one command in six another one, so that not every call was
// there before.
func (w *world) varied(c recordedCall) json.RawMessage {
	var input map[string]any
	if c.tool != "bash" || w.dice.IntN(6) > 0 || json.Unmarshal(c.input, &input) != nil {
		return c.input
	}
	input["command"] = fmt.Sprintf("%v | tail -n %d", input["command"], 1+w.dice.IntN(400))
	return plainly(input)
}

func (w *world) pass(most time.Duration) {
	w.now = w.now.Add(time.Millisecond + time.Duration(w.dice.Int64N(int64(most)))).Round(time.Microsecond)
}

// Load gives a project the default rules, and what was saved since.
func (w *world) Load(root string, _ policy.Trust) (*policy.Policy, bool, []string) {
	if w.policies[root] == nil {
		if w.rules[root] == nil {
			w.rules[root] = defaults()
		}
		settings := policy.DefaultSettings()
		if root[len(root)-1]%2 == 0 { // half of the projects
			settings.Redirections = policy.RedirectionsPrecise
		}
		w.policies[root] = policy.New(settings, append([]rule.Rule{}, w.rules[root]...))
	}
	return w.policies[root], true, nil
}

// Save adds rules, as long as a person would keep track of them.
func (w *world) Save(root string, lines []string) (string, []string, error) {
	file := root + "/.pi/allowlist-gate.json"
	var saved []string
	for _, line := range lines {
		r, err := rule.Parse(line)
		if err != nil {
			return file, saved, err
		}
		r.Effect, r.File, r.Line = rule.Allow, file, 3+len(w.rules[root])
		w.rules[root] = append(w.rules[root], r)
		saved = append(saved, line)
	}
	delete(w.policies, root)
	return file, saved, nil
}

func defaults() (list []rule.Rule) {
	for i, line := range []string{"shell:cd *", "shell:git status *", "shell:git diff *", "shell:git log *", "shell:ls *", "shell:cat *", "shell:grep *", "shell:head *",
		"shell:tail *", "shell:wc *", "shell:echo *", "shell:npm test *", "edit:src/*", "edit:packages/*", "mcp:docs", "-shell:rm -rf *", "-shell:git push --force *", "-edit:.env*"} {
		effect := rule.Allow
		if line[0] == '-' {
			effect, line = rule.Deny, line[1:]
		}
		r, err := rule.Parse(line)
		if err != nil {
			panic(err) // they are constants
		}
		r.Effect, r.File, r.Line = effect, "/home/user/.pi/agent/extensions/allowlist-gate.json", 3+i
		list = append(list, r)
	}
	return list
}

// Select is what the person answers, after a while.
func (w *world) Select(_ context.Context, _, _ string, options []string) (gate.Choice, error) {
	w.now = w.now.Add(400 * time.Millisecond)
	w.pass(time.Duration(1+w.dice.IntN(12)) * time.Second)
	switch n := w.dice.IntN(1000); {
	case n < 60:
		return gate.Choice{Text: gate.OptionDeny}, nil
	case n < 100:
		return gate.Choice{}, nil
	case n < 115 && len(options) == 4:
		return gate.Choice{Text: gate.OptionSave}, nil
	case n < 250:
		return gate.Choice{Text: gate.OptionSession}, nil
	}
	return gate.Choice{Text: gate.OptionOnce}, nil
}

// Edit leaves the rules as they were proposed.
func (w *world) Edit(_ context.Context, _, _, prefill string) (gate.Choice, bool, error) {
	return gate.Choice{Text: prefill}, true, nil
}

// Notify is heard by nobody.
func (w *world) Notify(context.Context, string, string) {}

// book is the journal, which commits everything in groups: nothing waits for it.
type book struct {
	*audit.Journal
	entries int64
}

// Record puts every entry off.
func (b *book) Record(ctx context.Context, e *gate.Entry) (int64, error) {
	e.Later = true
	b.entries++
	return b.Journal.Record(ctx, e)
}
