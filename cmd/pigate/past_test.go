package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/gate/policy"
)

// pastCalls is a program for scripts and the tour: pastcalls JOURNAL CONFIG
// reads lines `DAYS TIMES COMMAND` and records that command as the gate would have
// decided it so many days ago under a configuration, so many times. What asks
// gets a yes, or with a ! in front of the command a no.
func pastCalls() {
	if err := writePast(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func writePast(journal, configuration string) error {
	ctx := context.Background()
	root, err := filepath.EvalSymlinks(".")
	if err != nil {
		return err
	}
	if root, err = filepath.Abs(root); err != nil {
		return err
	}
	p, _, err := config.ReadPolicy(configuration)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(journal), 0o700); err != nil {
		return err
	}
	j, err := audit.Open(ctx, journal, audittest.Options())
	if err != nil {
		return err
	}
	if err := j.Policy(ctx, p.Digest(), p.Canonical()); err != nil {
		return err
	}
	n, now := 0, time.Now()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var days, times int
		var word string
		if _, err := fmt.Sscan(lines.Text(), &days, &times, &word); err != nil {
			continue
		}
		command := lines.Text()[strings.Index(lines.Text(), word):]
		text, refused := strings.CutPrefix(command, "!")
		tool, field := "bash", "command"
		if path, ok := strings.CutPrefix(text, "@edit "); ok {
			tool, field, text = "edit", "path", path
		}
		input, err := json.Marshal(map[string]string{field: text})
		if err != nil {
			return err
		}
		if server, ok := strings.CutPrefix(text, "@mcp "); ok {
			tool, input = "mcp__"+strings.ReplaceAll(server, ":", "__"), []byte("{}")
		}
		for range times {
			n++
			req := policy.Request{Session: "s", Call: fmt.Sprint("call_", n), Tool: tool, Input: input, Cwd: root, Root: root, Trusted: true, HasUI: true, OS: runtime.GOOS,
				Home: os.Getenv("HOME")}
			call := p.Derive(req)
			v := policy.Evaluate(p, call, nil)
			d := &gate.Decision{Request: req, Resources: call.Resources, Verdict: v.Effect, Reasons: v.Reasons, Policy: p.Digest(), Analyser: policy.Analyser}
			if d.Action, d.Basis = policy.Settle(v.Effect, true); v.Effect == policy.Ask {
				d.Action, d.Basis, d.Answer = policy.Run, policy.BasisUser, gate.AnswerOnce
				if refused {
					d.Action, d.Answer = policy.Block, gate.AnswerDeny
				}
			}
			if _, err := j.Record(ctx, &gate.Entry{Kind: gate.KindDecision, Time: now.AddDate(0, 0, -days).UnixMicro(), Session: "s", Call: req.Call, Decision: d}); err != nil {
				return err
			}
		}
	}
	return j.Close()
}
