package main

import (
	"context"
	"fmt"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// habits writes a journal of five days in a project, with what people say there
// again and again: habits FILE PROJECT.
func habits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: habits FILE PROJECT")
	}
	writeHabits(ts.MkAbs(args[0]), args[1], 5, ts.Check)
}

// habit is a call with what became of it.
type habit struct {
	tool, text string
	answer     gate.Answer // "" for a call of another agent, which ran
}

var habitual = []habit{
	{"bash", "npm test", gate.AnswerOnce},
	{"bash", "git add src && git commit -m 'change of day %d'", gate.AnswerOnce},
	{"bash", "rm -rf build", gate.AnswerOnce},
	{"bash", "git push --force", gate.AnswerDeny},
	{"bash", "make deploy", gate.AnswerDeny},
	{"bash", "git push origin topic-%d", gate.AnswerSession},
	{"edit", "src/part%d.ts", gate.AnswerOnce},
	{"edit", ".github/workflows/ci.yml", gate.AnswerOnce},
	{"bash", "npm run lint 2>&1", gate.AnswerOnce},
	{"bash", "cd src && sed -n '%d,80p' app.ts", ""},
	{"bash", "python3 -c 'print(%d)'", ""},
}

func writeHabits(path, project string, days int, check func(error)) {
	j, err := audit.Open(context.Background(), path, audittest.Options())
	check(err)
	clock := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	n := 0
	for day := range days {
		for _, h := range habitual {
			n++
			clock = clock.Add(time.Minute)
			e := h.entry(project, day, fmt.Sprint("call_", n))
			e.Time = clock.UnixMicro()
			_, err := j.Record(context.Background(), e)
			check(err)
		}
		clock = clock.Add(24 * time.Hour)
	}
	check(j.Close())
}

func (h habit) entry(project string, day int, call string) *gate.Entry {
	text := h.text
	if args := []any{day}; fmt.Sprintf(text, args...) != text+fmt.Sprintf("%%!(EXTRA int=%d)", day) {
		text = fmt.Sprintf(text, args...)
	}
	field := "command"
	if h.tool == "edit" {
		field = "path"
	}
	raw, err := encode(map[string]string{field: text})
	if err != nil {
		raw = []byte("null") // a map of strings always encodes
	}
	req := policy.Request{Tool: h.tool, Input: raw, Cwd: project, Root: project, Trusted: true, HasUI: true, OS: "linux", Home: "/home/ann"}
	resources := policy.Derive(req).Resources
	e := &gate.Entry{Session: fmt.Sprint("session-", day), Call: call}
	if h.answer == "" {
		e.Kind, e.Import = gate.KindImport, &gate.Imported{Request: req, Resources: resources, Result: gate.ResultOK, Source: "claude", Analyser: policy.Analyser}
		return e
	}
	d := &gate.Decision{Request: req, Resources: resources, Verdict: policy.Ask, Reasons: []policy.Reason{{Cause: policy.CauseNoRule, Resource: text}},
		Answer: h.answer, Action: policy.Run, Basis: policy.BasisUser, Policy: "before", Analyser: policy.Analyser}
	if h.answer == gate.AnswerDeny {
		d.Action = policy.Block
	}
	e.Kind, e.Decision = gate.KindDecision, d
	return e
}
